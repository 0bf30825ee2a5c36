/**
 * With a dish in the cart over the sign-in page to the profile, and out again: with scripts and without. What becomes of
 * an open page when the sign-in ends, and in a host app.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillRow, signIn, typePhoneAndCode } from './flows.mjs'
import {
  addPlain,
  atUrl,
  cartOf,
  hydrated,
  inLang,
  launch,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'ru'
/** A venue that takes bonuses. */
const REWARDING = 1023

setStage()

for (const javaScriptEnabled of [true, false]) {
  test(`a guest signs in, finds the cart again, and signs out (scripts: ${javaScriptEnabled})`, async (t) => {
    // Playwright starts its browsers without the memory out of which Back might show a page again.
    const remembering = await launch({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
    // A browser that is left open keeps the file from ending.
    t.after(() => remembering.close())
    const { context, page, problems } = await openPage(remembering, product, { javaScriptEnabled })
    if (javaScriptEnabled) {
      await page.addInitScript(() =>
        addEventListener('pageshow', ({ persisted }) => {
          if (persisted) sessionStorage.setItem('seen', document.body.innerText)
        }),
      )
    }
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
    await page.getByRole('button', { name: text(lang, 'profile.signOut'), exact: true }).click()
    await atUrl(page, /\/filials\/\d+$/)
    await settled()
    assert.equal(await page.locator('a[href="/cart"]:not(.skip):visible').count(), 0, 'the cart is gone')

    // Back asks the server, which asks for a sign-in.
    await page.goBack()
    await atUrl(page, /\/oauth2\/authorize/)
    assert.equal(await page.getByText('+7 701 000 00 31').count(), 0)
    await page.locator('button[name="cancel"]').click()
    await atUrl(page, /\/auth\?problem=denied/)
    await page.getByText(text(lang, 'auth.denied')).waitFor()
    await page.getByText(text(lang, 'auth.on')).click()
    // Home of a guest at a table is its menu (RT-19).
    await atUrl(page, /\/filials\/\d+$/)
    const own = problems.filter((one) => !one.includes(product.sandbox))
    assert.deepEqual(own, [])
    if (javaScriptEnabled) {
      assert.equal(await page.evaluate(() => sessionStorage.getItem('seen')), null, 'not even for a moment')
    }
    await context.close()
  })
}

test('a sign-in that ends under an open page: it is shown anew without it, once, and the basket stays', async () => {
  const opened = await openPage(browser, product)
  const { context, page, requests } = opened
  await openHydrated(page, inLang(table.qr, lang))
  await addPlain(page, table.plain[0])
  await untilTrue(async () => (await cartOf(page))?.count === 1, PATIENCE, 'it is in the cart')
  await signIn(opened, { lands: '/profile' })
  await openHydrated(page, '/cart')
  const balance = page.locator('.chip.balance')
  await balance.waitFor()
  const { sandboxApi } = product
  await sandboxApi.set('faults', { path: '/balance', kind: 'error_code', status: 401 })
  await sandboxApi.set('faults', { path: '/api/v2/oauth2/tokens', kind: 'status', status: 401 })
  try {
    // Not by the test itself, which has no header of the app's.
    const asked = () =>
      requests.filter(
        (one) =>
          one.isNavigationRequest() ||
          (new URL(one.url()).pathname === '/_data/cart' && one.headers()['x-requested-with']),
      ).length
    const before = asked()
    const more = page.locator('main .line button[value="1"]').first()
    await more.click()
    await balance.waitFor({ state: 'detached' })
    await page.locator('main .line').first().waitFor()
    assert.equal((await cartOf(page)).count, 2)
    // One more change asks once more: nothing goes round by itself.
    await more.click()
    await untilTrue(async () => (await cartOf(page)).count === 3, PATIENCE, 'one more')
    await untilTrue(() => asked() - before >= 2, PATIENCE, 'asked for anew')
    assert.equal(asked() - before, 2, 'once for each change')
    // A guest who loads the page again is as well off.
    await page.reload({ waitUntil: 'domcontentloaded' })
    await hydrated(page)
    assert.equal((await cartOf(page)).count, 3)
    assert.equal(await balance.count(), 0)
  } finally {
    await sandboxApi.clear('faults')
    await context.close()
  }
})

/** A dish in the cart of a venue that has bonuses, and the cart's page. */
async function chooseWithBonuses(context, page) {
  await open(
    page,
    inLang(`/filials/${REWARDING}?filial_id=${REWARDING}&table_id=t1&main_terminal_id=1020`, lang),
  )
  const menu = await (await context.request.get(`${product.web}/_data/filials/${REWARDING}`)).json()
  const dishes = menu.page.data.categories.flatMap(({ products }) => products)
  const dish = dishes.find((one) => !one.options && !one.out && !one.adult)
  const form = { filial: String(REWARDING), product: String(dish.id), back: '/cart' }
  await context.request.post(`${product.web}/cart/lines`, { form, headers: { origin: product.web } })
  await open(page, '/cart')
}

test('Enter in a field of the order orders, also where a sign-in for bonuses stands above it and no script runs', async () => {
  const { context, page, problems } = await openPage(browser, product, { javaScriptEnabled: false })
  await chooseWithBonuses(context, page)
  await page.getByRole('button', { name: text(lang, 'bonus.enter') }).waitFor()
  await fillRow(page, 'name', 'Айгүл')
  await page.locator('input[name="name"]').press('Enter')
  await atUrl(page, /\/(order|pay)\//)
  // The bank's page is another site's.
  const own = problems.filter((one) => !one.includes(product.sandbox))
  assert.deepEqual(own, [])
  await context.close()
})

for (const javaScriptEnabled of [true, false]) {
  test(`what was typed at the order is there after a sign-in for bonuses (scripts: ${javaScriptEnabled})`, async () => {
    const { context, page, problems } = await openPage(browser, product, { javaScriptEnabled })
    const settled = () => (javaScriptEnabled ? hydrated(page) : page.waitForLoadState('domcontentloaded'))
    await chooseWithBonuses(context, page)
    await settled()
    await fillRow(page, 'name', 'Айгүл')
    await fillRow(page, 'comment', 'Без лука')
    await page.getByRole('button', { name: text(lang, 'bonus.enter') }).click()
    await typePhoneAndCode(page)
    await atUrl(page, /\/cart$/)
    await settled()
    await page.locator('form[action="/cart/bonus"]').first().waitFor()
    assert.equal(await page.locator('input[name="name"]').inputValue(), 'Айгүл')
    assert.equal(await page.locator('textarea[name="comment"]').inputValue(), 'Без лука')
    assert.equal(await page.locator('[role="alert"]:visible').count(), 0)
    const own = problems.filter((one) => !one.includes(product.sandbox))
    assert.deepEqual(own, [])
    await context.close()
  })
}

for (const javaScriptEnabled of [true, false]) {
  test(`in a host app no guest is led to the sign-in page unasked (scripts: ${javaScriptEnabled})`, async () => {
    const { context, page } = await openPage(browser, product, { javaScriptEnabled })
    await context.addCookies([{ name: 'platform', value: 'android', url: product.web }])
    // A partner's app asks once for the session.
    const asked = await (await context.request.get(`${product.web}/_data/consent`)).json()
    await context.request.post(`${product.web}/session/consent`, {
      form: { answer: 'yes', version: asked.page.data.version, back: '/' },
      headers: { origin: product.web },
    })
    const documents = []
    page.on('request', (one) => one.isNavigationRequest() && documents.push(new URL(one.url()).pathname))
    await open(page, inLang('/orders', lang))
    const here = page.url()
    let length
    if (javaScriptEnabled) {
      await hydrated(page)
      length = await page.evaluate(() => {
        window.samePage = true
        return history.length
      })
      const again = page.waitForResponse((one) => new URL(one.url()).pathname === '/_data/orders')
      await page.locator('a[href="/profile"]').first().click()
      await again
      await hydrated(page)
      // A navigation that was cancelled leaves no trace.
      assert.equal(await page.evaluate(() => window.samePage), true)
      assert.equal(await page.evaluate(() => history.length), length)
    } else {
      await page.locator('a[href="/profile"]').first().click()
      await untilTrue(() => documents.length === 3, PATIENCE, 'it was led back')
      await page.waitForLoadState('domcontentloaded')
    }
    assert.equal(page.url(), here)
    await page.locator('h1').first().waitFor()
    // Nothing was open yet.
    await open(page, '/profile')
    await atUrl(page, /\/$/)
    await page.locator('h1').first().waitFor({ state: 'attached' })
    assert.ok(!documents.includes('/oauth2/authorize'), documents.join(' '))
    await context.close()
  })
}
