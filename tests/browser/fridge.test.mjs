/**
 * A fridge with scripts: its page follows the door by itself, and one press is one door (BC-05, BC-14). The whole way
 * without them, and whom to call (BC-04, BC-06, TX-15).
 */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { signIn, typePhoneAndCode } from './flows.mjs'
import {
  atUrl,
  cartOf,
  open as goTo,
  holdScripts,
  hydrated,
  inLang,
  openHydrated,
  openPage,
  PATIENCE,
  pageData,
  plainSpaces,
  putOff,
  text,
  unexpected,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

const FRIDGE = 1201
const OTHER = 1023
const PAGE = `/filials/${FRIDGE}/fridge`

setStage({ withTable: false })

// Each guest finds a fridge that no other has open.
beforeEach(async () => {
  await product.sandboxApi.set('door', { filial_id: FRIDGE, event: 'lost' }).catch(() => null)
})

async function guestAt(phone) {
  const opened = await openPage(browser, product)
  await signIn(opened, { phone })
  await openHydrated(opened.page, inLang(PAGE, 'kk'))
  return opened
}

const state = (page, name) => page.locator(`.fridge[data-state="${name}"]`).waitFor()
const open = (page) => page.locator('form[action="/fridge/open"] button').click()

/**
 * The question says why it is asked and nothing else is said behind it, least of all in red. A yes leads back to the
 * button that opens, which has the focus: the door opens by another press (BC-05, BC-13).
 */
async function answerAge(page) {
  await atUrl(page, /\/age\?/)
  await page.getByText(text('kk', 'age.door')).waitFor()
  // One way out, which leads back.
  assert.equal(await page.locator('header .back').count(), 0)
  assert.equal((await page.locator('form:has(> .close) input[name="back"]').inputValue()).split('#')[0], PAGE)
  assert.equal(await page.locator('[data-bad], .toast').count(), 0)
  await page.locator('form:has(input[value="yes"]) button').click()
  await atUrl(page, (url) => url.pathname === PAGE)
  await page.locator('form[action="/fridge/open"] button:focus').waitFor()
}

test('the question of age comes before the lock, then the page follows the door to the order', async () => {
  const { sandboxApi } = product
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'slow' })
  const { page, context, problems } = await guestAt('+77010000081')
  await open(page)
  await answerAge(page)
  // The page says that it opens as soon as it is asked to; the lock has heard of it with the answer.
  const answered = page.waitForResponse((one) => new URL(one.url()).pathname === '/fridge/open')
  await open(page)
  await answered
  // On a slow machine the lock is late before the first look: it may still open.
  await page.locator('.fridge:is([data-state="opening"], [data-state="failed"])').waitFor()
  // Nothing is pressed from here on: the page asks by itself.
  await sandboxApi.set('door', { filial_id: FRIDGE, event: 'opens' })
  await state(page, 'open')
  await sandboxApi.set('door', { filial_id: FRIDGE, event: 'stays' })
  await page.getByText(text('kk', 'fridge.long')).waitFor()
  await page.getByRole('button', { name: text('kk', 'fridge.shut') }).click()
  await state(page, 'settled')
  // A purchase that is over is not what is told first when the next one fails.
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'broken' })
  await page.getByRole('button', { name: text('kk', 'fridge.openAgain') }).click()
  const alert = page.locator('.fridge .card > [role="alert"]:first-child')
  await alert.getByText(text('kk', 'errors.fridgeFailed')).waitFor()
  await state(page, 'settled')
  await page.getByRole('button', { name: text('kk', 'fridge.openAgain') }).waitFor()
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'works' })
  assert.deepEqual(unexpected(problems, { problem: /422/ }), [])
  await context.close()
})

test('a lock that fails says so beside its button, which tries again', async () => {
  const { sandboxApi } = product
  const { page, context, web } = await guestAt('+77010000082')
  await context.request.post(`${web}/session/age`, { form: { answer: 'yes' }, headers: { origin: web } })
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'broken' })
  await open(page)
  await page.getByRole('alert').getByText(text('kk', 'errors.fridgeFailed')).waitFor()
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'works' })
  await page.getByRole('button', { name: text('kk', 'app.retry') }).click()
  await state(page, 'open')
  await context.close()
})

