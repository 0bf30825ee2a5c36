/**
 * The app in a host app that behaves well, and in six that do not: whatever a host does, the guest gets on (HB-02, HB-03,
 * HB-10, HB-11, HB-12, HB-17, HB-20, HB-21, BC-08, S-22). It takes events and clears caches (AN-04, ST-14). Time is turned, not waited for.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buy, chooseWay, deleteAccount, payInCash, pressOrder, signIn, typePhoneAndCode } from './flows.mjs'
import {
  addPlain,
  atRest,
  atUrl,
  begun,
  cartOf,
  fillCart,
  holdScripts,
  hydrated,
  importSource,
  inLang,
  openHydrated,
  openPage,
  PATIENCE,
  plainSpaces,
  text,
  untilTrue,
} from './harness.mjs'
import { filesWith } from './scripts.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { bookTable } from './states.mjs'
import { answer, CODE, called, calls, framing, inWebview, known, overLimit } from './webview.mjs'

const FRIDGE = 1201
/** A venue that names its number. */
const WITH_PHONE = 1013

const partner = await framing()
setStage({ args: ['--host-origins', partner.origin] })
after(() => partner.close())

/** What a host that knows its guest signs in by. */
async function track(phone = '+77010000031') {
  const made = await fetch(`${product.sandbox}/api/v1/oauth2/tracks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone, code: '1234' }),
  })
  return (await made.json()).data.id
}

/** The payment of an order of two dishes in a host app that is asked to take it. */
async function atPayment(how, good) {
  const opened = await inWebview(how, { good })
  const { page } = opened
  await fillCart(opened, table, table.plain.slice(0, 2))
  await openHydrated(page, inLang('/cart', 'ru'))
  await known(page)
  await chooseWay(page, 'card')
  await pressOrder(page)
  await atUrl(page, /\/pay\/[^/?]+/)
  await called(page, 'pay')
  const [{ params }] = await calls(page, 'pay')
  assert.equal(new URL(params.url).origin, product.sandbox)
  return { ...opened, url: params.url }
}

/** Pays on the bank's page, as the host shows it. */
async function payInHost(context, url) {
  const bank = await context.newPage()
  await bank.goto(url)
  await bank.locator('button[value="succeeded"]').click()
  await bank.waitForLoadState()
  await bank.close()
}

for (const how of ['silent', 'throws', 'late', 'wrong', 'foreign']) {
  test(`a host that is ${how}: scanning goes on by the page, and without a camera by typing`, async () => {
    const { page, context } = await inWebview(how)
    await openHydrated(page, `/filials/${FRIDGE}/barcode-scanner`)
    await known(page)
    await page.locator('.scanner form button').click()
    await overLimit(page, 'scanBarcode')
    await atUrl(page, /barcode-manual\?camera=/)
    assert.equal((await calls(page, 'scanBarcode')).length, 1)
    assert.equal((await calls(page, 'scanText')).length, 0)
    await context.close()
  })

  test(`a host that is ${how}: the place comes from the browser`, async () => {
    const { page, context } = await inWebview(how)
    await openHydrated(page, '/map?lang=ru')
    await known(page)
    await page.locator(`button[aria-label="${text('ru', 'map.locate')}"]`).click()
    await overLimit(page, 'position')
    await untilTrue(() => page.evaluate(() => window.__located > 0))
    await context.close()
  })

  test(`a host that is ${how}: the sign-in goes over the sign-in page`, async () => {
    const { page, context } = await inWebview(how)
    await openHydrated(page, '/auth?problem=denied&back=/faq')
    await known(page)
    await page.locator('form[action="/session/sign-in"] button').click()
    // Who refuses at once is left at once.
    if (how !== 'throws' && how !== 'wrong') await overLimit(page, 'authorize')
    await atUrl(page, /\/oauth2\/authorize\?/)
    await context.close()
  })

  test(`a host that is ${how}: the payment's page has the bank and asks the server`, async () => {
    const opened = await inWebview(how)
    const { page, context } = opened
    await fillCart(opened, table, table.plain.slice(0, 2))
    await openHydrated(page, inLang('/cart', 'ru'))
    await known(page)
    await chooseWay(page, 'card')
    await pressOrder(page)
    if (how === 'silent' || how === 'late' || how === 'foreign') {
      await atUrl(page, /\/pay\/[^/?]+/)
      await overLimit(page, 'pay')
      await page.locator('.paying[data-state="waiting"] a.button[rel="noopener"]').waitFor()
      // The host is not asked twice: the link leads to the bank itself.
      await page.locator('.paying a.button[rel="noopener"]').click()
    }
    // Who refused at once has nothing open.
    await page.waitForURL((url) => url.origin === product.sandbox, { waitUntil: 'commit' })
    await context.close()
  })
}

