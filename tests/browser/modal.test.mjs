/** Modal pieces that several screens share: the question of age, the cover over a page that waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payInCash } from './flows.mjs'
import {
  addPlain,
  atUrl,
  cartOf,
  fillCart,
  findTable,
  hydrated,
  inLang,
  openHydrated,
  openPage,
  PATIENCE,
  pageData,
  pause,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

let wine, elsewhere

setStage({
  async prepare() {
    wine = await findWine()
    const there = await findTable(product)
    elsewhere = { ...there, menu: inLang(`/filials/${there.filial_id}`, 'ka') }
  },
})

/** An open Georgian venue with a plain good for adults only. */
async function findWine() {
  for (const one of (await product.sandboxApi.tables()).filter(({ country }) => country === 'ge')) {
    const { page } = await pageData(product.web, `/filials/${one.filial_id}?country=ge`)
    if (page.route !== 'menu' || !page.data.venue.open.open) continue
    const all = page.data.categories.flatMap(({ products }) => products)
    const [found, second] = all.filter(({ age, options, out }) => age === 21 && !options && !out)
    const other = all.find((dish) => !dish.age && !dish.options && !dish.out && !dish.unpriced)
    if (second && other) return { ...found, second, other, menu: inLang(`/filials/${one.filial_id}`, 'ka') }
  }
  throw new Error('nobody sells anything to adults only')
}

const age = (page) => page.locator('dialog.sheet:has(.age)')
const topmost = (locator) =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })

for (const [width, kind] of [
  [767, 'sheet'],
  [768, 'dialog'],
])
  test(`the question of age is a ${kind} at ${width} px`, async () => {
    const height = 900
    const { page, context, problems } = await openPage(browser, product, { viewport: { width, height } })
    await openHydrated(page, wine.menu)
    await addPlain(page, wine)
    await age(page).waitFor()
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
    const box = await age(page).boundingBox()
    assert.ok(box.width <= 550, `${box.width} px wide`)
    assert.ok(Math.abs(box.x + box.width / 2 - width / 2) <= 1, 'in the middle')
    const below = height - box.y - box.height
    if (kind === 'sheet')
      assert.ok(Math.abs(below) <= 1, `a sheet lies on the lower edge, ${below} px above it`)
    else
      assert.ok(Math.abs(below - box.y) <= 1, `a dialog stands in the middle: ${box.y} over, ${below} under`)
    assert.equal(await age(page).evaluate((element) => element.matches(':modal')), true)
    assert.equal(await age(page).locator('h1').count(), 1)
    assert.equal(await age(page).locator('.age > p').count(), 3, 'three paragraphs')
    const focused = await page.evaluate(() => document.activeElement.id)
    assert.equal(focused, 'age-title', 'it begins with its title')
    const buttons = await age(page)
      .locator('button')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent))
    assert.deepEqual(buttons, [text('ka', 'app.close'), text('ka', 'age.no'), text('ka', 'age.yes')])
    // No and yes have the same weight.
    const sizes = await age(page)
      .locator('.age button')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)))
    assert.equal(sizes[0], sizes[1])
    assert.deepEqual(
      problems.filter((one) => !one.includes('422')),
      [],
    )
    await context.close()
  })

test('after a no the sheet of the dish says why it is not sold, and has the focus of a keyboard', async () => {
  const { page, context } = await openPage(browser, product)
  const item = page.locator('dialog.sheet:has(#dish-name)')
  for (const answer of ['Escape', 'No']) {
    await openHydrated(page, wine.menu)
    await page.locator(`main a[href$="item=${wine.id}"]`).first().click()
    await item.locator('form[action="/cart/lines"] button[type="submit"]').press('Enter')
    await age(page).waitFor()
    if (answer === 'Escape') await page.keyboard.press('Escape')
    else
      await age(page)
        .getByRole('button', { name: text('ka', 'age.no') })
        .press('Enter')
    const said = item.locator('.note:focus')
    await said.waitFor({ timeout: 10_000 })
    assert.ok((await said.innerText()).includes(text('ka', 'dish.locked', { age: 21 })), answer)
    await context.clearCookies()
  }
  await context.close()
})