test('a door that has failed three times offers a call, by the number as it is written everywhere', async () => {
  const { sandboxApi } = product
  const { page, context, web } = await guestAt('+77010000187')
  await context.request.post(`${web}/session/age`, { form: { answer: 'yes' }, headers: { origin: web } })
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'broken' })
  const call = page.locator('.note a[href^="tel:"]')
  for (let press = 1; press <= 3; press += 1) {
    assert.equal(await call.count(), 0, `before press ${press}`)
    await open(page)
    await page.locator(press === 3 ? '.note a[href^="tel:"]' : '[role="alert"]').waitFor()
    await page.locator('form[action="/fridge/open"] button:not([aria-busy])').waitFor()
  }
  const [href, shown] = [await call.getAttribute('href'), await call.innerText()]
  assert.match(plainSpaces(shown), /\+7 \d{3} \d{3} \d\d \d\d$/)
  assert.equal(shown.replace(/\D/g, ''), href.replace(/\D/g, ''))
  await page.getByText(text('kk', 'fridge.callText')).waitFor()
  // It is still there after a load, and goes with a door that opens.
  await openHydrated(page, inLang(PAGE, 'kk'))
  await call.waitFor()
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'works' })
  await context.close()
})

test('a guest who has opened too often sees when it can be tried again, counted down, and then can', async () => {
  const { sandboxApi } = product
  const { page, context, web } = await guestAt('+77010000188')
  await context.request.post(`${web}/session/age`, { form: { answer: 'yes' }, headers: { origin: web } })
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'broken' })
  await page.clock.install()
  const button = page.locator('form[action="/fridge/open"] button')
  for (let press = 1; press <= 4; press += 1) {
    await open(page)
    await page.locator('.fridge [role="alert"]').waitFor()
    await page.locator('form[action="/fridge/open"] button:not([aria-busy])').waitFor()
  }
  await page.getByRole('alert').getByText(text('kk', 'fridge.often')).waitFor()
  const wait = page.locator('#often')
  const seconds = async () => Number(/\d+/.exec(await wait.innerText())[0])
  const first = await seconds()
  assert.ok(first > 3 && first <= 60, `${first} s`)
  assert.equal(
    plainSpaces(await wait.innerText()),
    plainSpaces(text('kk', 'fridge.oftenIn', { count: first })),
  )
  await page.clock.runFor(3_000)
  await untilTrue(async () => (await seconds()) <= first - 3, PATIENCE, 'it counts down')
  assert.equal(await button.getAttribute('aria-disabled'), 'true')
  assert.equal(await button.getAttribute('aria-describedby'), 'often')
  await page.clock.runFor(first * 1_000)
  await page.getByRole('status').getByText(text('kk', 'fridge.oftenOver')).waitFor()
  assert.equal(await button.getAttribute('aria-disabled'), null)
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'works' })
  await context.close()
})

test('a door that was pressed without a network does not open by itself once it is back', async () => {
  const { sandboxApi } = product
  const { page, context, web } = await guestAt('+77010000089')
  await context.request.post(`${web}/session/age`, { form: { answer: 'yes' }, headers: { origin: web } })
  const openings = async () => {
    const calls = await sandboxApi.log()
    return calls.filter((call) => call.path === '/smart-lock/v1/open-lock').length
  }
  const before = await openings()
  await context.setOffline(true)
  await open(page)
  await page.getByRole('alert').getByText(text('kk', 'fridge.noNetwork')).waitFor()
  await context.setOffline(false)
  await page.getByText(text('kk', 'fridge.noNetwork')).waitFor({ state: 'detached' })
  // As long as a change is tried again that may be.
  await page.waitForTimeout(8000)
  assert.equal(await openings(), before)
  await state(page, 'ready')
  await open(page)
  await state(page, 'open')
  assert.equal(await openings(), before + 1)
  await context.close()
})

