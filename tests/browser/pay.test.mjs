/**
 * Paying an order: by card and by QR code, what goes wrong at the bank, Back from it, and what another browser sees.
 * With the scripts and without them.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from './axe.mjs'
import { chooseWay, endPayment, fillRow, pressOrder, signIn, typePhoneAndCode } from './flows.mjs'
import {
  atUrl,
  cartOf,
  dataOf,
  fillCart,
  hydrated,
  inLang,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  plainSpaces,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'ru'
const PAY = /\/pay\/[^/?#]+(\?|$)/
const ORDER = /\/(filials|typ)\/\d+\/order\//
setStage()

const orders = async () => (await product.sandboxApi.orders()).length
/** Without requests to the bank, and without scripts' requests where scripts are off. */
const own = (problems) =>
  problems.filter((one) => !one.includes(product.sandbox) && !one.includes('using link preload'))
const says = (page, key, values) =>
  untilTrue(
    async () =>
      plainSpaces(await page.locator('main').innerText()).includes(plainSpaces(text(lang, key, values))),
    PATIENCE,
    `${key} is told`,
  )

for (const javaScriptEnabled of [true, false]) {
  const how = `(scripts: ${javaScriptEnabled})`
  const visit = (page, address) => (javaScriptEnabled ? openHydrated(page, address) : open(page, address))
  const settled = (page) => (javaScriptEnabled ? hydrated(page) : page.waitForLoadState('domcontentloaded'))

  async function readyCart() {
    const opened = await openPage(browser, product, { javaScriptEnabled })
    // The cart is filled by scripts of the test; without them by its own requests.
    if (javaScriptEnabled) await fillCart(opened, table, table.plain.slice(0, 2))
    else await fillPlainly(opened)
    await visit(opened.page, inLang('/cart', lang))
    return opened
  }

  async function fillPlainly({ page, context }) {
    await open(page, table.qr)
    for (const { id } of table.plain.slice(0, 2)) {
      const form = { filial: table.filial_id, product: id, delta: 1, back: '/cart' }
      const answer = await context.request.post(`${product.web}/cart/lines`, {
        form,
        headers: { origin: product.web },
      })
      assert.ok(answer.ok())
    }
  }

  const countInCart = async ({ context }) => {
    const answer = await context.request.get(`${product.web}/_data/cart`)
    return (await answer.json()).shell.cart?.count ?? 0
  }

  test(`by card over the bank's page to the order ${how}`, async () => {
    const opened = await readyCart()
    const { page, context, problems } = opened
    const before = await orders()
    await chooseWay(page, 'card')
    const button = page.locator('form[action="/orders"] .order button')
    assert.match(plainSpaces(await button.innerText()), /^Оплатить [\d ]+₸$/)
    await chooseWay(page, 'cash')
    assert.match(plainSpaces(await button.innerText()), /наличными/)
    await chooseWay(page, 'card')
    await pressOrder(page)
    await endPayment(page, 'succeeded')
    await atUrl(page, ORDER)
    await settled(page)
    await says(page, 'order.label.created', { payment: 'online' })
    assert.equal(await orders(), before + 1)
    assert.equal(await countInCart(opened), 0)
    assert.deepEqual(own(problems), [])
    await context.close()
  })

  test(`declined, then paid by QR code; the order is the same ${how}`, async () => {
    const opened = await readyCart()
    const { page, context, problems } = opened
    const before = await orders()
    await chooseWay(page, 'card')
    await pressOrder(page)
    await endPayment(page, 'declined')
    await atUrl(page, PAY)
    await settled(page)
    await says(page, 'pay.title.declined')
    assert.equal(await countInCart(opened), 2, 'the cart is kept')
    if (javaScriptEnabled) assert.deepEqual(await violations(page), [])

    await chooseWay(page, 'qr')
    await page.locator('form[action^="/pay/"]:has([name="payment"]) button').click()
    await page.locator('figure img').waitFor()
    await settled(page)
    const code = await context.request.get(
      product.web + (await page.locator('figure img').getAttribute('src')),
    )
    assert.equal(code.headers()['content-type'], 'image/svg+xml')
    const bank = page.getByRole('link', { name: text(lang, 'pay.openApp') })
    const boxes = await Promise.all([bank, page.locator('figure img')].map((one) => one.boundingBox()))
    assert.ok(boxes[0].y < boxes[1].y, 'the link of the phone itself comes first')
    if (javaScriptEnabled) assert.deepEqual(await violations(page), [])
    // Paid in the application, on this page or another: here nothing is pressed.
    const phone = await context.request.post(await bank.getAttribute('href'), {
      form: { outcome: 'succeeded', phone: '1' },
      maxRedirects: 0,
    })
    assert.ok(phone.status() < 400, `${phone.status()}`)
    await atUrl(page, ORDER)
    await settled(page)
    assert.equal(await orders(), before + 1, 'one order')
    assert.equal(await countInCart(opened), 0)
    assert.deepEqual(own(problems), [])
    await context.close()
  })

  test(`declined, then ordered anew in cash: one press to the cart, which has chosen it ${how}`, async () => {
    const opened = await readyCart()
    const { page, context, problems } = opened
    const before = await orders()
    await chooseWay(page, 'card')
    await pressOrder(page)
    await endPayment(page, 'declined')
    await atUrl(page, PAY)
    await settled(page)
    const inCash = page.getByRole('button', { name: text(lang, 'pay.cash') })
    const box = await inCash.boundingBox()
    assert.ok(box.height >= 44, `${box.height} px`)
    await inCash.click()
    await atUrl(page, /\/cart$/)
    await page.locator('form[action="/orders"] .order button').waitFor()
    await page.getByText(text(lang, 'flash.cashChosen')).waitFor()
    assert.equal(await page.locator('input[name="payment"][value="cash"]').isChecked(), true)
    assert.equal(await page.locator('.lines .line').count(), 2, 'its dishes are kept')
    await pressOrder(page)
    await atUrl(page, ORDER)
    assert.equal(await orders(), before + 2)
    assert.equal(await countInCart(opened), 0)
    assert.deepEqual(own(problems), [])
    await context.close()
  })

  test(`Back from the bank neither pays nor orders again, and the order can be called off ${how}`, async () => {
    const opened = await readyCart()
    const { page, context, problems } = opened
    const before = await orders()
    await chooseWay(page, 'card')
    await pressOrder(page)
    await atUrl(page, /\/pay\/card\//)
    // The driver may lose the page for a moment while the process behind it changes.
    for (let tries = 0; tries < 4 && !/\/cart(\?|$)/.test(page.url()); tries++)
      await page.goBack().catch(() => {})
    await atUrl(page, /\/cart(\?|$)/)
    await page.locator('form[action$="/cancel"]').waitFor()
    assert.equal(await page.locator('form[action="/orders"] button').count(), 0, 'nothing to order again')
    assert.equal(await page.locator('.ordered li').count(), 2)
    assert.equal(await page.locator('.lines .line').count(), 0, 'nothing was added since')
    assert.equal(await orders(), before + 1)
    await page.locator('.order a[href^="/pay/"]').click()
    await atUrl(page, PAY)
    await settled(page)
    await says(page, 'pay.title.waiting')

    // Where no scripts run it has an address, which no refresh of the page closes.
    const asks = page.locator('.paying :is(summary, a)', { hasText: text(lang, 'pay.cancel') })
    await asks.click()
    if (!javaScriptEnabled) await page.waitForURL(/step=cancel$/)
    await page.getByRole('button', { name: text(lang, 'pay.cancelSure') }).click()
    await atUrl(page, /\/cart$/)
    await page.locator('form[action="/orders"] button').waitFor()
    await page.getByText(text(lang, 'flash.orderCancelled')).waitFor()
    assert.equal(await page.locator('.lines .line').count(), 2, 'its dishes are kept')
    assert.equal(await countInCart(opened), 2)
    // What is in the cart is another order.
    await chooseWay(page, 'card')
    await pressOrder(page)
    await endPayment(page, 'succeeded')
    await atUrl(page, ORDER)
    assert.equal(await orders(), before + 2)
    assert.deepEqual(own(problems), [])
    await context.close()
  })

  test(`an unpaid order is told in the cart and in the strip, and is called off there ${how}`, async () => {
    const opened = await readyCart()
    const { page, context } = opened
    await chooseWay(page, 'qr')
    await pressOrder(page)
    await atUrl(page, PAY)
    await visit(page, inLang(`/filials/${table.filial_id}`, lang))
    const strip = page.locator('.strip')
    assert.match(await strip.getAttribute('href'), /^\/pay\//)
    await visit(page, '/cart')
    if (javaScriptEnabled) assert.deepEqual(await violations(page), [])
    // What is added now stands apart from it, and leaves without it.
    const [, second, third] = table.plain
    for (const { id } of [second, third]) {
      await context.request.post(`${product.web}/cart/lines`, {
        form: { filial: table.filial_id, product: id, delta: 1, back: '/cart' },
        headers: { origin: product.web },
      })
    }
    await visit(page, '/cart')
    assert.equal(await page.locator('.ordered li').count(), 2)
    const added = page.locator('.lines .line')
    assert.deepEqual(
      await added.evaluateAll((lines) => lines.map((line) => line.querySelector('[data-count]').textContent)),
      ['1', '1'],
    )
    await page.locator('form[action="/cart/clear"] button').press('Enter')
    await untilTrue(async () => (await added.count()) === 0, PATIENCE, 'what was added has left')
    if (javaScriptEnabled) {
      const has = () => page.evaluate(() => document.activeElement.id)
      await untilTrue(async () => (await has()) === 'ordered', PATIENCE, 'the focus is at what is left')
    }
    assert.equal(await page.locator('.ordered li').count(), 2)
    assert.equal(await page.getByText(text(lang, 'cart.empty')).count(), 0)
    await page.locator('form[action$="/cancel"] button').click()
    await page.locator('form[action="/orders"] button').waitFor()
    await page.getByText(text(lang, 'flash.orderCancelled')).waitFor({ state: 'attached' })
    assert.equal(await countInCart(opened), 2)
    await context.close()
  })

  test(`the page opened elsewhere can be paid and shows nothing personal ${how}`, async () => {
    const opened = await readyCart()
    const { page } = opened
    await fillRow(page, 'name', 'Айгүл')
    await fillRow(page, 'comment', 'Тұзсыз')
    await chooseWay(page, 'qr')
    await pressOrder(page)
    await atUrl(page, PAY)
    const address = page.url()
    const other = await openPage(browser, product, { javaScriptEnabled })
    await visit(other.page, inLang(new URL(address).pathname, lang))
    const shown = async () => other.page.content()
    const isBare = async () => {
      const html = await shown()
      for (const secret of ['Айгүл', 'Тұзсыз', 'key=', table.plain[0].name]) {
        assert.ok(!html.includes(secret), secret)
      }
    }
    await isBare()
    assert.equal(await other.page.locator('form[action$="/cancel"]').count(), 0)
    await other.page.getByRole('link', { name: text(lang, 'pay.openApp') }).click()
    await endPayment(other.page, 'succeeded')
    // The bank's application stays open; its link leads back.
    await other.page.locator('main a').click()
    await atUrl(other.page, (url) => url.origin === product.web)
    await settled(other.page)
    await says(other.page, 'pay.title.paid')
    await isBare()
    if (javaScriptEnabled) assert.deepEqual(await violations(other.page), [])
    // The first browser learns of it.
    await atUrl(page, ORDER)
    assert.deepEqual(own(other.problems), [])
    await other.context.close()
    await opened.context.close()
  })

  test(`takeaway asks for a sign-in and comes back to the same cart ${how}`, async () => {
    const opened = await readyCart()
    const { page, context } = opened
    if (javaScriptEnabled) await fillRow(page, 'comment', 'Тұзсыз')
    await context.request.post(`${product.web}/session/service`, {
      form: { service: 'takeaway', back: '/cart' },
      headers: { origin: product.web },
    })
    await context.request.post(`${product.web}/session/table/leave`, {
      form: { back: '/cart' },
      headers: { origin: product.web },
    })
    await visit(page, '/cart')
    await says(page, 'block.signIn')
    assert.equal(await page.locator('form[action="/orders"] button').count(), 0)
    await page.locator('form[action="/session/sign-in"] button').first().click()
    await typePhoneAndCode(page)
    await atUrl(page, /\/cart(\?|$)/)
    await settled(page)
    assert.equal(await page.locator('.lines .line').count(), 2)
    await chooseWay(page, 'cash')
    await pressOrder(page)
    await atUrl(page, ORDER)
    await context.close()
  })
}

test('once it is paid, Back leads neither to the page of the payment nor round to the order', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang(table.qr, lang))
  await page.locator('a[href="/cart"]:not(.skip):visible').first().click()
  await atUrl(page, /\/cart$/)
  await chooseWay(page, 'qr')
  await pressOrder(page)
  await atUrl(page, PAY)
  const bank = page.getByRole('link', { name: text(lang, 'pay.openApp') })
  await context.request.post(await bank.getAttribute('href'), {
    form: { outcome: 'succeeded', phone: '1' },
    maxRedirects: 0,
  })
  await atUrl(page, ORDER)
  await page.locator('header .back').click()
  await atUrl(page, (url) => url.pathname === '/')
  for (const before of [ORDER, /\/cart$/, new RegExp(`/filials/${table.filial_id}\\?`)]) {
    await page.goBack()
    await atUrl(page, before)
    await page.locator('main h1, main .dish, main .empty').first().waitFor()
  }
  await context.close()
})

