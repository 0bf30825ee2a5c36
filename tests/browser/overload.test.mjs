/** Under load a page goes out as a 503 with its data: a page with scripts, words and another try without. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payInCash, pressOrder, showsStatus } from './flows.mjs'
import { inLang, LANGS, open, openHydrated, openPage, text, unexpected } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

setStage({ args: ['--render-wait-ms', '0'] })

test('a page that the engine had no time for is drawn by the browser, and an order is made', async () => {
  const { page, problems, context } = await openPage(browser, product)
  const answer = await openHydrated(page, inLang(table.qr, 'en'))
  assert.equal(answer.status(), 503)
  assert.equal(answer.headers()['retry-after'], '2')
  assert.equal(await page.locator('#app[data-shell] h1').count(), 1)
  await page.locator('form[data-early] button').first().click()
  await page.locator('a[href="/cart"]:not(.skip):visible').first().waitFor()
  // Inside the app only data is asked for, and a reload draws the page again.
  await page.locator('a[href="/cart"]:not(.skip):visible').first().click()
  await page.getByRole('heading', { level: 1, name: text('en', 'cart.title') }).waitFor()
  await openHydrated(page, '/cart')
  await payInCash(page)
  await pressOrder(page)
  await showsStatus(page, 'en', 'created')
  assert.deepEqual(unexpected(problems, { status: 503 }), [])
  await context.close()
})

test('where no script runs it says so in words and comes again by itself', async () => {
  for (const lang of LANGS) {
    // A page each: the one before is on its way again.
    const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
    await open(page, inLang(table.qr, lang))
    assert.ok((await page.locator('#app').innerText()).startsWith(text(lang, 'error.late')))
    const again = await page.waitForRequest((one) => one.isNavigationRequest())
    assert.equal(new URL(again.url()).pathname, new URL(page.url()).pathname)
    await context.close()
  }
})