test('a fridge that another guest has open is in use, whatever it was for this guest before', async () => {
  const { sandboxApi } = product
  const [first, second] = [await guestAt('+77010000090'), await guestAt('+77010000091')]
  for (const { context, web } of [first, second])
    await context.request.post(`${web}/session/age`, { form: { answer: 'yes' }, headers: { origin: web } })
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'broken' })
  await open(second.page)
  await second.page.getByRole('alert').getByText(text('kk', 'errors.fridgeFailed')).waitFor()
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'works' })
  await open(first.page)
  await state(first.page, 'open')
  await open(second.page)
  await second.page.getByRole('heading', { name: text('kk', 'fridge.busy') }).waitFor()
  await second.page.getByRole('status').getByText(text('kk', 'errors.fridgeBusy')).waitFor()
  assert.equal(await second.page.getByText(text('kk', 'errors.fridgeFailed')).count(), 0)
  assert.equal(await second.page.getByRole('alert').count(), 0)
  for (const { context } of [first, second]) await context.close()
})

test('a slow lock that is pressed again is shown as opening, and a lost door is said with what was taken', async () => {
  const { sandboxApi } = product
  const { page, context, web } = await guestAt('+77010000088')
  await context.request.post(`${web}/session/age`, { form: { answer: 'yes' }, headers: { origin: web } })
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'slow' })
  await open(page)
  await state(page, 'failed')
  await page.getByRole('button', { name: text('kk', 'app.retry') }).click()
  await state(page, 'opening')
  await sandboxApi.set('door', { filial_id: FRIDGE, event: 'opens' })
  await state(page, 'open')
  await sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'works' })
  await sandboxApi.set('door', { filial_id: FRIDGE, event: 'lost' })
  await page.getByRole('status').getByText(text('kk', 'fridge.lost')).waitFor()
  await page.getByRole('button', { name: text('kk', 'fridge.openAgain') }).click()
  await state(page, 'open')
  await context.close()
})

/** What is sold in the fridge: the upstream's word on it. */
async function aGood() {
  const { sandboxApi } = product
  const found = await sandboxApi.upstream(
    `/menu/v3/search/products?query=${encodeURIComponent('сэндвич')}&kind=good`,
  )
  return found.data.find((one) => one.location.filial_id === FRIDGE).product
}

for (const javaScriptEnabled of [true, false]) {
  test(`whom to call stands on the page, however the lock is (scripts: ${javaScriptEnabled})`, async () => {
    const { page, context, web } = await openPage(browser, product, { javaScriptEnabled })
    const number = async () => {
      const link = page.locator('.help a[href^="tel:"]')
      await link.waitFor()
      const [href, shown] = [await link.getAttribute('href'), await link.innerText()]
      assert.match(href, /^tel:\+\d{11,15}$/)
      // Some webviews know no `tel:`: the number is read as well.
      assert.equal(shown.replace(/\D/g, ''), href.replace(/\D/g, ''))
      return href
    }
    await goTo(page, inLang(PAGE, 'kk'))
    const before = await number()
    await signIn({ context, web }, { phone: javaScriptEnabled ? '+77010000083' : '+77010000084' })
    await context.request.post(`${web}/session/age`, { form: { answer: 'yes' }, headers: { origin: web } })
    await product.sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'jammed' })
    await goTo(page, inLang(PAGE, 'kk'))
    assert.equal(await number(), before)
    await open(page)
    await state(page, 'failed')
    assert.equal(await number(), before)
    await product.sandboxApi.set('lock', { filial_id: FRIDGE, lock: 'works' })
    await context.close()
  })
}