test('a host that answers twice: the first answer is a good, and nothing comes of the second', async () => {
  const { page, context } = await inWebview('twice')
  await openHydrated(page, `/filials/${FRIDGE}/barcode-scanner`)
  await known(page)
  await page.locator('.scanner form button').click()
  await page.locator('dialog[open]').waitFor()
  const told = await page.locator('dialog[open]').innerText()
  assert.ok(told.includes(CODE) && !told.includes('0000000000000'), told)
  assert.equal(await page.locator('dialog[open]').count(), 1)
  await context.close()
})

test('a barcode that the scanner of the host has misread is said to be wrong', async () => {
  const { page, context } = await inWebview('good', {
    good: { scanBarcode: { outcome: 'success', text: '4870000130017', format: 'ean_13' } },
  })
  await openHydrated(page, `/filials/${FRIDGE}/barcode-scanner`)
  await known(page)
  await page.locator('.scanner form button').click()
  const told = page.locator('dialog[open]')
  await told.getByText('4870000130017').waitFor()
  await context.close()
})

test('goods and the code of a table are scanned by two methods of the host', async () => {
  const { page, context } = await inWebview('good', {
    good: { scanText: { outcome: 'success', text: `${product.web}${table.qr}` } },
  })
  await openHydrated(page, `/filials/${table.filial_id}/barcode-scanner?table=1`)
  await known(page)
  await page.locator('.scanner form button').click()
  await atUrl(page, new RegExp(`/filials/${table.filial_id}(\\?|/bill)`))
  await hydrated(page)
  await context.close()
})

test('a payment that the host says is closed stands as the server says', async () => {
  const { page, context, url } = await atPayment('good')
  // Closed without paying: still open, with the way to the bank.
  await page.locator('.paying[data-state="waiting"]').waitFor()
  assert.ok(page.url().startsWith(product.web))
  // Paid in the host's own page, and closed then.
  await payInHost(context, url)
  await page.clock.fastForward(6000)
  await untilTrue(
    async () =>
      /\/(order|typ)\//.test(page.url()) || (await page.locator('.paying[data-state="paid"]').count()) > 0,
  )
  await context.close()
})

test('a payment that the host says has succeeded leads to the order, which is paid', async () => {
  const { page, context, url } = await atPayment('silent')
  // Nothing but the host's word: the page's own question of the server does not come.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  await payInHost(context, url)
  await answer(page, 'pay', { outcome: 'success' })
  await atUrl(page, /\/filials\/\d+\/order\//)
  await page
    .getByText(text('ru', 'order.label.created', { payment: 'online' }))
    .first()
    .waitFor()
  assert.equal(await cartOf(page), null)
  await context.close()
})

test('a payment of which only the host says that it has succeeded is still to be paid, in the host', async () => {
  const { page, context } = await atPayment('good', { pay: { outcome: 'success' } })
  await page.locator('.paying[data-state="waiting"]').waitFor()
  await page.locator('.paying a.button[rel="noopener"]').click()
  await untilTrue(async () => (await calls(page, 'pay')).length === 2)
  await page.locator('.paying[data-state="waiting"]').waitFor()
  assert.ok(page.url().startsWith(`${product.web}/pay/`), page.url())
  await context.close()
})

test('a payment by QR code stays on its page in a host, whose own page of the bank is a press away', async () => {
  const opened = await inWebview('good')
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 2))
  await openHydrated(page, inLang('/cart', 'ru'))
  await known(page)
  await chooseWay(page, 'qr')
  await pressOrder(page)
  await atUrl(page, /\/pay\/[^/?]+/)
  await page.locator('.paying[data-state="waiting"] figure img').waitFor()
  assert.deepEqual(await calls(page, 'pay'), [])
  await page.locator('.paying a.button[rel="noopener"]').click()
  await called(page, 'pay')
  const [{ params }] = await calls(page, 'pay')
  assert.equal(new URL(params.url).origin, product.sandbox)
  assert.ok(page.url().startsWith(`${product.web}/pay/`), page.url())
  // Paid with the code, on another phone.
  await payInHost(context, params.url)
  await page.clock.fastForward(6000)
  await atUrl(page, /\/filials\/\d+\/order\//)
  await context.close()
})