test('closing the question is a no, a yes goes on with the adding; over a dish it leaves the dish', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, wine.menu)
  await page.locator(`main a[href$="item=${wine.id}"]`).first().click()
  const item = page.locator('dialog.sheet:has(#dish-name)')
  await item.locator('input[name="note"]').fill('gift')
  const button = item.locator('form[action="/cart/lines"] button[type="submit"]')
  await button.click()
  await age(page).waitFor()
  assert.equal(await topmost(age(page).locator('h1')), true, 'the question lies over the dish')
  const reached = await page.evaluate(() => {
    const under = document.querySelector('#dish-name ~ form input, dialog input[name="note"]')
    under.focus()
    return document.activeElement === under
  })
  assert.equal(reached, false, 'what is under it is inert')
  await page.keyboard.press('Escape')
  await untilTrue(async () => (await age(page).count()) === 0, PATIENCE, 'the question is gone')
  await untilTrue(
    () => item.getByText(text('ka', 'menu.unlock', { age: 21 })).isVisible(),
    PATIENCE,
    'it is locked',
  )
  assert.equal(await cartOf(page), null)
  assert.equal(await button.count(), 0, 'nothing restricted can be bought after a no')
  await context.close()

  const grown = await openPage(browser, product)
  await openHydrated(grown.page, wine.menu)
  await addPlain(grown.page, wine)
  await age(grown.page)
    .getByRole('button', { name: text('ka', 'age.yes') })
    .click()
  await untilTrue(async () => (await cartOf(grown.page))?.count === 1, PATIENCE, 'it is in the cart')
  assert.equal(await age(grown.page).count(), 0)
  await grown.context.close()
})

test('an order under way covers the page, names itself, can not be closed, and after 8 s need not be waited for', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, [table.plain[0]])
  await openHydrated(page, inLang('/cart', 'en'))
  await payInCash(page)
  const held = Promise.withResolvers()
  await page.route(
    (url) => url.pathname === '/orders',
    async (route) => {
      await held.promise
      await route.continue()
    },
  )
  const loader = page.locator('dialog.sheet:has(.loader)')
  await page.evaluate(() => {
    addEventListener('submit', () => (window.sent = performance.now()), { capture: true, once: true })
    new MutationObserver(() => {
      if (document.querySelector('.loader')) window.covered ??= performance.now()
      if (document.querySelector('.loader button')) window.freed ??= performance.now()
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.locator('form[action="/orders"] button[type="submit"]').first().click()
  await loader.waitFor()
  const late = await page.evaluate(() => window.covered - window.sent)
  assert.ok(late >= 300, `a quick answer shows nothing, this one covered the page after ${late} ms`)
  assert.match(await loader.innerText(), new RegExp(text('en', 'cart.sending')))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.mouse.click(180, 20)
  await pause(300)
  assert.equal(await loader.evaluate((element) => element.matches(':modal')), true, 'it stays')
  const stop = loader.getByRole('button', { name: text('en', 'cart.stopWaiting') })
  await stop.waitFor()
  const long = await page.evaluate(() => window.freed - window.sent)
  assert.ok(long >= 7990, `it may be left after ${long} ms`)
  await stop.click()
  await untilTrue(async () => (await loader.count()) === 0, PATIENCE, 'the page is free')
  held.resolve()
  // The order is not lost by that.
  await atUrl(page, /\/filials\/\d+\/order\//)
  await context.close()
})

test('the question of age stands though another dish goes into the cart after it, and the yes adds what was asked of', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, wine.menu)
  await page.evaluate(
    (ids) => {
      for (const id of ids)
        document.querySelector(`form:has(input[name="product"][value="${id}"]) .plus`).click()
    },
    [wine.id, wine.other.id],
  )
  await untilTrue(async () => (await cartOf(page))?.count === 1, PATIENCE, 'the other one')
  await age(page).waitFor()
  await age(page)
    .getByRole('button', { name: text('ka', 'age.yes') })
    .click()
  await untilTrue(async () => (await cartOf(page))?.count === 2, PATIENCE, 'both')
  await age(page).waitFor({ state: 'detached' })
  assert.deepEqual(
    problems.filter((one) => !one.includes('422')),
    [],
  )
  await context.close()
})

test('a yes to the question of age adds all that was asked of meanwhile', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, wine.menu)
  const held = Promise.withResolvers()
  await page.route('**/cart/lines', async (route) => {
    await held.promise
    await route.continue()
  })
  await Promise.all([page.waitForRequest('**/cart/lines'), addPlain(page, wine)])
  await addPlain(page, wine.second)
  const refused = page.waitForResponse(
    (response) =>
      response.url().endsWith('/cart/lines') &&
      response.request().postData().includes(`product=${wine.second.id}`),
  )
  held.resolve()
  await refused
  await age(page)
    .getByRole('button', { name: text('ka', 'age.yes') })
    .click()
  await untilTrue(
    async () => {
      const ids = (await cartOf(page))?.lines.map(({ productId }) => productId) ?? []
      return ids.includes(wine.id) && ids.includes(wine.second.id) && ids.length === 2
    },
    PATIENCE,
    'both are in the cart',
  )
  await age(page).waitFor({ state: 'detached' })
  assert.deepEqual(
    problems.filter((one) => !one.includes('422')),
    [],
  )
  await context.close()
})