test('with scripts off: sign-in, age, the door, a scanner that leads to typing, a good, and the door is shut', async () => {
  const { sandboxApi } = product
  const good = await aGood()
  const before = (await sandboxApi.orders()).length
  const { page, context, problems } = await openPage(browser, product, { javaScriptEnabled: false })
  await goTo(page, inLang(PAGE, 'kk'))
  await page.locator('form[action="/session/sign-in"] button').click()
  await typePhoneAndCode(page)
  await atUrl(page, (url) => url.pathname === PAGE)
  await open(page)
  await answerAge(page)
  await state(page, 'ready')
  await open(page)
  await state(page, 'open')

  // Without scripts there is no camera, nothing that looks like one, and one way: typing.
  await page.locator('.fridge-ways a[href$="/barcode-scanner"]').click()
  await atUrl(page, (url) => url.pathname.endsWith('/barcode-scanner'))
  assert.equal(await page.locator('.finder').isVisible(), false)
  assert.equal(await page.getByText(text('kk', 'scan.idle')).isVisible(), false)
  // The reason is told, and what to do instead.
  await page.locator('.scanner noscript').waitFor()
  const said = plainSpaces(await page.locator('.scanner').innerText())
  for (const key of ['scan.noScripts', 'camera.type']) assert.ok(said.includes(text('kk', key)), said)
  const button = page.locator('.scanner .button')
  assert.equal(plainSpaces(await button.innerText()), plainSpaces(text('kk', 'barcode.type')))
  await button.click()
  await atUrl(page, (url) => url.pathname.endsWith('/barcode-manual'))

  const field = page.locator('input[name="code"]')
  for (const [code, outcome] of [
    ['48700', 'incomplete'],
    ['0000000000000', 'notFound'],
    [good.barcode, 'found'],
  ]) {
    await field.fill(code)
    await page.locator('.barcode form[method="get"] button').click()
    await atUrl(page, (url) => url.searchParams.get('code') === code)
    await page
      .getByText(text('kk', `barcode.${outcome}`))
      .first()
      .waitFor()
    // What led to nothing stays, to be corrected.
    assert.equal(await field.inputValue(), code)
  }
  const dish = page.locator('.dishes li').first()
  assert.equal(await dish.locator('h3').innerText(), good.product_name)
  await dish.locator('button[value="1"]').click()
  await dish.locator('.minus').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('code'), good.barcode, 'the guest stays where they were')

  await page.locator('.barcode-ways a[href$="/fridge"]').click()
  await state(page, 'open')
  assert.ok(plainSpaces(await page.locator('.taken').innerText()).includes(good.product_name))
  await page.getByRole('button', { name: text('kk', 'fridge.close') }).click()
  await state(page, 'settled')
  await untilTrue(
    async () => (await sandboxApi.orders()).length === before + 1,
    PATIENCE,
    'one order of what was taken',
  )
  await page.locator('.fridge a.button[href^="/orders/"]').waitFor()
  assert.deepEqual(unexpected(problems, { problem: /oauth2|foreign request/ }), [])
  await context.close()
})

for (const javaScriptEnabled of [true, false]) {
  test(`what is put back leaves the list before the door is shut (scripts: ${javaScriptEnabled})`, async () => {
    const { sandboxApi } = product
    const good = await aGood()
    const before = (await sandboxApi.orders()).length
    const opened = await openPage(browser, product, { javaScriptEnabled })
    const { page, context, web, problems } = opened
    await signIn(opened, { phone: javaScriptEnabled ? '+77010000085' : '+77010000086' })
    const post = (path, form) => context.request.post(web + path, { form, headers: { origin: web } })
    await post('/session/age', { answer: 'yes' })
    await post('/fridge/open', { filial: FRIDGE })
    await post('/cart/lines', { filial: FRIDGE, product: good.product_id, delta: 3 })
    if (javaScriptEnabled) await openHydrated(page, inLang(PAGE, 'kk'))
    else await goTo(page, inLang(PAGE, 'kk'))
    const line = page.locator('.taken li')
    const total = async () => plainSpaces(await page.locator('.taken > p').innerText())
    const first = await total()
    await line.locator('.minus').click()
    await untilTrue(async () => (await line.locator('[data-count]').innerText()) === '2')
    await untilTrue(async () => (await total()) !== first)
    // The plus is for one more of the same.
    await line.locator('.plus').click()
    await untilTrue(async () => (await total()) === first)
    await line.locator('.remove button').click()
    await page.getByText(text('kk', 'fridge.nothing')).waitFor()
    assert.equal(await line.count(), 0)
    // The row that had the focus is gone: the list has it.
    if (javaScriptEnabled) await page.locator('.fridge h3:focus').waitFor()
    await page.getByRole('button', { name: text('kk', 'fridge.shut') }).click()
    await state(page, 'settled')
    await page.getByText(text('kk', 'fridge.settledNothing')).waitFor()
    assert.equal((await sandboxApi.orders()).length, before)
    assert.deepEqual(unexpected(problems, { problem: /oauth2|foreign request/ }), [])
    await context.close()
  })
}