test('a sign-in that the guest puts away leaves the page; one of another state is not believed', async () => {
  const { page, context } = await inWebview('good')
  await openHydrated(page, '/auth?problem=denied&back=/faq')
  await known(page)
  await page.locator('form[action="/session/sign-in"] button').click()
  await called(page, 'authorize')
  const [{ params }] = await calls(page, 'authorize')
  assert.ok(params.clientId && params.state && params.codeChallenge)
  assert.equal(new URL(params.redirectUri).pathname, '/auth')
  assert.match(page.url(), /\/auth\?problem=denied/)
  await context.close()
  const other = await inWebview('good', {
    good: { authorize: { outcome: 'success', code: 'c', state: 'evil' } },
  })
  await openHydrated(other.page, '/auth?problem=denied&back=/faq')
  await known(other.page)
  await other.page.locator('form[action="/session/sign-in"] button').click()
  await atUrl(other.page, /\/oauth2\/authorize\?/)
  await other.context.close()
})

for (const [what, cut, mend, key] of [
  [
    'offline',
    ({ context }) => context.setOffline(true),
    ({ context }) => context.setOffline(false),
    'offline',
  ],
  [
    'while nothing gets through',
    ({ page }) => page.route('**/session/sign-in', (route) => route.abort()),
    ({ page }) => page.unroute('**/session/sign-in'),
    'lost',
  ],
]) {
  test(`a sign-in that is pressed ${what} keeps the page and says so; pressed again, it is the host's`, async () => {
    const opened = await inWebview('good')
    const { page, context } = opened
    await openHydrated(page, inLang('/addresses?back=/cart', 'ru'))
    await known(page)
    await page.evaluate(() => {
      document.documentElement.dataset.same = ''
    })
    await cut(opened)
    const button = page.locator('form[action="/session/sign-in"] button')
    await button.click()
    const words = text('ru', `app.${key}`)
    await untilTrue(async () => (await page.locator('.connection').textContent()) === words, PATIENCE, words)
    await mend(opened)
    await button.click()
    await called(page, 'authorize')
    assert.equal(await page.locator('html[data-same]').count(), 1, 'without a load')
    await context.close()
  })
}

/** A dish in the cart, and the page of a sign-in that came to nothing; the host is asked to sign in. */
async function atSignIn() {
  const opened = await inWebview('silent')
  const { page } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang('/auth?problem=denied&back=/cart', 'ru'))
  await known(page)
  const navigations = []
  page.on('request', (one) => one.isNavigationRequest() && navigations.push(new URL(one.url())))
  await page.locator('form[action="/session/sign-in"] button').click()
  await called(page, 'authorize')
  return { ...opened, navigations }
}

/** The guest is back at the cart with what was in it, and known to the server. */
async function isSignedIn(page) {
  await atUrl(page, (url) => url.pathname === '/cart' && url.origin === product.web)
  await hydrated(page)
  assert.equal((await cartOf(page)).count, 1)
  await openHydrated(page, '/profile')
  assert.equal(new URL(page.url()).pathname, '/profile')
  await page.getByText('+7 701 000 00 31').waitFor()
}

const ofSignInPage = (url) => url.origin === product.sandbox

