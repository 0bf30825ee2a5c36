/** What the server refuses is told where the guest looks, with a way on: another venue, early taps, what has sold out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseDish, openLine, signIn } from './flows.mjs'
import {
  addPlain,
  atRest,
  cartOf,
  fillCart,
  holdScripts,
  hydrated,
  inLang,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  pageData,
  pause,
  plainSpaces,
  putOff,
  qrPath,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { placeOrder } from './states.mjs'

const lang = 'kk'
const menu = (id) => inLang(`/filials/${id}`, lang)
let other

setStage({
  // What the sandbox changes is seen at once.
  args: ['--catalogue-fresh-ms', '1', '--page-fresh-ms', '0'],
  async prepare() {
    other = await findOther()
  },
})

/** Another open venue with plain dishes. */
async function findOther() {
  for (const one of await product.sandboxApi.tables()) {
    if (one.country !== 'kz' || one.filial_id === table.filial_id) continue
    const { page } = await pageData(product.web, inLang(qrPath(one), lang))
    if (page.route !== 'menu' || !page.data.venue.open.open) continue
    if (page.data.venue.name === table.data.venue.name) continue
    const plain = page.data.categories
      .flatMap(({ products }) => products)
      .filter((dish) => !dish.out && !dish.options && !dish.age && !dish.unpriced)
    const dishes = [...new Map(plain.map((dish) => [dish.id, dish])).values()]
    if (dishes.length >= 3) return { id: one.filial_id, dishes }
  }
  throw new Error('no other venue')
}

const row = (page, dish) => page.locator(`.dishes > .dish:has(a[href$="item=${dish.id}"])`).first()
const news = (page) => page.locator('.toast[data-stays]')
const asks = () => text(lang, 'errors.otherVenue', { venue: table.data.venue.name })
const question = (page) => page.locator('dialog.ask')
const replace = { name: text(lang, 'dish.replace') }
const says = (locator, words) =>
  untilTrue(
    async () => plainSpaces((await locator.allInnerTexts()).join(' ')).includes(plainSpaces(words)),
    PATIENCE,
    words,
  )
const linesOf = async (page) => (await cartOf(page))?.lines.map(({ productId, qty }) => [productId, qty])
const becomes = (page, lines) =>
  untilTrue(
    async () => JSON.stringify(await linesOf(page)) === JSON.stringify(lines),
    PATIENCE,
    JSON.stringify(lines),
  )

/** Taps are posted as a form after two seconds without scripts: on a busy machine hydration comes later. */
const waitForScripts = (page) => putOff(page, [2000])

/** Opens a page and taps before hydration. */
async function tapEarly(page, address, dishes) {
  await waitForScripts(page)
  const release = await holdScripts(page)
  await page.goto(address, { waitUntil: 'commit' })
  for (const dish of dishes) await addPlain(page, dish)
  release()
  await hydrated(page)
}

test('the dish of another venue asks in a sheet, and by keyboard the cart makes way for it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const [dish] = other.dishes
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, menu(other.id))
  await row(page, dish).locator('.plus').focus()
  await page.keyboard.press('Enter')
  const alert = question(page)
  await says(alert, asks())
  await alert.getByRole('button', replace).waitFor()
  assert.equal(await alert.evaluate((dialog) => dialog.matches(':modal')), true)
  assert.equal(await news(page).count(), 0, 'it is told once')
  assert.deepEqual(
    await linesOf(page),
    [[table.plain[0].id, 1]],
    'nothing is dropped before the guest agrees',
  )
  // What loses nothing comes first.
  for (const answer of [text(lang, 'dish.keep'), replace.name]) {
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement.textContent), answer)
  }
  await page.keyboard.press('Enter')
  await becomes(page, [[dish.id, 1]])
  await untilTrue(async () => (await alert.count()) === 0)
  assert.equal(await page.evaluate(() => document.activeElement.className), 'plus')
  await context.close()
})