test('what is put back before hydration goes with the taps before it', async () => {
  const good = await aGood()
  const opened = await openPage(browser, product)
  const { page, context, web } = opened
  await signIn(opened, { phone: '+77010000087' })
  const post = (path, form) => context.request.post(web + path, { form, headers: { origin: web } })
  await post('/session/age', { answer: 'yes' })
  await post('/fridge/open', { filial: FRIDGE })
  await post('/cart/lines', { filial: FRIDGE, product: good.product_id, delta: 3 })
  // How long taps wait for the app before they go as a form.
  await putOff(page, [2000])
  const release = await holdScripts(page)
  await page.goto(inLang(PAGE, 'kk'), { waitUntil: 'commit' })
  const line = page.locator('.taken li')
  await line.locator('.plus').click()
  await line.locator('.remove button').click()
  release()
  await hydrated(page)
  await page.getByText(text('kk', 'fridge.nothing')).waitFor()
  await untilTrue(async () => !(await cartOf(page))?.count, PATIENCE, 'nothing is left')
  await context.close()
})

test('a barcode is typed without scripts in a shop that was not opened, and its scanner leads there', async () => {
  const good = await aGood()
  const { page, context, problems } = await openPage(browser, product, { javaScriptEnabled: false })
  await goTo(page, inLang(`/filials/${FRIDGE}/barcode-scanner`, 'kk'))
  await page.locator('.scanner .button').click()
  await atUrl(page, (url) => url.pathname === `/filials/${FRIDGE}/barcode-manual`)
  await page.locator('input[name="code"]').fill(good.barcode)
  await page.keyboard.press('Enter')
  await page.getByText(text('kk', 'barcode.found')).waitFor()
  await page.locator('.dishes button[value="1"]').click()
  await page.locator('.dishes .minus').waitFor()
  await page.locator('.bar').waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test('a cart of another venue says whose it is', async () => {
  const { page, context, web } = await openPage(browser, product)
  const menu = await (await context.request.get(`${web}/_data/filials/${OTHER}`)).json()
  const dish = menu.page.data.categories
    .flatMap(({ products }) => products)
    .find(({ out, options }) => !out && !options)
  await context.request.post(`${web}/cart/lines`, {
    form: { filial: OTHER, product: dish.id, delta: 1, back: '/' },
    headers: { origin: web },
  })
  await openHydrated(page, inLang(`/filials/${FRIDGE}`, 'kk'))
  const { name } = menu.page.data.venue
  assert.equal(await page.locator('.bar span:first-of-type > small').innerText(), name)
  await openHydrated(page, inLang(`/filials/${OTHER}`, 'kk'))
  assert.ok(!(await page.locator('.bar').innerText()).includes(name))
  await context.close()
})

test('the sheet of a good of a fridge asks for no wish to a kitchen', async () => {
  const { page, context } = await openPage(browser, product)
  const menu = await pageData(product.web, `/filials/${FRIDGE}`)
  const good = menu.page.data.categories
    .flatMap(({ products }) => products)
    .find(({ out, age }) => !out && !age)
  await openHydrated(page, `/filials/${FRIDGE}?item=${good.id}`)
  await page.locator('.cta .button').waitFor()
  assert.equal(await page.locator('[name="note"]').count(), 0)
  await context.close()
})