test('a code that the host hands over signs the guest in where the sign-in was begun', async () => {
  const { page, context, navigations } = await atSignIn()
  const [{ params }] = await calls(page, 'authorize')
  // The guest signs in on the page that the host shows at the address that it was told.
  const { origin, pathname, searchParams } = new URL(params.url)
  assert.equal(origin, product.sandbox)
  const form = { ...Object.fromEntries(searchParams), phone: '+77010000031', code: '1234' }
  const done = await fetch(origin + pathname, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  const came = new URL(done.headers.get('location'))
  assert.equal(came.origin + came.pathname, params.redirectUri)
  const code = came.searchParams.get('code')
  await answer(page, 'authorize', { outcome: 'success', code, state: params.state })
  await isSignedIn(page)
  const [exchange] = navigations
  assert.equal(exchange.pathname, '/auth')
  assert.equal(exchange.searchParams.get('code'), code)
  assert.ok(!navigations.some(ofSignInPage), navigations.join(' '))
  await context.close()
})

test('a track that the host hands over after a tap signs the guest in without another page', async () => {
  const trackId = await track()
  const { page, context, navigations } = await atSignIn()
  await answer(page, 'authorize', { outcome: 'success', trackId })
  await isSignedIn(page)
  assert.ok(!navigations.some((url) => ofSignInPage(url) || url.pathname === '/auth'), navigations.join(' '))
  assert.ok(!navigations.join(' ').includes(trackId))
  await context.close()
})

test('a deleted account that the host knows is offered back when the guest signs in, and not before', async () => {
  const phone = '+77010000416'
  await deleteAccount(product, phone)
  const trackId = await track(phone)
  const { page, context } = await inWebview('good', { good: { authorize: { outcome: 'success', trackId } } })
  await page.goto('/consent?platform=android&back=/addresses&lang=ru')
  const told = page.waitForResponse((one) => one.url().endsWith('/session/track'))
  await page.locator('form[action="/session/consent"] button').first().click()
  assert.match((await (await told).json()).redirect, /^\/auth\?problem=deleted/)
  await known(page)
  assert.equal(new URL(page.url()).pathname, '/addresses', 'who has not asked reads on')
  await page.locator('form[action="/session/sign-in"] button').click()
  await atUrl(page, /\/auth\?problem=deleted/)
  await page.locator('form[action="/session/restore"] button').first().click()
  await atUrl(page, (url) => url.pathname === '/addresses')
  await openHydrated(page, '/profile')
  await page.getByText('+7 701 000 04 16').waitFor()
  await context.close()
})

for (const [what, authorize] of [
  ['says that it could not', { outcome: 'error' }],
  ['hands over a track that nobody knows', { outcome: 'success', trackId: 'nobody' }],
]) {
  test(`a host that ${what}: the guest signs in on the sign-in page and has lost nothing`, async () => {
    const { page, context } = await atSignIn()
    await answer(page, 'authorize', authorize)
    // A guest who cancels there is told that the sign-in failed, and that the cart is kept.
    await atUrl(page, ofSignInPage)
    await page.locator('button[name="cancel"]').click()
    await atUrl(page, /\/auth\?problem=denied/)
    await hydrated(page)
    await known(page)
    await page.getByText(text('ru', 'auth.denied')).waitFor()
    await page.getByText(text('ru', 'auth.kept')).waitFor()
    assert.equal((await cartOf(page)).count, 1)
    await page.locator('form[action="/session/sign-in"] button').click()
    await called(page, 'authorize')
    await answer(page, 'authorize', authorize)
    await typePhoneAndCode(page)
    await isSignedIn(page)
    await context.close()
  })
}

test('in a host app who is known there is signed in without a page of its own, once', async () => {
  const trackId = await track()
  const { page, context } = await inWebview('good', { good: { authorize: { outcome: 'success', trackId } } })
  const seen = []
  page.on('request', (one) => one.isNavigationRequest() && seen.push(new URL(one.url()).pathname))
  await page.goto('/consent?platform=android&back=/faq&lang=ru')
  // Of which day it is, as people write it.
  await page.getByText(/^Текст от\s\d+\s[а-я]+\s\d{4}\sг\.$/).waitFor()
  // The host is not asked for the guest before the consent.
  await known(page)
  assert.deepEqual(await calls(page, 'authorize'), [])
  await page.locator('form[action="/session/consent"] button').first().click()
  await page.waitForURL((url) => url.pathname === '/faq', { waitUntil: 'commit' })
  await untilTrue(async () => (await calls(page, 'userId')).some(({ params }) => params.id !== null))
  assert.deepEqual(
    (await calls(page, 'authorize')).map(({ params }) => params),
    [{ silent: true }],
  )
  assert.ok(!seen.some((path) => path.includes('oauth2') || path === '/auth'), seen.join(' '))
  assert.ok(!(await page.content()).includes(trackId))
  // The next guest is not mixed with this one: the host forgets who it was, and does not bring the guest back.
  await openHydrated(page, '/profile')
  await known(page)
  const told = page.waitForFunction(() =>
    window.__calls.some(({ method, params }) => method === 'userId' && params.id === null),
  )
  await page.locator('form[action="/session/sign-out"] button').first().click()
  await told
  await page.waitForLoadState()
  await known(page)
  await called(page, 'userId')
  assert.deepEqual((await calls(page, 'userId')).at(-1).params, { id: null })
  assert.deepEqual(await calls(page, 'authorize'), [])
  await context.close()
})

test('another guest whom the host signs in finds nothing that the last one has typed', async () => {
  const trackId = await track('+77010000417')
  const opened = await inWebview('good', { good: { authorize: { outcome: 'success', trackId } } })
  const { page, context } = opened
  await signIn({ ...opened, web: product.web })
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const booking = inLang(`/brands/booking?filial=${table.filial_id}&date=${date}`, 'ru')
  await page.goto('/consent?platform=android&back=/faq&lang=ru')
  await hydrated(page)
  await page.locator('form[action="/session/consent"] button').first().click()
  await atUrl(page, /\/faq/)
  await openHydrated(page, booking)
  await known(page)
  const name = page.locator('form[action="/bookings"] input[name="name"]')
  await name.fill('Айгүл')
  await untilTrue(() => page.evaluate(() => localStorage.getItem('forms')?.includes('Айгүл')))
  // The upstream has signed the guest out; the app is opened by another one.
  for (const path of ['/api/v3/user', '/api/v2/oauth2/tokens'])
    await product.sandboxApi.set('faults', { path, kind: 'status', status: 401 })
  await context.request.get(`${product.web}/profile`)
  await product.sandboxApi.clear('faults')
  await page.goto(booking, { waitUntil: 'commit' })
  await page.waitForFunction(() => localStorage.getItem('forms') === null)
  await hydrated(page)
  await known(page)
  await called(page, 'userId')
  assert.notEqual((await calls(page, 'userId')).at(-1).params.id, null)
  const typed = await page.locator('input').evaluateAll((all) => all.map(({ value }) => value))
  assert.ok(!typed.includes('Айгүл'), typed.join(' '))
  await context.close()
})

test("the hardware's Back closes a sheet, then steps back in the history, then leaves to the host", async () => {
  const { page, context, problems } = await inWebview('good')
  await openHydrated(page, inLang(table.qr, 'ru'))
  await known(page)
  const press = () => page.evaluate(() => window.postMessage({ type: 'back' }, location.origin))
  const handlesBack = async () => (await calls(page, 'backHandler')).at(-1)?.params.on
  await untilTrue(async () => (await handlesBack()) === false)
  await page.locator('.lang summary').click()
  await untilTrue(async () => (await handlesBack()) === true)
  await press()
  await page.waitForSelector('details.lang:not([open])')
  await page.locator(`a[href*="item=${table.withGroup.id}"]`).first().click()
  await page.locator('dialog[open]').waitFor()
  await untilTrue(async () => (await handlesBack()) === true)
  await press()
  await page.waitForFunction(() => !document.querySelector('dialog[open]'))
  await page.locator('a[href$="/details"]').first().click()
  await atUrl(page, /\/details/)
  await press()
  await page.waitForURL((url) => !url.pathname.endsWith('/details'), { waitUntil: 'commit' })
  for (let step = 0; step < 5 && (await calls(page, 'close')).length === 0; step += 1) {
    await press()
    await page.waitForTimeout(300)
  }
  assert.equal((await calls(page, 'close')).length, 1)
  assert.deepEqual(problems, [])
  await context.close()
})

test("the hardware's Back on a page that was loaded by itself leads to the page above it, and from home to the host", async () => {
  const { page, context, problems } = await inWebview('good')
  await openHydrated(page, inLang(`/filials/${FRIDGE}/fridge`, 'ru'))
  await page.locator('a[href$="/barcode-scanner"]').first().click()
  await page.waitForURL((url) => url.pathname.endsWith('/barcode-scanner'), { waitUntil: 'commit' })
  await known(page)
  const press = () => page.evaluate(() => window.postMessage({ type: 'back' }, location.origin))
  const handlesBack = async () => (await calls(page, 'backHandler')).at(-1)?.params.on
  for (const above of [`/filials/${FRIDGE}/fridge`, `/filials/${FRIDGE}`, '/']) {
    await page.locator(`.head .back[href="${above}"]`).waitFor()
    await untilTrue(async () => (await handlesBack()) === true)
    await press()
    await page.waitForURL((url) => url.pathname === above, { waitUntil: 'commit' })
    assert.deepEqual(await calls(page, 'close'), [])
  }
  await untilTrue(async () => (await handlesBack()) === false)
  await press()
  await called(page, 'close')
  assert.deepEqual(problems, [])
  await context.close()
})

test('a language that the host says before hydration is spoken', async () => {
  const { page, context } = await inWebview('good')
  const release = await holdScripts(page)
  await page.goto(`/faq?platform=ios&lang=ru`, { waitUntil: 'commit' })
  await page.locator('script#data').waitFor({ state: 'attached' })
  await page.evaluate(() =>
    dispatchEvent(
      new MessageEvent('message', {
        data: JSON.stringify({ type: 'language', language: 'kk-KZ' }),
        origin: location.origin,
      }),
    ),
  )
  release()
  await page.locator('html[lang="kk"]').waitFor({ state: 'attached' })
  await known(page)
  assert.deepEqual((await calls(page, 'language')).at(-1).params, { language: 'kk' })
  await context.close()
})

test('in a webview the header leads back to the host; taps are felt, scripts are not; language and guest are told', async () => {
  const { page, context, problems } = await inWebview('good')
  await page.goto(`/consent?platform=android&back=${encodeURIComponent(table.qr)}&lang=ru`)
  // A partner's app asks once for the session.
  await page.locator('form[action="/session/consent"] button').first().click()
  await page.waitForURL((url) => url.pathname === `/filials/${table.filial_id}`, { waitUntil: 'commit' })
  await hydrated(page)
  await known(page)
  assert.deepEqual((await calls(page, 'language')).at(-1).params, { language: 'ru' })
  assert.deepEqual((await calls(page, 'userId')).at(-1).params, { id: null })
  const before = (await calls(page, 'haptic')).length
  await page.evaluate(() => document.querySelector('form[data-early] button').click())
  assert.equal((await calls(page, 'haptic')).length, before)
  await addPlain(page, table.plain[0])
  await untilTrue(async () => (await calls(page, 'haptic')).length === before + 1)
  await page.locator('header [data-host]').click()
  await called(page, 'close')
  assert.deepEqual(problems, [])
  await context.close()
})

test('what happens goes to the log of the host once its guest has agreed, and nowhere else', async () => {
  const { page, context, problems } = await inWebview('good')
  const batches = []
  page.on('request', (one) => one.url().endsWith('/events') && batches.push(JSON.parse(one.postData())))
  const logged = async () => (await calls(page, 'log')).map(({ params }) => params)
  const settings = page.waitForRequest((one) => one.url().endsWith('/client-settings'))
  await page.goto(`/consent?platform=android&back=${encodeURIComponent(table.qr)}&lang=ru`)
  await known(page)
  // The script that would report it is there.
  await settings
  await page.clock.fastForward(30_000)
  assert.deepEqual(await logged(), [])
  assert.deepEqual(batches, [])
  await page.locator('form[action="/session/consent"] button').first().click()
  await page.waitForURL((url) => url.pathname === `/filials/${table.filial_id}`, { waitUntil: 'commit' })
  await hydrated(page)
  await known(page)
  await untilTrue(async () => (await logged()).some(({ name }) => name === 'menu_opened'))
  const opened = (await logged()).find(({ name }) => name === 'menu_opened')
  assert.deepEqual(opened, { name: 'menu_opened', params: { venue: table.filial_id } })
  // What the server has seen comes with what the guest does next.
  await addPlain(page, table.plain[0])
  await untilTrue(async () => (await cartOf(page))?.count === 1)
  await page.locator('a[href^="/cart"]:not(.skip):visible').first().click()
  await atUrl(page, /\/cart/)
  await untilTrue(async () => {
    await page.clock.fastForward(11_000)
    return (await logged()).some(({ name }) => name === 'item_added')
  })
  const added = (await logged()).filter(({ name }) => name === 'item_added')
  const params = { venue: table.filial_id, product: table.plain[0].id }
  assert.deepEqual(added, [{ name: 'item_added', params }])
  assert.ok((await logged()).some(({ name }) => name === 'basket_opened'))
  assert.ok(batches.length > 0 && batches.every(({ events }) => events.length === 0))
  assert.deepEqual(problems, [])
  await context.close()
})

for (const [permission, told] of [
  ['granted', ['host-token']],
  ['denied', []],
]) {
  test(`pushes of the host: notifications are ${permission}, and the server knows the token of who has signed in`, async () => {
    const { page, context } = await inWebview('good', {
      good: {
        authorize: { outcome: 'success', trackId: await track() },
        notificationPermission: permission,
        pushToken: { token: 'host-token', analyticDeviceID: 'host-device' },
      },
    })
    const sent = []
    page.on('request', (one) => {
      if (one.url().endsWith('/session/push'))
        sent.push(Object.fromEntries(new URLSearchParams(one.postData())))
    })
    const registered = (token) =>
      page.waitForResponse(
        (one) => one.url().endsWith('/session/push') && one.request().postData().includes(token),
      )
    await page.goto('/consent?platform=android&back=/faq&lang=ru')
    await known(page)
    // Of a stranger the host is asked nothing.
    assert.deepEqual(await calls(page, 'notificationPermission'), [])
    assert.deepEqual(await calls(page, 'pushToken'), [])
    const came = told.length > 0 ? registered(told[0]) : undefined
    // Whom the host knows is signed in then.
    await page.locator('form[action="/session/consent"] button').first().click()
    await page.waitForURL((url) => url.pathname === '/faq', { waitUntil: 'commit' })
    await called(page, 'notificationPermission')
    if (came) assert.equal((await came).status(), 200)
    // One that the host says by itself takes its place.
    const other = registered('newer-token')
    await page.evaluate(() =>
      window.postMessage(
        { type: 'pushToken', token: 'newer-token', analyticDeviceID: 'host-device' },
        location.origin,
      ),
    )
    assert.equal((await other).status(), 200)
    const tokens = [...told, 'newer-token']
    assert.deepEqual(
      sent,
      tokens.map((token) => ({ token, analyticDeviceID: 'host-device' })),
    )
    assert.equal((await calls(page, 'pushToken')).length, told.length)
    const log = await (await fetch(`${product.sandbox}/_sandbox/log`)).json()
    const pushed = log
      .filter(({ path }) => path === '/api/v2/push-gateway/token')
      .map(({ headers }) => headers)
    assert.equal(pushed.at(-1)['x-os'].toLowerCase(), 'android')
    await context.close()
  })
}

test('the host clears its cache: what was kept is gone, the way to the open order stays', async () => {
  const opened = await inWebview('good')
  const { page, context, problems } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang('/cart', 'ru'))
  await known(page)
  await payInCash(page)
  await pressOrder(page)
  await atUrl(page, /\/order\//)
  const order = new URL(page.url()).pathname
  await openHydrated(page, `/filials/${table.filial_id}`)
  await known(page)
  const strip = page.locator('a.strip')
  const leads = async () => new URL(await strip.getAttribute('href'), page.url()).pathname
  assert.equal(await leads(), order)
  await page.evaluate(async () => {
    for (const name of ['records', 'files']) {
      const cache = await caches.open(name)
      await cache.put('/.cached/menu', Response.json({}))
    }
  })
  const reloaded = page.waitForResponse((one) => new URL(one.url()).pathname.startsWith('/_data/filials/'))
  await page.evaluate(() => window.postMessage({ type: 'clearCache' }, location.origin))
  assert.equal((await reloaded).status(), 200)
  assert.deepEqual(await page.evaluate(() => caches.keys()), [])
  assert.equal(await leads(), order)
  await openHydrated(page, `/filials/${table.filial_id}`)
  await strip.click()
  await atUrl(page, (url) => url.pathname === order)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a plain browser fetches nothing of it and has no way to a host', async () => {
  // What only the bridge says: methods that a host is asked, in whichever files the build puts them.
  const ofHost = ({ requests }) => filesWith(requests, /backHandler|locationEnabled/, product.web)
  const hosted = await inWebview('good')
  await openHydrated(hosted.page, '/map?lang=ru')
  await known(hosted.page)
  assert.notDeepEqual(await ofHost(hosted), [])
  await hosted.context.close()

  const plain = await openPage(browser, product, {
    permissions: ['geolocation'],
    geolocation: { latitude: 43.2, longitude: 76.9 },
  })
  const { page, context } = plain
  await openHydrated(page, table.qr)
  await addPlain(page, table.plain[0])
  await untilTrue(async () => (await cartOf(page))?.count === 1)
  assert.equal(await page.locator('[data-host]').count(), 0)
  await atRest(page)
  // Nor where a host would be asked.
  await openHydrated(page, '/map?lang=ru')
  await page.locator(`button[aria-label="${text('ru', 'map.locate')}"]`).click()
  await page.getByLabel(text('ru', 'map.me')).waitFor()
  await begun(page, 'background-')
  assert.deepEqual(await ofHost(plain), [])
  await context.close()
})

test('a page that has ours in a frame is asked at its own origin, and is answered for', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(
    `${partner.origin}/?src=${encodeURIComponent(`${product.web}/filials/${FRIDGE}/barcode-scanner?lang=ru`)}`,
  )
  const frame = await (await page.locator('iframe').elementHandle()).contentFrame()
  await hydrated(frame)
  await frame.waitForSelector('html[data-hosted]')
  await page.evaluate((text) => {
    window.says = { scanBarcode: { outcome: 'success', text, format: 'ean_13' } }
  }, CODE)
  await frame.locator('.scanner form button').click()
  await frame.locator('dialog[open]').waitFor()
  assert.ok((await frame.locator('dialog[open]').innerText()).includes(CODE))
  const told = await page.evaluate(() => window.calls.map(({ method, origin }) => [method, origin]))
  assert.ok(told.length > 0 && told.every(([, origin]) => origin === product.web))
  await context.close()
})