test('the two answers look alike, and a guest who keeps the cart is asked again by the next tap', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, menu(other.id))
  const looks = (button) =>
    button.evaluate((one) => {
      const { backgroundColor, color, fontSize, fontWeight } = getComputedStyle(one)
      return [backgroundColor, color, fontSize, fontWeight, one.getBoundingClientRect().width]
    })
  const buttons = question(page).getByRole('button')
  // What keeps the cart sends nothing: it needs no network.
  const offline = async () => {
    await context.setOffline(true)
    await buttons.nth(0).click()
    await untilTrue(async () => (await question(page).count()) === 0)
    await context.setOffline(false)
  }
  for (const close of [() => buttons.nth(0).click(), () => page.keyboard.press('Escape'), offline]) {
    await row(page, other.dishes[0]).locator('.plus').click()
    await buttons.nth(1).waitFor()
    await page.mouse.move(0, 0)
    assert.equal(await buttons.count(), 2)
    assert.deepEqual(await looks(buttons.nth(0)), await looks(buttons.nth(1)))
    await close()
    await untilTrue(async () => (await question(page).count()) === 0)
    assert.equal(await page.evaluate(() => document.activeElement.className), 'plus')
    assert.deepEqual(await linesOf(page), [[table.plain[0].id, 1]])
  }
  await context.close()
})

test('quick taps on a dish of another venue are asked about once, and all of them go with the yes', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const [dish] = other.dishes
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, menu(other.id))
  for (const answer of [text(lang, 'dish.keep'), replace.name]) {
    // The later ones wait behind the first, as on a slow network.
    const { promise: tapped, resolve: release } = Promise.withResolvers()
    await page.route('**/cart/lines*', async (route) => {
      await tapped
      await route.continue()
    })
    for (let each = 0; each < 3; each++) await row(page, dish).locator('.plus').click()
    release()
    await question(page).getByRole('button', { name: answer }).click()
    await untilTrue(async () => (await question(page).count()) === 0)
    await page.unroute('**/cart/lines*')
  }
  await becomes(page, [[dish.id, 3]])
  await context.close()
})

/** What of a button's look says which answer is wanted. */
const looksOf = (buttons) =>
  buttons.evaluateAll((all) =>
    all.map((one) => {
      const { backgroundColor, color, fontSize, fontWeight } = getComputedStyle(one)
      return [backgroundColor, color, fontSize, fontWeight, Math.round(one.getBoundingClientRect().width)]
    }),
  )

