/** With a dish in the cart over the sign-in page to the profile, and out again: with scripts and without. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typePhoneAndCode } from './flows.mjs'
import { atUrl, hydrated, inLang, open, openPage, text } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'ru'

setStage()

for (const javaScriptEnabled of [true, false]) {
  test(`a guest signs in, finds the cart again, and signs out (scripts: ${javaScriptEnabled})`, async () => {
    const { context, page, problems } = await openPage(browser, product, { javaScriptEnabled })
    const settled = () => (javaScriptEnabled ? hydrated(page) : page.waitForLoadState('domcontentloaded'))
    await open(page, inLang(table.qr, lang))
    const post = (action, form) =>
      context.request.post(`${product.web}${action}`, { form, headers: { origin: product.web } })
    const { filial_id: filial, plain } = table
    await post('/cart/lines', { filial, product: plain[0].id, back: '/cart' })
    const inCart = async () => {
      const answer = await context.request.get(`${product.web}/_data/cart`)
      return (await answer.json()).shell.cart?.count
    }
    assert.equal(await inCart(), 1)
    await open(page, inLang('/profile', lang))
    await typePhoneAndCode(page)
    await atUrl(page, /\/profile(\?|$)/)
    await settled()
    await open(page, '/cart')
    await settled()
    await page.locator('main .line').first().waitFor()
    assert.equal(await inCart(), 1)

    await open(page, '/orders')
    await settled()
    await page.locator('a[href="/profile"]').first().click()
    await atUrl(page, /\/profile$/)
    await page.getByText('+7 701 000 00 31').waitFor()
    await page.getByRole('button', { name: text(lang, 'profile.signOut') }).click()
    await atUrl(page, /\/filials\/\d+$/)
    await settled()
    assert.equal(await page.locator('a[href="/cart"]:visible').count(), 0, 'the cart is gone')

    // Back asks the server, which asks for a sign-in.
    await page.goBack()
    await atUrl(page, /\/oauth2\/authorize/)
    assert.equal(await page.getByText('+7 701 000 00 31').count(), 0)
    await page.locator('button[name="cancel"]').click()
    await atUrl(page, /\/auth\?problem=denied/)
    await page.getByText(text(lang, 'auth.denied')).waitFor()
    await page.getByText(text(lang, 'auth.on')).click()
    await atUrl(page, /\/$/)
    const own = problems.filter((one) => !one.includes(product.sandbox))
    assert.deepEqual(own, [])
    await context.close()
  })
}
