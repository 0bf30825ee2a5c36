/** A page in any engine: finds things as a guest does, waits for them, and presses where they are. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { PATIENCE, pause } from '../browser/harness.mjs'

export class Page {
  constructor(driver, web) {
    this.driver = driver
    this.web = web
  }

  /** Runs a function in the page; it must give its answer at once. */
  run(look, ...args) {
    return this.driver.evaluate(`(${look})(...${JSON.stringify(args)})`)
  }

  async open(address) {
    await this.driver.goto(this.web + address)
  }

  url() {
    return this.run(() => location.href.slice(location.origin.length))
  }

  /** Asks until the answer is true; a page that is just being left has none. */
  async until(what, look, ...args) {
    const end = Date.now() + PATIENCE
    let last
    for (;;) {
      try {
        last = await this.run(look, ...args)
        if (last) return last
      } catch (error) {
        last = error
      }
      if (Date.now() > end) {
        const shown = await this.run(() => `${location.href}\n${document.body.innerText}`).catch(String)
        if (process.env.PICTURES) await this.picture(`${process.env.PICTURES}/failed-${this.driver.name}.png`)
        throw new Error(
          `${this.driver.name}: still not so: ${what} (${last}); ${await this.#lastPress()}; it shows ${shown.slice(0, 1500)}`,
        )
      }
      await pause(100)
    }
  }

  at(pattern) {
    return this.until(
      `the address is ${pattern}`,
      (source) => new RegExp(source).test(location.pathname + location.search),
      pattern.source,
    )
  }

  shows(words) {
    return this.until(
      `it says "${words}"`,
      (wanted) => document.body.innerText.replace(/\s+/g, ' ').includes(wanted),
      words.replace(/\s+/g, ' '),
    )
  }

  /** Waits until React has taken over every control. */
  async hydrated() {
    await this.until('React has taken over', () => {
      const controls = [...document.querySelectorAll('#app button, #app form, #app a[href^="/"]')]
      const owned = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'))
      return (
        controls.length > 0 && controls.every((element) => owned(element) || element.closest('[data-static]'))
      )
    })
    await this.isSound()
  }

  /**
   * What a page fetches when the app found another page than was sent, or could not begin. Pages that are left while they
   * begin fetch it too, for imports that are broken off: so it is the page that is asked, as long as it is there.
   */
  async isSound() {
    const failed = await this.run(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => name.includes('/assets/failed-')),
    )
    assert.deepEqual(failed, [], 'the app has failed')
  }

  /** Whether the engine is above the line of `components/README.md`. */
  runsApp() {
    return this.run(() => 'findLast' in [])
  }

  /** Rejects a promise in the page once somebody listens. */
  async reject(message) {
    await this.until('the script that tells of errors has begun', () =>
      performance
        .getEntriesByType('resource')
        .some(
          ({ name, responseEnd }) =>
            name.endsWith('/client-settings') && responseEnd > 0 && performance.now() > responseEnd + 300,
        ),
    )
    await this.run((words) => void setTimeout(() => Promise.reject(new Error(words))), message)
  }

  /** Lets the page tell what it has met, as it does when its guest leaves. */
  tell() {
    return this.run(() => void dispatchEvent(new Event('pagehide')))
  }

  /**
   * Presses the first, or with `last` the last, of what can be seen and reached there. `of` is what stands in the same
   * form: old engines know no `:has`. A slow engine may lay the page out once more after it has stood still for a while,
   * so it is looked at again with the pointer already there.
   */
  async press(css, which) {
    let { x, y } = await this.place(css, which)
    for (let tries = 0; tries < 5; tries++) {
      await this.driver.hover(x, y)
      await pause(80)
      const now = await this.#place(css, which)
      if (now.x === x && now.y === y) break
      ;({ x, y } = now)
    }
    this.pressed = { css, x, y }
    await this.driver.press(x, y)
  }

  /** Chooses one of several by a press; what a slow engine has lost is pressed again, as a guest would. */
  async choose(css) {
    const isChosen = (selector) => document.querySelector(selector)?.checked === true
    for (let tries = 0; tries < 3; tries++) {
      await this.press(css)
      for (let looks = 0; looks < 20; looks++) {
        if (await this.run(isChosen, css)) return
        await pause(100)
      }
    }
    throw new Error(`${this.driver.name}: ${css} is not chosen; ${await this.#lastPress()}`)
  }

  /** What was pressed last, and what lies there by now. */
  async #lastPress() {
    if (!this.pressed) return 'nothing was pressed'
    const { css, x, y } = this.pressed
    const there = (x, y) => {
      const hovered = [...document.querySelectorAll(':hover')].map(({ localName }) => localName)
      return `${document.elementFromPoint(x, y)?.outerHTML.slice(0, 150)}, under the pointer ${hovered}, ${document.readyState}`
    }
    return `pressed was ${css} at ${x}, ${y}: ${await this.run(there, x, y).catch(String)}`
  }

  /** Where that is, once it has come to rest. */
  async place(css, which) {
    let place = await this.#place(css, which)
    // What moves is not pressed: a sheet rises, a page scrolls, and rows that come into sight get their real height with
    // the next frame. On a slow machine that is a while; a page that is taken for one in the background has no frames at all.
    let since = Date.now()
    for (let frames = 0; frames < 2 && Date.now() - since < 3000; ) {
      const before = place
      await pause(80)
      place = await this.#place(css, which)
      if (before.x !== place.x || before.y !== place.y) {
        frames = 0
        since = Date.now()
      } else if (before.frame !== place.frame) frames += 1
    }
    return place
  }

  #place(css, { last = false, of = '' } = {}) {
    return this.until(
      `${css} can be pressed`,
      (selector, fromEnd, sibling) => {
        const seen = [...document.querySelectorAll(selector)].filter((element) => {
          const { width, height } = element.getBoundingClientRect()
          const isThere = width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
          return isThere && (!sibling || element.closest('form')?.querySelector(sibling))
        })
        const element = fromEnd ? seen[seen.length - 1] : seen[0]
        if (!element) return null
        // A box that is hidden under its label is pressed by the label.
        const target = element.matches('input[type=radio], input[type=checkbox]')
          ? (element.closest('label') ?? element)
          : element
        let { left, top, width, height } = target.getBoundingClientRect()
        if (top < 70 || top + height > innerHeight - 120) {
          target.scrollIntoView({ block: 'center', behavior: 'instant' })
          ;({ left, top, width, height } = target.getBoundingClientRect())
        }
        // A sheet that has not begun to rise stands still, too.
        const moves = document
          .getAnimations?.()
          .some(({ playState, effect }) => playState === 'running' && effect.target?.contains(target))
        if (moves) return null
        const [x, y] = [left + width / 2, top + Math.min(height / 2, innerHeight / 3)]
        const hit = document.elementFromPoint(x, y)
        if (!hit || !(target.contains(hit) || hit.contains(target))) return null
        // It goes on with each frame; an engine that does not know it has no rows of an estimated height.
        return { x, y, frame: document.timeline?.currentTime ?? performance.now() }
      },
      css,
      last,
      of,
    )
  }

  /** Writes over what stands in a field. */
  async type(css, text) {
    await this.press(css)
    await this.run((selector) => document.querySelector(selector).select(), css)
    await this.driver.type(text)
    const holds = (selector, value) => document.querySelector(selector).value === value
    await this.until(`${css} holds ${text}`, holds, css, text)
  }

  back() {
    return this.driver.back()
  }

  count(css) {
    return this.run((selector) => document.querySelectorAll(selector).length, css)
  }

  async picture(file) {
    await writeFile(file, await this.driver.picture())
  }

  close() {
    return this.driver.close()
  }
}