test('how long the bank waits is counted down and said when little is left; at its end the page asks once', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang('/cart', lang))
  await chooseWay(page, 'qr')
  await pressOrder(page)
  await atUrl(page, PAY)
  // From here on the clocks of the page and of the server go ahead together.
  await page.clock.install()
  let ahead = 0
  const asked = { begun: 0, done: 0 }
  await page.route(/\/_data\/pay\//, async (route) => {
    asked.begun += 1
    const answer = await route.fetch()
    const body = await answer.json()
    if (body.page.route === 'pay') body.page.data.readAt += ahead
    await route.fulfill({ response: answer, json: body })
    asked.done += 1
  })
  const pass = async (ms) => {
    ahead += ms
    await page.clock.fastForward(ms)
  }
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
  const timer = page.getByRole('timer')
  const words = page.locator('.left [role="status"]')
  const left = (minutes, seconds = '\\d+') => {
    const said = text(lang, 'pay.left', { minutes, seconds })
    return timer.getByText(new RegExp(said.replace(/\s+/g, '\\s'))).waitFor()
  }
  await left('1\\d')
  assert.equal(await words.innerText(), '')
  const { until, readAt } = (await dataOf(page)).page.data
  await pass(until - readAt - 59_000)
  await left('0')
  await words.getByText(text(lang, 'pay.soonOver')).waitFor()
  assert.deepEqual(await violations(page), [])

  // Out of sight it does not ask by itself: what comes at the end is the end's.
  const show = (hidden) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await show(true)
  await untilTrue(() => asked.begun === asked.done)
  const before = asked.begun
  await pass(60_000)
  await untilTrue(() => asked.done > before)
  await left('0', '0')
  await pass(10_000)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  assert.equal(asked.begun, before + 1, 'the bank may still wait')
  const [{ id }] = await product.sandboxApi.get('payments')
  await product.sandboxApi.set('payment', { payment_id: id, outcome: 'timed_out' })
  await show(false)
  await says(page, 'pay.title.timedOut')
  assert.deepEqual(own(problems), [])
  await context.close()
})

