/**
 * Chromium of long ago. 103 is just above the line of `components/README.md`: the app runs. 92 is below it: no script
 * takes the taps, and the forms are the whole product, with its styles.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { oldChromium } from './drivers.mjs'
import { order, sheet, walk } from './ways.mjs'
import { startWorld } from './world.mjs'

let world
before(async () => {
  world = await startWorld()
})
after(() => world?.stop())

/** What the page has thrown is told by its console; a page below the line must not even try. */
const nobodyTookOver = (page) =>
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

test('Chromium 92, below the line: scripts leave the page alone, and the forms order', () =>
  walk(oldChromium(92), world, {}, async (page, at) => {
    await order(page, at, { scripts: false })
    assert.equal(await nobodyTookOver(page), true)
    assert.deepEqual(page.driver.problems(), [])
  }))

test('Chromium 92: the order without scripts, in the dark', () =>
  walk(oldChromium(92), world, { scripts: false, dark: true }, (page, at) =>
    order(page, at, { scripts: false }),
  ))