for (const scripts of [true, false]) {
  const how = scripts ? 'with' : 'without'
  test(`the sheet of a dish of another venue asks by two equal answers, ${how} scripts`, async () => {
    const opened = await openPage(browser, product, { javaScriptEnabled: scripts })
    const { page, context } = opened
    const cart = async () => {
      const answer = await context.request.get(`${product.web}/_data/cart`)
      return ((await answer.json()).shell.cart?.lines ?? []).map(({ productId, qty }) => [productId, qty])
    }
    await open(page, table.qr)
    await addPlain(page, table.plain[0])
    await untilTrue(async () => (await cart()).length === 1, PATIENCE, 'the first dish')
    const [dish] = other.dishes
    const sheet = inLang(`/filials/${other.id}?item=${dish.id}`, lang)
    const answers = page.locator('.cta > .button')
    async function ask(more = 0) {
      await (scripts ? openHydrated(page, sheet) : open(page, sheet))
      for (let each = 0; each < more; each++) await page.locator('.cta .plus').click()
      await answers.click()
      await says(page.locator('.cta [role="alert"]'), asks())
      assert.deepEqual(await answers.allInnerTexts(), [text(lang, 'dish.keep'), replace.name])
      // What is under the pointer looks pressed.
      await page.mouse.move(0, 0)
      await untilTrue(async () => {
        const [yes, no] = await looksOf(answers)
        return JSON.stringify(yes) === JSON.stringify(no)
      })
    }
    const before = await cart()
    await ask(scripts ? 1 : 0)
    await answers.nth(0).click()
    await untilTrue(async () => (await page.locator('dialog.sheet, dialog[open]').count()) === 0)
    assert.deepEqual(await cart(), before, 'the cart is kept')
    // What was chosen is still chosen.
    await ask()
    await answers.nth(1).click()
    await untilTrue(async () => (await cart())[0]?.[0] === dish.id, PATIENCE, 'it has made way')
    assert.deepEqual(await cart(), [[dish.id, scripts ? 2 : 1]], 'for as many as were asked for')
    await context.close()
  })

  test(`an order to repeat asks by two equal answers before another cart makes way, ${how} scripts`, async () => {
    const opened = await openPage(browser, product)
    await placeOrder({ product, table, lang, opened })
    const address = opened.page.url()
    const state = await opened.context.storageState()
    await opened.context.close()
    await product.sandboxApi.set('order/status', {
      order_id: decodeURIComponent(new URL(address).pathname.split('/').at(-1)),
      status: 'completed',
    })
    const { page, context } = await openPage(browser, product, {
      javaScriptEnabled: scripts,
      storageState: state,
    })
    await open(page, menu(other.id))
    if (scripts) await hydrated(page)
    await row(page, other.dishes[0]).locator('.plus').click()
    await page.locator('a.bar').waitFor()
    await (scripts ? openHydrated(page, address) : open(page, address))
    await page.locator('form.repeat button').click()
    const answers = page.locator(scripts ? 'form.repeat .button' : '.notes .button')
    await answers.nth(1).waitFor()
    const [yes, no, ...more] = await looksOf(answers)
    assert.deepEqual(more, [])
    assert.deepEqual(yes.slice(0, 4), no.slice(0, 4))
    const [one, two] = await answers.evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect().toJSON()),
    )
    assert.ok(two.left - one.right >= 8 || two.top - one.bottom >= 8, 'they do not touch')
    await answers.nth(1).click()
    await untilTrue(async () => {
      const answer = await context.request.get(`${product.web}/_data/cart`)
      return (await answer.json()).shell.cart?.venueId === table.filial_id
    })
    await context.close()
  })
}

test('pressed by a finger the question does not open the dish under it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, menu(other.id))
  await row(page, other.dishes[1]).locator('.plus').click()
  await question(page).getByRole('button', replace).click()
  await becomes(page, [[other.dishes[1].id, 1]])
  assert.doesNotMatch(page.url(), /item=/)
  await context.close()
})

test('early taps on dishes of another venue ask above the page, and all of them go with the yes', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const [first, second] = other.dishes
  await fillCart(opened, table, table.plain.slice(0, 1))
  await tapEarly(page, menu(other.id), [first, first, second])
  await says(news(page), asks())
  assert.equal(await news(page).getAttribute('role'), 'alert')
  assert.equal(await news(page).locator('p').count(), 1, 'three refusals, one question')
  const answers = news(page).getByRole('button')
  // Once nothing is under way.
  await answers.nth(1).waitFor()
  assert.deepEqual(await answers.allInnerTexts(), [text(lang, 'dish.keep'), replace.name])
  const [yes, no] = await looksOf(answers)
  assert.deepEqual(yes.slice(0, 4), no.slice(0, 4), 'none of the two is louder')
  assert.deepEqual(await linesOf(page), [[table.plain[0].id, 1]])
  await news(page).getByRole('button', replace).click()
  await becomes(page, [
    [first.id, 2],
    [second.id, 1],
  ])
  assert.equal(await news(page).count(), 0)
  await context.close()
})

test('an early tap on what has sold out is told, whatever else goes well, until it is closed', async () => {
  const { page, context } = await openPage(browser, product)
  const [gone, there] = table.plain
  const stock = (available) =>
    product.sandboxApi.set('stock', { filial_id: table.filial_id, product_id: gone.id, available })
  await context.route(/\/events/, (route) => route.abort())
  await waitForScripts(page)
  const release = await holdScripts(page)
  await page.goto(menu(table.filial_id), { waitUntil: 'commit' })
  await addPlain(page, gone)
  await addPlain(page, there)
  await stock(false)
  try {
    release()
    await hydrated(page)
    await says(news(page), text(lang, 'errors.gone'))
    await becomes(page, [[there.id, 1]])
    assert.equal(await news(page).getByRole('button', replace).count(), 0)
    await news(page)
      .getByRole('button', { name: text(lang, 'app.close') })
      .click()
    assert.equal(await news(page).count(), 0)
  } finally {
    await stock(true)
  }
  await context.close()
})

