/**
 * Chromium of long ago. 103 is just above the line of `components/README.md`: the app runs. 92 is below it: no script
 * takes the taps, and the forms are the whole product, with its styles.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DESKTOP } from '../browser/harness.mjs'
import { oldChromium } from './drivers.mjs'
import { bill, fridge, order, pieces, review, sheet, signIn, walk } from './ways.mjs'
import { startWorld } from './world.mjs'

const BUTTON = 'form[action="/bookings"] .button'
let world
before(async () => {
  world = await startWorld()
})
after(() => world?.stop())

/** No time of it is over. */
const theDayAfterTomorrow = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)

/** What the page has thrown is told by its console; a page below the line must not even try. */
const hasNoController = (page) =>
  page.run(
    () =>
      document.querySelector('#app form[data-early]') === null ||
      !Object.keys(document.getElementById('app')).some((key) => key.startsWith('__react')),
  )

test('Chromium 103: the order with the app', () => walk(oldChromium(103), world, {}, order))

test('Chromium 103: the sheet of a dish closes by its button and by Back', () =>
  walk(oldChromium(103), world, {}, sheet))

test('Chromium 103: the order without scripts', () =>
  walk(oldChromium(103), world, { scripts: false }, (page, at) => order(page, at, { scripts: false })))

test('Chromium 103: what it does not know has a stand-in', () =>
  walk(oldChromium(103), world, { screen: DESKTOP }, async (page, { table }) => {
    await page.open(`/brands/booking?filial=${table.filial_id}&date=${theDayAfterTomorrow()}`)
    await page.hydrated()
    const colourOf = (css) =>
      page.run((selector) => getComputedStyle(document.querySelector(selector)).backgroundColor, css)
    await page.press('.slots input:not([disabled])')
    await page.until('a time is chosen', () => document.querySelector('.slots :checked') !== null)
    // No `:has`: the chosen one is marked all the same.
    const accent = await colourOf(BUTTON)
    assert.equal(await colourOf('.slots :checked'), accent)
    // No `color-mix`: a button under the pointer keeps a colour.
    const { x, y } = await page.place(BUTTON)
    await page.driver.hover(x, y)
    await page.until('the pointer is over it', () =>
      document.querySelector('form[action="/bookings"] .button').matches(':hover'),
    )
    assert.equal(await colourOf(BUTTON), accent)
    // No single transforms: the arrow back is turned.
    const arrow = () => getComputedStyle(document.querySelector('.back'), '::before').transform
    assert.match(await page.run(arrow), /^matrix\(0\.7/)
    // No question of scripting: a sheet stands in the middle of a large screen.
    await page.open(`/filials/${table.filial_id}?item=${table.withGroup.id}`)
    await page.hydrated()
    // Once it has risen.
    await page.until('it stands in the middle', () => {
      const { top, bottom } = document.querySelector('dialog').getBoundingClientRect()
      return top > 10 && Math.abs(top - (innerHeight - bottom)) < 2
    })
  }))

test('Chromium 103: a guest signs in, with the app and without scripts', async () => {
  await walk(oldChromium(103), world, {}, signIn)
  await walk(oldChromium(103), world, { scripts: false }, (page, at) => signIn(page, at, { scripts: false }))
})

test('Chromium 92, below the line: scripts leave the page alone, and the forms order', () =>
  walk(oldChromium(92), world, {}, async (page, at) => {
    await order(page, at, { scripts: false })
    assert.equal(await hasNoController(page), true)
    assert.deepEqual(page.driver.problems(), [])
  }))

test('Chromium 92: the order without scripts, in the dark', () =>
  walk(oldChromium(92), world, { scripts: false, dark: true }, (page, at) =>
    order(page, at, { scripts: false }),
  ))

test('Chromium 92: a number of pieces has no buttons that nothing answers', () =>
  walk(oldChromium(92), world, {}, (page, at) => pieces(page, at, { answers: false })))

test('Chromium 103: a number of pieces has buttons with the app, and none without scripts', async () => {
  await walk(oldChromium(103), world, {}, (page, at) => pieces(page, at, { answers: true }))
  await walk(oldChromium(103), world, { scripts: false }, (page, at) => pieces(page, at, { answers: false }))
})

for (const scripts of [true, false]) {
  const how = scripts ? '' : ' without scripts'

  test(`Chromium 103: the bill: a share of it, the bank, thanks and a grade${how}`, () =>
    walk(oldChromium(103), world, { scripts }, (page, at) => bill(page, at, { scripts })))

  test(`Chromium 103: a fridge, a scanner without a camera, a typed barcode${how}`, () =>
    walk(oldChromium(103), world, { scripts }, (page, at) => fridge(page, at, { scripts })))

  test(`Chromium 103: a guest writes a review${how}`, () =>
    walk(oldChromium(103), world, { scripts }, (page, at) => review(page, at, { scripts })))
}
