/** A page that is open when its venue closes follows, without a load and without the guest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hydrated, inLang, openPage, pageData, text, untilTrue } from './harness.mjs'
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

test('the details of a venue say that it is closed once its hour has passed', async () => {
  const { id, until } = await timedVenue()
  const { page, context } = await openPage(browser, product)
  await page.clock.install()
  await page.goto(inLang(`/filials/${id}/details`, lang))
  await hydrated(page)
  await page.evaluate(() => {
    document.documentElement.dataset.same = ''
  })
  // What the server says from now on, as it would when the hour has come.
  await product.sandboxApi.set('opening', { filial_id: id, closed: true })
  const state = page.locator('.venue-facts .open')
  await page.clock.setSystemTime(until)
  await untilTrue(async () => {
    await page.clock.fastForward(until - Date.now() + 10_000)
    return (await state.innerText()) === text(lang, 'venue.closed')
  })
  assert.equal(await page.locator('html[data-same]').count(), 1, 'without a load')
  await context.close()
})