test('what a yes to the question of age is refused for is asked or told, as for any other add', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const yes = age(page).getByRole('button', { name: text('ka', 'age.yes') })
  const told = page.locator('.toast[data-stays]')
  await fillCart(opened, elsewhere, elsewhere.plain.slice(0, 1))
  await openHydrated(page, wine.menu)
  await page.route('**/session/age', (route) => route.fulfill({ status: 500, json: { error: 500 } }))
  await addPlain(page, wine)
  await yes.click()
  await told.getByText(text('ka', 'errors.unavailable')).waitFor()
  assert.equal(await age(page).count(), 0)
  await told.getByRole('button', { name: text('ka', 'app.close') }).click()
  await page.unroute('**/session/age')
  await addPlain(page, wine)
  await yes.click()
  await told.getByRole('button', { name: text('ka', 'dish.replace') }).waitFor()
  assert.equal(await age(page).count(), 0)
  assert.deepEqual(await told.getByRole('button').allInnerTexts(), [
    text('ka', 'dish.keep'),
    text('ka', 'dish.replace'),
  ])
  assert.equal(
    (await cartOf(page)).venueId,
    elsewhere.filial_id,
    'nothing is dropped before the guest agrees',
  )
  await told.getByRole('button', { name: text('ka', 'dish.replace') }).click()
  await untilTrue(
    async () => (await cartOf(page))?.lines.map(({ productId }) => productId).join() === `${wine.id}`,
    PATIENCE,
    'the cart has made way',
  )
  assert.equal(await told.count(), 0)
  assert.equal(await age(page).count(), 0)
  await context.close()
})

test('a second yes to the question of age adds nothing more', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, wine.menu)
  const held = Promise.withResolvers()
  await page.route('**/session/age', async (route) => {
    await held.promise
    await route.continue()
  })
  await addPlain(page, wine)
  const yes = age(page).getByRole('button', { name: text('ka', 'age.yes') })
  await Promise.all([page.waitForRequest('**/session/age'), yes.click()])
  await untilTrue(async () => (await yes.getAttribute('aria-busy')) === 'true', PATIENCE, 'it is busy')
  await yes.click()
  await page.keyboard.press('Escape')
  held.resolve()
  await age(page).waitFor({ state: 'detached' })
  // Changes of the cart go one after another.
  await addPlain(page, wine.other)
  await untilTrue(
    async () => (await cartOf(page))?.lines.some(({ productId }) => productId === wine.other.id),
    PATIENCE,
    'the dish after it',
  )
  assert.equal((await cartOf(page)).count, 2)
  assert.equal(await page.getByText(text('ka', 'menu.unlock', { age: 21 })).count(), 0, 'the yes counts')
  await context.close()
})

