/** React takes over every screen in every language without a word in the console. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dataOf, findTable, LANGS, launch, openPage, startProduct, unexpected } from './harness.mjs'
import { countryOf, inLanguage, venuesFor } from './states.mjs'

let product, browser
const venues = {}

before(async () => {
  product = await startProduct()
  browser = await launch()
  for (const country of ['kz', 'ge']) venues[country] = await venuesFor(product, country, findTable)
})
after(async () => {
  await browser?.close()
  await product?.stop()
})

for (const lang of LANGS) {
  for (const state of inLanguage(lang)) {
    test(`${state.name} hydrates silently in ${lang}`, async () => {
      const opened = await openPage(browser, product)
      const { page, context, problems } = opened
      await state.open({ product, opened, lang, ...venues[countryOf(lang)] })
      const data = await dataOf(page)
      const html = await page.evaluate(() => ({
        lang: document.documentElement.lang,
        shell: document.getElementById('app').hasAttribute('data-shell'),
        h1: document.querySelectorAll('h1').length,
        title: document.title,
      }))
      await context.close()
      assert.deepEqual(unexpected(problems, state), [])
      assert.equal(data.page.route, state.expect)
      assert.equal(html.lang, lang)
      assert.equal(html.shell, false, 'the page came without its HTML')
      assert.equal(html.h1, 1)
      assert.notEqual(html.title, '')
    })
  }
}
