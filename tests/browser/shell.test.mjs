/** Pages that V8 did not render: the document carries the data and the browser draws the page. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { violations } from './axe.mjs'
import { payInCash, pressOrder, showsStatus } from './flows.mjs'
import {
  dataOf,
  findTable,
  inLang,
  LANGS,
  open,
  openHydrated,
  openPage,
  text,
  unexpected,
} from './harness.mjs'
import { keptPage } from './kept.mjs'
import { browser, product, setStage } from './stage.mjs'
import { inLanguage, venuesFor } from './states.mjs'

const kept = keptPage(() => openPage(browser, product))
// Before the browser is.
after(() => kept.close())
let venues, table
setStage({
  withTable: false,
  // An order that is not answered is left to its guest at once.
  args: ['--render-limit-ms', '0', '--order-resend-seconds', '1'],
  async prepare() {
    venues = await venuesFor(product, 'kz', findTable)
    table = venues.table
  },
})

/** A state of each route that is brought about in a few steps: what matters is who draws it. */
const LONG = ['bill-preorder']
const plain = inLanguage('ru').filter(({ name }) => !LONG.includes(name))
const ofEachRoute = plain.filter(
  ({ expect }, at) => plain.findIndex((other) => other.expect === expect) === at,
)

for (const state of ofEachRoute) {
  test(`the browser draws the page ${state.expect}, which V8 did not render`, async () => {
    const opened = await kept.fresh()
    await state.open({ product, opened, lang: 'ru', ...venues })
    assert.equal((await dataOf(opened.page)).page.route, state.expect)
    assert.equal(await opened.page.locator('#app[data-shell] h1').count(), 1)
    assert.deepEqual(unexpected(opened.problems, state), [])
    kept.done()
  })
}

test('pages that V8 did not render are drawn by the browser, and an order is made', async () => {
  const { page, problems, context } = await openPage(browser, product)
  await openHydrated(page, inLang(table.qr, 'en'))
  assert.equal(await page.locator('#app[data-shell] h1').count(), 1)
  await page.locator('form[data-early] button').first().click()
  await page.locator('a[href="/cart"]:not(.skip):visible').first().waitFor()
  await openHydrated(page, '/cart')
  await payInCash(page)
  await pressOrder(page)
  await showsStatus(page, 'en', 'created')
  assert.deepEqual(unexpected(problems), [])
  await context.close()
})

test('where no script runs such a page is not empty, and its link asks for it again', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  for (const lang of LANGS) {
    await open(page, inLang(table.qr, lang))
    assert.ok((await page.locator('#app').innerText()).startsWith(text(lang, 'error.late')))
    const again = page.waitForRequest((one) => one.isNavigationRequest())
    await page.getByText(text(lang, 'app.retry')).click()
    assert.equal((await again).url(), page.url())
  }
  await context.close()
})

test('it is accessible until the browser has drawn it, in every language', async () => {
  for (const [index, lang] of LANGS.entries()) {
    const { page, context } = await openPage(browser, product, { colorScheme: index % 2 ? 'dark' : 'light' })
    await page.route('**/assets/*.js', (route) => route.abort())
    await open(page, inLang(table.qr, lang))
    await page.getByRole('heading', { level: 1, name: text(lang, 'error.late') }).waitFor()
    assert.deepEqual(await violations(page), [], lang)
    await context.close()
  }
})