/** The menu of the wine after the list of brands, for Back to lead somewhere. */
async function openAfterBrands(opened, address = wine.menu) {
  await openHydrated(opened.page, inLang('/brands', 'ka'))
  await openHydrated(opened.page, address)
}
// The document may go before it can answer.
const back = (page) => page.evaluate(() => history.back()).catch(() => {})
const forward = (page) => page.evaluate(() => history.forward())
const isMenu = (url) => url.pathname === wine.menu.split('?')[0]
const isBrands = (url) => url.pathname === '/brands'
/** The sheet stands over an entry of its own. */
const isStep = (page) => untilTrue(() => page.evaluate(() => history.state?.step === true))
const isNone = (page) => untilTrue(() => page.evaluate(() => !history.state?.step))
const gone = (locator) => untilTrue(async () => (await locator.count()) === 0, PATIENCE, 'it is gone')

test('Back is a no to the question of age and leaves the menu as it is; the next one leaves it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await openAfterBrands(opened)
  await addPlain(page, wine)
  await age(page).waitFor()
  await isStep(page)
  const asked = []
  page.on('request', (one) => asked.push(new URL(one.url()).pathname))
  await back(page)
  await gone(age(page))
  await page
    .getByText(text('ka', 'menu.unlock', { age: 21 }))
    .first()
    .waitFor()
  assert.ok(isMenu(new URL(page.url())), page.url())
  // Scripts and streams of the page may still be on their way.
  const first = asked.find((one) => one.startsWith('/_data/') || one.startsWith('/session/'))
  assert.equal(first, '/session/age', `the page is not asked for anew: ${asked}`)
  await forward(page)
  await isNone(page)
  assert.equal(await age(page).count(), 0, 'Forward asks nothing')
  await back(page)
  await atUrl(page, isBrands)
  await context.close()
})

test('a yes to the question of age, and one over a dish, leave no step of the history behind', async () => {
  for (const over of [false, true]) {
    const opened = await openPage(browser, product)
    const { page, context } = opened
    await openAfterBrands(opened)
    if (over) {
      await page.locator(`main a[href$="item=${wine.id}"]`).first().click()
      await page.locator('dialog.sheet form[action="/cart/lines"] button[type="submit"]').click()
    } else await addPlain(page, wine)
    await age(page).waitFor()
    await isStep(page)
    await age(page)
      .getByRole('button', { name: text('ka', 'age.yes') })
      .click()
    await untilTrue(async () => (await cartOf(page))?.count === 1, PATIENCE, 'it is in the cart')
    await gone(page.locator('dialog[open]'))
    await isNone(page)
    assert.equal(new URL(page.url()).searchParams.get('item'), null)
    await back(page)
    await atUrl(page, isBrands)
    await context.close()
  }
})

test('Back keeps the cart of the other venue; an answer, a reload and another page leave no step behind', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const ask = page.locator('dialog.ask')
  async function begin() {
    await openAfterBrands(opened)
    await addPlain(page, wine.other)
    await ask.waitFor()
    await isStep(page)
  }
  async function leads() {
    await gone(ask)
    await isNone(page)
    assert.equal((await cartOf(page)).venueId, elsewhere.filial_id, 'the cart is kept')
    await back(page)
    await atUrl(page, isBrands)
  }
  await fillCart(opened, elsewhere, elsewhere.plain.slice(0, 1))
  await begin()
  await back(page)
  await gone(ask)
  assert.ok(isMenu(new URL(page.url())), page.url())
  await leads()
  await begin()
  await ask.getByRole('button', { name: text('ka', 'dish.keep') }).click()
  // Asked again while the step is being left.
  await addPlain(page, wine.other)
  await ask.waitFor()
  await isStep(page)
  await page.keyboard.press('Escape')
  await leads()
  await begin()
  await page.reload()
  await hydrated(page)
  await leads()
  // What is under the sheet can't be pressed; a host app may lead on.
  await begin()
  await page
    .locator('main a[href$="/details"]')
    .first()
    .evaluate((link) => link.click())
  await atUrl(page, (url) => url.pathname.endsWith('/details'))
  await back(page)
  await atUrl(page, isMenu)
  await leads()
  await context.close()
})