test('developers of a mini-app see console and requests in it, and guests do not', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(`${partner.origin}/?src=${encodeURIComponent(`${product.web}/faq?lang=ru`)}`)
  const frame = await (await page.locator('iframe').elementHandle()).contentFrame()
  await hydrated(frame)
  const says = (key, values) => text('ru', `debug.${key}`, values)
  await frame.locator('.debug-open').click()
  await frame.evaluate(() => {
    console.warn('careful')
    console.error({ phone: '+77010000031' })
  })
  const logs = frame.locator('.debug [role="tabpanel"] li')
  await untilTrue(async () => (await logs.count()) >= 2)
  const seen = (await logs.allInnerTexts()).join('\n')
  assert.match(seen, /\d\d:\d\d:\d\d warn careful/)
  assert.ok(!seen.includes('77010000031'), seen)
  await frame.locator('#debug-network').click()
  await frame.evaluate(() => fetch('/_data/faq?a=&b=0'))
  const row = frame.locator('.debug li', { hasText: '/_data/faq?b=0' })
  await row.locator('summary', { hasText: says('details') }).click()
  await untilTrue(async () => /\d+ мс/.test(await row.innerText()))
  assert.equal(await row.getAttribute('data-status'), 'success')
  await frame.getByRole('button', { name: says('clear') }).click()
  await frame.locator('.debug', { hasText: says('noRequests') }).waitFor()
  await frame.locator('.debug header > .chip').click()
  await frame.locator('.debug-open').waitFor()
  assert.equal(await frame.locator('.debug').count(), 0)
  await context.close()

  const plain = await openPage(browser, product)
  await openHydrated(plain.page, '/faq')
  assert.equal(await plain.page.locator('.debug-open').count(), 0)
  await plain.context.close()
})

