/** A page that is open when its venue closes follows, without a load and without the guest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hydrated, inLang, openPage, PATIENCE, pageData, text, untilTrue } from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

const lang = 'en'

setStage({ args: ['--catalogue-fresh-ms', '1', '--page-fresh-ms', '0'], withTable: false })

/** A venue with opening hours that is open or closed by them. */
async function timedVenue() {
  for (const one of await product.sandboxApi.tables()) {
    if (one.country !== 'kz') continue
    const { shell } = await pageData(product.web, inLang(`/filials/${one.filial_id}/details`, lang))
    if (shell.until) return { id: one.filial_id, until: shell.until }
  }
  throw new Error('no venue with hours')
}

const DAY = 24 * 60 * 60 * 1000

/** The details of a venue that is open, on a phone whose clock is wrong by so much; the server says from now on that it is closed. */
async function atDetails(wrong) {
  const { id, until } = await timedVenue()
  const { page, context, requests } = await openPage(browser, product)
  await page.clock.install({ time: Date.now() + wrong })
  await page.goto(inLang(`/filials/${id}/details`, lang))
  await hydrated(page)
  await page.evaluate(() => {
    document.documentElement.dataset.same = ''
  })
  await product.sandboxApi.set('opening', { filial_id: id, closed: true })
  const left = until - Date.now() + 10_000
  const asked = () => requests.some((one) => new URL(one.url()).pathname === `/_data/filials/${id}/details`)
  const isClosed = async () =>
    (await page.locator('.venue-facts .open').innerText()) === text(lang, 'venue.closed')
  return { page, context, left, asked, isClosed }
}

for (const [clock, wrong] of [
  ['right', 0],
  ['a day behind', -DAY],
]) {
  test(`the details of a venue say that it is closed once its hour has passed; the phone's clock is ${clock}`, async () => {
    const { page, context, left, asked, isClosed } = await atDetails(wrong)
    await page.clock.fastForward(left)
    await untilTrue(asked, PATIENCE, 'the page is asked for anew')
    await untilTrue(async () => {
      await page.clock.fastForward(left)
      return isClosed()
    })
    assert.equal(await page.locator('html[data-same]').count(), 1, 'without a load')
    await context.close()
  })
}

test('the details of a venue whose hour has passed while the phone slept are asked for anew', async () => {
  const { page, context, left, asked } = await atDetails(0)
  // The clock goes on, and no timer does.
  await page.clock.setSystemTime(Date.now() + left)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await untilTrue(asked, PATIENCE, 'the page is asked for anew')
  await context.close()
})