/** An address of the guest's profile near a venue, kept with the upstream. */
async function saveAddress(phone) {
  const ask = async (path, body, headers = {}) => {
    const answer = await fetch(`${product.sandbox}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    })
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return answer.json()
  }
  const { data } = await ask(`/takeaway/locations/card/terminal/${deliveryVenue()}`)
  const { latitude, longitude } = data.coordinates
  const track = await ask('/api/v1/oauth2/tracks', { phone, code: '1234' })
  const grant = { client_id: 'web', grant_type: 'authorization_track_id', track_id: track.data.id }
  const { access_token } = await ask('/api/v2/oauth2/tokens', grant)
  const address = {
    name: 'Үй',
    address: 'Абай даңғылы, 10',
    city: 'Алматы',
    street: 'Абай даңғылы',
    building: '10',
    entrance: '',
    floor: '',
    apartment: '',
    is_private_house: true,
    comment: '',
    latitude: latitude + 0.01,
    longitude,
  }
  await ask('/profile/api/v1/address', address, { authorization: `Bearer ${access_token}` })
}

/** Where the dishes of the table's venue are brought from. */
const deliveryVenue = () =>
  table.data.venue.siblings.find(({ service }) => service === 'delivery')?.id ?? table.filial_id

for (const javaScriptEnabled of [true, false]) {
  test(`a delivery: sign-in, the address, and paid by card, with nothing lost (scripts: ${javaScriptEnabled})`, async () => {
    await saveAddress('+77010000031')
    const opened = await openPage(browser, product, { javaScriptEnabled })
    const { page, context, problems } = opened
    const settled = () => (javaScriptEnabled ? hydrated(page) : page.waitForLoadState('domcontentloaded'))
    const filial = deliveryVenue()
    await open(page, inLang(`/filials/${filial}`, lang))
    const menu = await (await context.request.get(`${product.web}/_data/filials/${filial}`)).json()
    const dish = menu.page.data.categories
      .flatMap(({ products }) => products)
      .find(({ out, options, price }) => !out && !options && price > 0)
    // More than the least order, and no more than a guest may take.
    const delta = Math.ceil(600_000 / dish.price)
    await context.request.post(`${product.web}/cart/lines`, {
      form: { filial, product: dish.id, delta, back: '/cart' },
      headers: { origin: product.web },
    })
    await open(page, '/cart')
    await settled()
    await says(page, 'block.signIn')
    await page.locator('form[action="/session/sign-in"] button').first().click()
    await typePhoneAndCode(page)
    await atUrl(page, /\/cart(\?|$)/)
    await settled()
    await page.locator('.tariffs li').first().waitFor()
    const confirm = page.locator('form[action="/addresses/confirm"] button')
    await confirm.click()
    await confirm.waitFor({ state: 'detached' })
    await chooseWay(page, 'cash')
    await says(page, 'cart.cashHint', { to: 'courier' })
    await chooseWay(page, 'card')
    const before = await orders()
    await pressOrder(page)
    await endPayment(page, 'succeeded')
    await atUrl(page, ORDER)
    assert.equal(await orders(), before + 1)
    const [order] = await product.sandboxApi.orders()
    assert.match(JSON.stringify(order), /delivery/)
    assert.deepEqual(own(problems), [])
    await context.close()
  })
}

test('what was typed is there again after the sign-in, and the name of the profile need not be typed', async () => {
  const profile = await openPage(browser, product)
  await signIn(profile)
  await openHydrated(profile.page, inLang('/profile/form', lang))
  await profile.page.locator('input[name="name"]').fill('Дана')
  await profile.page.locator('form[action="/profile/form"] button[type="submit"]').first().click()
  await atUrl(profile.page, /\/profile(\?|$)/)
  await profile.context.close()

  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang('/cart', lang))
  await fillRow(page, 'comment', 'Тұзсыз')
  await chooseWay(page, 'qr')
  await page.locator('form[action="/session/table/leave"] button').click()
  await page.locator('.switch button[value="takeaway"]').click()
  await says(page, 'block.signIn')
  assert.ok(await page.locator('textarea[name="comment"]').isHidden())
  await page.locator('form[action="/session/sign-in"] button').first().click()
  await typePhoneAndCode(page)
  await atUrl(page, /\/cart(\?|$)/)
  await hydrated(page)
  const comment = page.locator('textarea[name="comment"]')
  await untilTrue(async () => (await comment.inputValue()) === 'Тұзсыз', PATIENCE, 'the comment is back')
  assert.ok(await page.locator('input[name="payment"][value="qr"]').isChecked())
  assert.equal(await page.locator('input[name="name"]').inputValue(), 'Дана')
  assert.equal((await cartOf(page)).count, 1)
  assert.deepEqual(own(problems), [])
  await context.close()
})