test('a minus of a dish with choices before hydration goes with the taps before it', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(table.qr, lang))
  await chooseDish(page, table, lang)
  await becomes(page, [[table.withGroup.id, 1]])
  await waitForScripts(page)
  const release = await holdScripts(page)
  await page.goto(menu(table.filial_id), { waitUntil: 'commit' })
  await addPlain(page, table.plain[0])
  await row(page, table.withGroup).locator('button.minus').click()
  release()
  await hydrated(page)
  await becomes(page, [[table.plain[0].id, 1]])
  await context.close()
})

test('what a closed page has left behind and is refused is told by the next page', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await waitForScripts(page)
  // An address of the same origin where no script runs, which would take it for its own.
  await open(page, '/robots.txt')
  await page.evaluate(
    ([filial, dish]) => {
      const body = new URLSearchParams({ filial, product: dish, delta: 1, m: 'AAAAAAAAAAAAAAAAAAAAAA' })
      sessionStorage.early = JSON.stringify([{ action: '/cart/lines', body: `${body}` }])
    },
    [other.id, other.dishes[0].id],
  )
  await openHydrated(page, inLang('/', lang))
  await says(news(page), asks())
  await news(page).getByRole('button', replace).click()
  await becomes(page, [[other.dishes[0].id, 1]])
  await context.close()
})

test('the minus of a dish with choices tells its failure wherever it stands, and only once', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(table.qr, lang))
  await chooseDish(page, table, lang)
  const query = new URLSearchParams({ q: table.withGroup.name })
  await openHydrated(page, `/filials/${table.filial_id}/search?${query}&lang=${lang}`)
  await page.route('**/cart/lines/*', (route) => route.fulfill({ status: 500, json: { error: 500 } }))
  await page.locator('.results .dish .minus').first().click()
  await says(news(page), text(lang, 'errors.unavailable'))
  assert.equal(await page.getByRole('alert').filter({ hasText: /\S/ }).count(), 1)
  // A toast goes after three seconds, a failure stays until it is closed (9999 is never).
  await pause(4_000)
  const toast = page.locator('.toast[data-stays]')
  assert.ok(await toast.isVisible())
  await toast.getByRole('button', { name: text(lang, 'app.close') }).click()
  await toast.waitFor({ state: 'detached' })
  await context.close()
})

test('a line that could not be removed comes back, and why is told once', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 2))
  await openHydrated(page, inLang('/cart', lang))
  await page.route('**/cart/lines/*', (route) => route.fulfill({ status: 500, json: { error: 500 } }))
  await openLine(page)
  await page.locator('.line .remove button').first().click()
  await says(news(page), text(lang, 'errors.unavailable'))
  assert.equal(await page.locator('.lines .line').count(), 2)
  assert.equal(await page.getByRole('alert').filter({ hasText: /\S/ }).count(), 1)
  await context.close()
})

const sheet = (page) => page.locator('dialog.sheet')
const form = (page) => sheet(page).locator('form[action="/cart/lines"]').last()
const submit = (page) => form(page).locator('.cta button[type="submit"]')
const isItem = (id) => (url) =>
  url.pathname.startsWith('/_data/filials/') && url.searchParams.get('item') === `${id}`

