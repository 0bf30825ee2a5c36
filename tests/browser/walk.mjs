/**
 * A walk through every state of every screen in one language: React takes over silently, axe finds nothing in either
 * theme, nothing is wider than the window from 320 to 1280 px or with letters twice as large, nothing jumps while the
 * page loads. With `PICTURES=1` it leaves pictures in target/screens.
 */
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { COLOURS, violations } from './axe.mjs'
import { DESKTOP, dataOf, findTable, LANGS, openPage, PHONE, root, unexpected } from './harness.mjs'
import { keptPage } from './kept.mjs'
import { lostInLargeLetters } from './letters.mjs'
import { browser, product, setStage } from './stage.mjs'
import { countryOf, inLanguage, states, venuesFor } from './states.mjs'

/** The page is opened at the first: each other width lays it out anew. */
const WIDTHS = [360, 320, 768, 1280]
const THEMES = ['light', 'dark']
/** Of all shifts while a page loads (issue of the browsing screens; Core Web Vitals call 0.1 good). */
const MOST_SHIFT = 0.05

/**
 * What axe asks, what another time zone does and how a page loads for the first time are the same in all languages, so
 * each state has them in one, by turns; pictures are made and widths, letters, names and silence are tried in each.
 */
const hasItsTurn = (state, lang) => {
  const langs = state.langs ?? LANGS
  return langs[states.indexOf(state) % langs.length] === lang
}

/** States that stand for a whole screen are looked at in all widths, the others on a phone and a desktop. */
const looksOf = (isFirst) => {
  if (isFirst) return WIDTHS.flatMap((width) => THEMES.map((theme) => [width, theme]))
  return [
    [PHONE.width, 'light'],
    [PHONE.width, 'dark'],
    [DESKTOP.width, 'light'],
  ]
}

export function walk(lang) {
  const folder = path.join(root, 'target/screens', lang)
  let venues

  async function openNew(timezoneId) {
    const opened = await openPage(browser, product, { viewport: PHONE, reducedMotion: 'reduce', timezoneId })
    await opened.page.addInitScript(watchShifts)
    return opened
  }
  const here = keptPage(() => openNew('Asia/Almaty'))
  const elsewhere = keptPage(() => openNew('America/New_York'))
  // Before the browser is.
  after(async () => {
    await here.close()
    await elsewhere.close()
  })
  setStage({
    withTable: false,
    // An order that is not answered is left to its guest at once.
    args: ['--order-resend-seconds', '1'],
    async prepare() {
      await mkdir(folder, { recursive: true })
      venues = await venuesFor(product, countryOf(lang), findTable)
    },
  })

  const enter = (state, opened) => state.open({ product, opened, lang, ...venues })

  /** a phone that has kept the time of another part of the world hydrates the same page as silently. */
  async function hydratesElsewhere(state) {
    const opened = await elsewhere.fresh()
    await enter(state, opened)
    assert.equal((await dataOf(opened.page)).page.route, state.expect)
    assert.deepEqual(unexpected(opened.problems, state), [], 'in New York')
    elsewhere.done()
  }

  const seen = new Set()
  for (const state of inLanguage(lang)) {
    const isFirst = !seen.has(state.expect)
    seen.add(state.expect)
    test(`${state.name} in ${lang}`, async () => {
      const isTurn = hasItsTurn(state, lang)
      // With every file still to come a page may jump that does not once they are kept: in one language it is a first visit.
      const opened = isTurn ? await openNew('Asia/Almaty') : await here.fresh()
      const { page, context, problems } = opened
      await enter(state, opened)
      const found = await page.evaluate(() => ({
        // The data itself is large, and a route is all that is asked for.
        route: JSON.parse(document.querySelector('script#data').textContent).page.route,
        lang: document.documentElement.lang,
        shell: document.getElementById('app').hasAttribute('data-shell'),
        h1: document.querySelectorAll('h1').length,
        title: document.title,
        shifts: window.__shifts,
      }))
      assert.deepEqual(unexpected(problems, state), [])
      assert.equal(found.route, state.expect)
      assert.equal(found.lang, lang)
      assert.equal(found.shell, false, 'the page came without its HTML')
      assert.equal(found.h1, 1, 'one heading of the first level')
      assert.notEqual(found.title, '')
      assert.ok(found.shifts.value <= MOST_SHIFT, `the page jumped: ${JSON.stringify(found.shifts)}`)

      const wrong = await misnamed(page)
      const looks = isTurn ? looksOf(isFirst) : [[PHONE.width, 'light']]
      for (const width of WIDTHS) {
        const size =
          width === PHONE.width ? PHONE : width === DESKTOP.width ? DESKTOP : { width, height: 740 }
        await page.setViewportSize(size)
        const wide = await overflow(page)
        if (wide) wrong.push(`${width}: ${wide}`)
        wrong.push(...(await lostInLargeLetters(page, width)))
        for (const [, colorScheme] of looks.filter(([one]) => one === width)) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          if (process.env.PICTURES && (width === PHONE.width || width === DESKTOP.width))
            await page.screenshot({ path: path.join(folder, `${state.name}-${width}-${colorScheme}.png`) })
          if (!isTurn) continue
          // In the other theme of a width the page is the same but for its colours.
          const rules = colorScheme === 'dark' ? COLOURS : undefined
          for (const one of await violations(page, rules)) wrong.push(`${width} ${colorScheme}: ${one}`)
        }
      }
      if (isTurn) await context.close()
      assert.deepEqual(wrong, [])
      if (!isTurn) here.done()
      if (isFirst && isTurn) await hydratesElsewhere(state)
    })
  }
}

