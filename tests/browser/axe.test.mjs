/** axe-core on every state of every screen, in both themes; the menu in all four languages; reflow at 320 px. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { DESKTOP, findTable, LANGS, launch, openPage, PHONE, root, startProduct } from './harness.mjs'
import { countryOf, states, venuesFor } from './states.mjs'

let product, browser, axe
const venues = {}

before(async () => {
  product = await startProduct()
  browser = await launch()
  axe = await readFile(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
  for (const country of ['kz', 'ge']) venues[country] = await venuesFor(product, country, findTable)
})
after(async () => {
  await browser?.close()
  await product?.stop()
})

async function violations(page) {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
  await page.evaluate(axe)
  const { violations: found } = await page.evaluate(() =>
    window.axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }),
  )
  return found.flatMap((one) =>
    one.nodes.map(
      (node) => `${one.id}: ${node.target.join(' ')} ${node.failureSummary.replace(/\s+/g, ' ')}`,
    ),
  )
}

/** Wider than the window: something forces a second direction of scrolling. */
const overflow = (page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? `${scrollWidth} px wide in a window of ${clientWidth} px` : null
  })

async function look(state, lang, colorScheme, viewport) {
  const opened = await openPage(browser, product, { colorScheme, viewport, reducedMotion: 'reduce' })
  const world = { product, opened, lang, ...venues[countryOf(lang)] }
  await state.open(world)
  const found = await violations(opened.page)
  await opened.page.setViewportSize({ width: 320, height: 640 })
  const wide = await overflow(opened.page)
  await opened.context.close()
  assert.deepEqual(found, [])
  assert.equal(wide, null)
}

for (const colorScheme of ['light', 'dark']) {
  for (const state of states) {
    test(`${state.name} has no violation in ${colorScheme} on a phone`, () =>
      look(state, 'kk', colorScheme, PHONE))
  }
}

for (const state of states.filter((one) =>
  /^(home|menu-added|item|cart|order-cooking|town)$/.test(one.name),
)) {
  test(`${state.name} has no violation on a wide screen`, () => look(state, 'kk', 'light', DESKTOP))
}

for (const lang of LANGS.filter((one) => one !== 'kk')) {
  for (const state of states.filter((one) => /^(menu-added|item|cart)$/.test(one.name))) {
    test(`${state.name} has no violation in ${lang}`, () => look(state, lang, 'light', PHONE))
  }
}