/** A dish of an open venue whose sizes are such, and which asks for no other choice unless `anyGroups`. */
async function sizedDish(fits, { anyGroups = false } = {}) {
  for (const venue of new Set((await product.sandboxApi.tables()).map((one) => one.filial_id))) {
    const { data } = await product.sandboxApi.upstream(`/menu/v2/category/products?filial_id=${venue}`)
    for (const one of data.flatMap(({ relationships }) => relationships.products.data)) {
      const sizes = one.sizes.map(({ is_unavailable }) => ({ out: is_unavailable }))
      if (one.is_unavailable || one.min_age || !fits(sizes)) continue
      const address = `${menu(venue)}&item=${one.product_id}`
      const { page } = await pageData(product.web, address)
      if (page.route !== 'menu' || !page.data.venue.open.open) break
      const { dish } = page.data
      if (anyGroups || dish.groups.every(({ min }) => min === 0)) return { address, dish, id: one.product_id }
    }
  }
  throw new Error('no dish with such sizes')
}

/** From now on the answers about the dish say that something of it has sold out. */
async function sellOut(page, id, change) {
  await page.route(isItem(id), async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    if (json.page?.data.dish) change(json.page.data.dish)
    await route.fulfill({ response, json })
  })
}

/** The server refuses the next post for a field. */
async function refuse(page, field) {
  const errors = [{ field, code: 'gone', values: {} }]
  const json = { cart: null, flash: { kind: 'formErrors', errors, values: {} }, redirect: null }
  await page.route('**/cart/lines', (route) => route.fulfill({ status: 422, json }), { times: 1 })
}

const focused = (page, id) =>
  untilTrue(
    () => page.evaluate((wanted) => document.activeElement?.id === wanted, id),
    PATIENCE,
    `focus: ${id}`,
  )

test('a size that sells out while it is chosen is told at the sizes, and another one goes', async () => {
  const two = (sizes) => sizes.filter(({ out }) => !out).length >= 2
  const { address, dish, id } = await sizedDish(two)
  const [first, second] = dish.sizes.filter(({ out }) => !out)
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address)
  const radio = ({ id: size }) => form(page).locator(`input[name="size"][value="${size}"]`)
  await radio(second).check()
  await sellOut(page, id, ({ sizes }) => {
    sizes.find((one) => one.id === second.id).out = true
  })
  await refuse(page, 'size')
  await submit(page).click()
  const alert = form(page).locator('.group').getByRole('alert')
  await says(alert, text(lang, 'dish.gone', { name: second.name }))
  await focused(page, 'size')
  assert.equal(await radio(second).isChecked(), true)
  assert.equal(await radio(second).isDisabled(), false, 'it is still what is chosen')
  // It is not even asked again.
  const posts = []
  page.on('request', (one) => one.method() === 'POST' && posts.push(one.url()))
  await form(page).locator('input[name="note"]').focus()
  await submit(page).click()
  await focused(page, 'size')
  assert.deepEqual(posts, [])
  await radio(first).check()
  assert.equal(await alert.count(), 0)
  assert.equal(await radio(second).isDisabled(), true)
  await submit(page).click()
  await becomes(page, [[id, 1]])
  await context.close()
})

test('a size that the server refuses is told at the sizes even when nothing newer is known', async () => {
  const { address, dish } = await sizedDish((sizes) => sizes.filter(({ out }) => !out).length >= 2)
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address)
  await refuse(page, 'size')
  await submit(page).click()
  const alert = form(page).locator('.group').getByRole('alert')
  await says(alert, text(lang, 'errors.gone'))
  await focused(page, 'size')
  const [, second] = dish.sizes.filter(({ out }) => !out)
  await form(page).locator(`input[name="size"][value="${second.id}"]`).check()
  assert.equal(await alert.count(), 0, 'it was about the other one')
  await context.close()
})

test('without scripts a sold-out size is told at the sizes and stays what is chosen', async () => {
  const { address, dish } = await sizedDish((sizes) => sizes.some(({ out }) => out), { anyGroups: true })
  const gone = dish.sizes.find(({ out }) => out)
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, address)
  const radio = form(page).locator(`input[name="size"][value="${gone.id}"]`)
  assert.equal(await radio.isDisabled(), true)
  // As it was when the page came.
  await radio.evaluate((element) => {
    element.disabled = false
    element.checked = true
  })
  await submit(page).click()
  await says(form(page).locator('.group .error'), text(lang, 'dish.gone', { name: gone.name }))
  assert.equal(await radio.isChecked(), true)
  assert.equal(await radio.isDisabled(), false)
  await context.close()
})