/** Runs in the page before anything else: adds up what moves by itself. */
function watchShifts() {
  window.__shifts = { value: 0, what: [] }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput || window.__shifts.over) continue
      window.__shifts.value += entry.value
      for (const { node } of entry.sources) {
        window.__shifts.what.push(`${node?.nodeName}.${node?.className ?? ''} ${entry.value.toFixed(3)}`)
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/**
 * Beyond what axe can know: what is pressed or chosen is an element made for it (AX-13), a sign without words in a
 * dish's row is named with the dish (AX-09), and a dish or venue that is not to be had says so in words (AX-11).
 */
const misnamed = (page) =>
  page.evaluate(() => {
    const all = (selector, within = document) => [...within.querySelectorAll(selector)]
    const roles = ['button', 'link', 'checkbox', 'radio', 'switch', 'slider', 'spinbutton', 'option', 'tab']
    const made = all(roles.map((role) => `[role="${role}"]`).join())
      .filter((one) => !one.closest('.map, [role="listbox"]'))
      .map((one) => `not native: ${one.outerHTML.slice(0, 120)}`)
    const unnamed = all('.dish').flatMap((dish) => {
      const name = dish.querySelector('a[href*="item="]')?.textContent.trim()
      return all('button', dish)
        .filter((one) => !one.textContent.trim() && !one.ariaLabel?.includes(name))
        .map((one) => `without its dish: ${one.outerHTML.slice(0, 120)}`)
    })
    const wordless = all('.out, .open[data-closed]')
      .filter((one) => !one.textContent.trim())
      .map((one) => `told by colour alone: ${one.outerHTML.slice(0, 120)}`)
    return [...made, ...unnamed, ...wordless]
  })

/** Wider than the window: something forces a second direction of scrolling. Wider than its dish: it is cut off there. */
const overflow = (page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) return `${scrollWidth} px wide in a window of ${clientWidth} px`
    // Of those in sight: asked for its width, a row that is not would be laid out, and a menu has hundreds.
    const seen = [...document.querySelectorAll('.dish')].filter((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    })
    const cut = seen.find((one) => one.scrollWidth > one.clientWidth)
    return cut ? `${cut.scrollWidth} px wide in ${cut.clientWidth}: ${cut.textContent.slice(0, 60)}` : null
  })