const { formatPhone } = await importSource('components/lib/format/phone.ts')

/** Pages with a number to call, and how to get there. */
const CALLED = {
  'details of a venue': ({ page }) => openHydrated(page, inLang(`/filials/${WITH_PHONE}/details`, 'ru')),
  // The fridge of the sandbox names no number: the page is told of one on its way.
  'a fridge': async ({ page }) => {
    await page.route(`**/_data/filials/${FRIDGE}/fridge*`, async (route) => {
      const answer = await route.fetch()
      const told = await answer.json()
      told.page.data.support = { text: '+7 701 000 00 01', href: 'tel:+77010000001' }
      await route.fulfill({ response: answer, json: told })
    })
    await openHydrated(page, inLang(`/filials/${FRIDGE}`, 'ru'))
    await page.locator(`a[href="/filials/${FRIDGE}/fridge"]`).first().click()
    await page.locator('.fridge').waitFor()
  },
  'a booked table': (opened) =>
    bookTable({ opened, table: { filial_id: WITH_PHONE } }, (address) =>
      openHydrated(opened.page, inLang(address, 'ru')),
    ),
  'the courier of an order': async (opened) => {
    const phone = '+77010000092'
    await signIn(opened, { phone })
    const { id } = await buy(product, phone, 'delivery')
    await product.sandboxApi.set('order/status', { order_id: id, status: 'delivery' })
    await openHydrated(opened.page, inLang(`/orders/${id}`, 'ru'))
  },
}

for (const [where, go] of Object.entries(CALLED)) {
  test(`every number that can be called is read beside its sign: ${where}`, async () => {
    // Some webviews know no `tel:`.
    const opened = await inWebview('good')
    const { page, context } = opened
    await go(opened)
    await known(page)
    const called = page.locator('a[href^="tel:"]')
    await called.first().waitFor()
    for (const one of await called.all()) {
      const number = (await one.getAttribute('href')).replace(/\D/g, '')
      assert.ok(number.length >= 10, number)
      // As it is seen: not what only readers of the screen are told.
      const read = await one.evaluate((link) => {
        const shown = link.cloneNode(true)
        for (const hidden of shown.querySelectorAll('.vh')) hidden.remove()
        return shown.textContent
      })
      assert.ok(await one.isVisible())
      assert.ok(plainSpaces(read).includes(formatPhone(`+${number}`)), `in groups: ${read}`)
    }
    await context.close()
  })
}