test('an option that sells out while it is chosen is told, costs nothing and can be taken back', async () => {
  const { id, sheet: dish } = table.withGroup
  const group = dish.groups.find(({ min, max }) => min !== 1 || max !== 1)
  assert.ok(group, 'a group of boxes')
  const option = group.options.find(({ out, price }) => !out && price > 0)
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, `${menu(table.filial_id)}&item=${id}`)
  const field = form(page).locator(`input[name="option.${option.id}"]`)
  const isBox = (await field.getAttribute('type')) === 'checkbox'
  const sum = () => submit(page).locator('.num').innerText()
  const bare = await sum()
  await (isBox ? field.check() : field.fill('1'))
  assert.notEqual(await sum(), bare)
  await sellOut(page, id, ({ groups }) => {
    groups.find((one) => one.id === group.id).options.find((one) => one.id === option.id).out = true
  })
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  const alert = form(page).locator(`.group:has(#group-${group.id})`).getByRole('alert')
  const told = text(lang, 'dish.gone', { name: option.name })
  await says(alert, told)
  assert.equal(await sum(), bare)
  assert.equal(await field.isDisabled(), false)
  await (isBox ? field.uncheck() : field.fill('0'))
  await untilTrue(async () => !(await alert.allInnerTexts()).includes(told))
  assert.equal(await field.isDisabled(), true)
  await context.close()
})

test('a number of pieces can be emptied and typed anew', async () => {
  const { address } = await sizedDish((sizes) => sizes.some(({ out }) => !out))
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address)
  const quantity = form(page).locator('.cta input[name="delta"]')
  const posted = []
  page.on('request', (one) => {
    if (one.method() === 'POST') posted.push(new URLSearchParams(one.postData()).get('delta'))
  })
  await quantity.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  assert.equal(await quantity.inputValue(), '')
  await page.keyboard.type('5')
  assert.equal(await quantity.inputValue(), '5')
  await page.keyboard.press('Backspace')
  await form(page).locator('input[name="note"]').focus()
  assert.equal(await quantity.inputValue(), '5', 'what is left empty is what it was')
  await quantity.fill('')
  await quantity.press('Enter')
  await untilTrue(async () => (await cartOf(page))?.count === 5, PATIENCE, 'five pieces')
  assert.deepEqual(posted, ['5'])
  await context.close()
})

for (const scripts of [true, false]) {
  test(`a booking that is refused brings back all that was chosen, the tick of the dishes too, ${scripts ? 'with' : 'without'} scripts`, async () => {
    const first = await openPage(browser, product)
    await signIn(first, { phone: '+77010000088' })
    await fillCart(first, table, table.plain.slice(0, 2))
    const storageState = await first.context.storageState()
    await first.context.close()
    const { page, context } = await openPage(browser, product, { javaScriptEnabled: scripts, storageState })
    const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    const address = inLang(`/brands/booking?filial=${table.filial_id}&date=${date}`, lang)
    await (scripts ? openHydrated(page, address) : open(page, address))
    const form = page.locator('form[action="/bookings"]')
    await form.locator('input[name="time"]:not([disabled])').last().check()
    await form.locator('input[name="name"]').fill('Айгүл')
    await form.locator('input[name="phone"]').fill('12')
    await form.locator('input[name="ahead"]').check()
    await form.locator('button').click()
    await page.locator('main .error').first().waitFor()
    if (scripts) await atRest(page)
    assert.equal(await form.locator('input[name="ahead"]').isChecked(), true)
    assert.equal(await form.locator('input[name="time"]').last().isChecked(), true)
    assert.equal(await form.locator('input[name="name"]').inputValue(), 'Айгүл')
    assert.equal(await form.locator('input[name="phone"]').inputValue(), '12')
    await context.close()
  })
}
