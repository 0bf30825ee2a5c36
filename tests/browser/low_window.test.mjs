/** Windows that are low: a phone that lies, a page at 400 % (AX-03, AX-08). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillCart, inLang, openHydrated, openPage, untilTrue } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const LYING = { width: 740, height: 360 }
/** 1280 × 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 }

setStage()

const boxOf = (locator) => locator.evaluate((one) => one.getBoundingClientRect().toJSON())

for (const lang of ['kk', 'ru', 'en'])
  test(`on a phone that lies a menu begins with its name, its categories and what it sells, in ${lang}`, async () => {
    const { page, context } = await openPage(browser, product, { viewport: LYING })
    await openHydrated(page, inLang(table.qr, lang))
    const photo = await boxOf(page.locator('.about img'))
    assert.ok(photo.height < LYING.height / 3, `the photo is ${photo.height} px high`)
    for (const what of ['.about h1', '.rail', '.menu h2']) {
      const { bottom } = await boxOf(page.locator(what).first())
      assert.ok(bottom <= LYING.height, `${what} ends at ${bottom}`)
    }
    await context.close()
  })

for (const viewport of [LYING, ZOOMED])
  test(`in a window of ${viewport.width} × ${viewport.height} the button of the map is in view, and the map leaves room for a swipe`, async () => {
    const { page, context } = await openPage(browser, product, { viewport })
    await openHydrated(page, inLang('/address-map?back=/cart', 'ru'))
    await page.locator('.map[data-live]').waitFor()
    const button = await boxOf(page.locator('.pinned > form > .button'))
    assert.ok(button.top >= 0 && button.bottom <= viewport.height, `${button.top} to ${button.bottom}`)
    const map = await boxOf(page.locator('.address-map > .map'))
    assert.ok(
      map.width < viewport.width / 2 || map.height < viewport.height * 0.7,
      `the map is ${map.width} × ${map.height} px`,
    )
    for (const key of await page.locator('.map > .keys > button').all()) {
      const { top, bottom } = await boxOf(key)
      assert.ok(top >= map.top && bottom <= map.bottom, 'the signs are within the map')
    }
    await context.close()
  })

for (const lang of ['kk', 'ru', 'en'])
  test(`on a phone that lies the sections and the cart's bar stand beside each other, in ${lang}`, async () => {
    const opened = await openPage(browser, product, { viewport: LYING, reducedMotion: 'reduce' })
    const { page, context } = opened
    await fillCart(opened, table, [table.plain[0]])
    for (const width of [640, LYING.width]) {
      await page.setViewportSize({ width, height: LYING.height })
      for (const address of ['/', '/filials']) {
        await openHydrated(page, inLang(address, lang))
        const bar = await boxOf(page.locator('.bar'))
        const isOnTop = await page
          .locator('.bar')
          .evaluate((one) => one.contains(document.elementFromPoint(one.offsetLeft + 40, innerHeight - 20)))
        assert.ok(isOnTop, `${address} at ${width}: the bar lies below`)
        const links = await Promise.all((await page.locator('.nav > a').all()).map(boxOf))
        const top = Math.min(bar.top, ...links.map((link) => link.top))
        const hidden = LYING.height - top
        assert.ok(hidden <= LYING.height / 5, `${address} at ${width}: they hide ${hidden} px`)
        for (const link of links) assert.ok(link.height >= 44 && link.right <= bar.left, `${link.right}`)
        const cut = await page
          .locator('.nav > a')
          .evaluateAll((all) =>
            all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
          )
        assert.deepEqual(cut, [], `${address} at ${width}`)
      }
    }
    await context.close()
  })

test('at 400 % a menu and Home leave the window to what is read, and no bar covers what has the focus', async () => {
  const opened = await openPage(browser, product, { viewport: ZOOMED, reducedMotion: 'reduce' })
  const { page, context } = opened
  await fillCart(opened, table, [table.plain[0]])
  for (const address of [table.qr, '/']) {
    await openHydrated(page, inLang(address, 'kk'))
    await page.locator('.bar').waitFor()
    await page.evaluate(() => scrollTo(0, innerHeight))
    await untilTrue(() => page.evaluate(() => scrollY > 0))
    // What has no place of its own in the page, as it lies over it at both ends.
    const free = await page.evaluate(() => {
      const isOver = (one) => ['fixed', 'sticky'].includes(getComputedStyle(one).position)
      const bars = [...document.querySelectorAll('.head, .nav, .rail, .bar')].filter(isOver)
      const boxes = bars.map((one) => one.getBoundingClientRect())
      const top = Math.max(0, ...boxes.filter((box) => box.top < innerHeight / 2).map((box) => box.bottom))
      const end = Math.min(
        innerHeight,
        ...boxes.filter((box) => box.top >= innerHeight / 2).map((box) => box.top),
      )
      return end - top
    })
    assert.ok(free >= ZOOMED.height / 2, `${address}: ${free} px are left`)
    await page.evaluate(() => scrollTo(0, 0))
    for (let stop = 0; stop < 30; stop++) {
      await page.keyboard.press('Tab')
      const covered = await page.evaluate(() => {
        const one = document.activeElement
        if (one === document.body || one.closest('.head, .rail, .bar')) return null
        const box = one.getBoundingClientRect()
        // A name of many lines is cut by its card, not by a bar.
        if (box.height > innerHeight / 3) return null
        const bars = [...document.querySelectorAll('.rail, .bar')].map((bar) => bar.getBoundingClientRect())
        const by = bars.find((bar) => box.top < bar.bottom - 1 && box.bottom > bar.top + 1)
        return by ? `${one.outerHTML.slice(0, 80)} ${box.top} to ${box.bottom}` : null
      })
      assert.equal(covered, null, address)
    }
  }
  await context.close()
})
