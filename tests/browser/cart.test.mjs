/** The cart's own page: undo, another choice, promo codes, the order while offline; with scripts, without, by keyboard. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillRow, openLine, payInCash, pressOrder } from './flows.mjs'
import {
  addPlain,
  atUrl,
  begun,
  cartOf,
  DESKTOP,
  dataOf,
  fillCart,
  hydrated,
  importSource,
  inLang,
  keepToast,
  LANGS,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  pageData,
  pause,
  plainSpaces,
  qrPath,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { placeOrder, states } from './states.mjs'

const lang = 'kk'
const { formatMoney } = await importSource('components/lib/format/format.ts')
setStage()

const names = async (page) =>
  (await page.locator('.lines .line h3').allInnerTexts()).map((name) => name.trim())

async function atCart(opened, count) {
  await fillCart(opened, table, table.plain.slice(0, count))
  await openHydrated(opened.page, '/cart')
}

test('what a tap removed comes back by another tap, in its place and without a load', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await atCart(opened, 3)
  const before = await names(page)
  await openLine(page, 1)
  await page.locator('.line .remove button').nth(1).click()
  await keepToast(page.locator('.toast[data-undo]'))
  assert.equal((await names(page)).length, 2)
  await page.locator('.toast[data-undo] button').click()
  await untilTrue(async () => (await names(page)).length === 3)
  assert.deepEqual(await names(page), before)
  assert.deepEqual(problems, [])
  await context.close()
})

test('what was removed is called as the page calls it, whatever the language it was added in', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const { page: menu } = await pageData(product.web, inLang(`/filials/${table.filial_id}`, 'ru'))
  const called = new Map(
    menu.data.categories.flatMap(({ products }) => products.map((one) => [one.id, one.name])),
  )
  const dish = table.plain.find(({ id, name }) => called.get(id) !== name)
  await fillCart(opened, table, [dish])
  await openHydrated(page, inLang(table.qr, 'ru'))
  await page.locator(`form:has(input[value="${dish.id}"]) .minus`).first().click()
  const toast = page.locator('.toast[data-undo] [role="status"]')
  await keepToast(page.locator('.toast[data-undo]'))
  const said = text('ru', 'flash.removed', { name: called.get(dish.id) })
  assert.equal(plainSpaces(await toast.textContent()), plainSpaces(said))
  await context.close()
})

test('the offer to undo goes after five seconds and waits under the pointer', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await atCart(opened, 2)
  await openLine(page)
  await page.locator('.line .remove button').first().click()
  const undo = page.locator('.toast[data-undo]')
  await keepToast(undo)
  assert.equal(await undo.evaluate((toast) => getComputedStyle(toast).animationDelay), '5s')
  await undo.hover()
  assert.equal(await undo.evaluate((toast) => getComputedStyle(toast).animationName), 'none')
  await page.mouse.move(0, 0)
  await undo.waitFor({ state: 'hidden' })
  await context.close()
})

test('a cart that is opened while its first dish is on its way shows how to pay', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, table.qr)
  let release
  const asked = new Promise((resolve) => {
    release = resolve
  })
  const added = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/cart/lines')
  // The server tells the cart's page before the dish reaches it, and the browser hears of the dish first.
  await page.route('**/cart/lines', async (route) => {
    await asked
    await route.continue()
  })
  await page.route(
    '**/_data/cart',
    async (route) => {
      const response = await route.fetch()
      release()
      await (await added).finished()
      await page.locator('.bar [aria-busy]').waitFor({ state: 'detached' })
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await addPlain(page, table.plain[0])
  await page.locator('a[href="/cart"]:not(.skip):visible').last().click()
  await atUrl(page, /\/cart$/)
  await page.locator('input[name="payment"][value="cash"]').waitFor({ state: 'attached' })
  assert.equal(await page.locator('.lines .line').count(), 1)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a line is changed in its sheet, which leads back to the cart', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await atCart(opened, 1)
  await openLine(page)
  await page.locator('.line .edit').click()
  await atUrl(page, /[?&]line=/)
  await page.locator('input[name="note"]').fill('тұзсыз')
  await page.locator('form[action$="/options"] button[type="submit"]').click()
  await atUrl(page, /\/cart$/)
  await page.getByText('тұзсыз').waitFor()
  assert.equal(await page.locator('.lines .line').count(), 1)
  assert.deepEqual(problems, [])
  await context.close()
})

test('the order can not be sent while offline, and its button says why', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await atCart(opened, 1)
  const button = page.locator('form[action="/orders"] button[type="submit"]')
  assert.equal(await button.getAttribute('aria-disabled'), null)
  await context.setOffline(true)
  await page.locator('#offline').waitFor()
  assert.equal(await button.getAttribute('aria-disabled'), 'true')
  assert.equal(await button.getAttribute('aria-describedby'), 'offline')
  const ordersBefore = (await product.sandboxApi.orders()).length
  await button.click({ force: true })
  await context.setOffline(false)
  await page.locator('#offline').waitFor({ state: 'detached' })
  assert.equal((await product.sandboxApi.orders()).length, ordersBefore)
  await page.goto('about:blank')
  await context.close()
})

/** Key presses of a guest who looks before each of them. */
const MOST_PRESSES = 26

test('by keyboard an order in cash takes few presses from the code of the table', async () => {
  const { page, context, problems } = await openPage(browser, product, { viewport: DESKTOP })
  await openHydrated(page, inLang(table.qr, lang))
  const pressed = {}
  let part = 'the first dish'
  const press = async (key) => {
    pressed[part] = (pressed[part] ?? 0) + 1
    await page.keyboard.press(key)
  }
  const tabTo = async (wanted) => {
    const has = () => page.evaluate((one) => document.activeElement?.matches(one), wanted)
    for (let times = 0; times < 400 && !(await has()); times++) await press('Tab')
    assert.ok(await has(), wanted)
  }
  const follow = async (wanted) => {
    await tabTo(wanted)
    await press('Enter')
  }
  // A link within the page is followed when the next Tab begins behind it.
  const within = async (part) => {
    await follow(`.skip[href="${part}"]`)
    await untilTrue(() => page.evaluate((hash) => location.hash === hash, part))
  }
  await within('#dishes')
  await follow('.dish button.plus')
  await untilTrue(async () => (await cartOf(page))?.count === 1)
  part = 'the cart'
  await follow('a[href="/cart"]')
  await atUrl(page, /\/cart$/)
  await page.locator('#ordered').waitFor()
  // The page that is come to has the focus of its heading.
  await untilTrue(() => page.evaluate(() => document.activeElement.localName === 'h1'))
  part = 'the order'
  await within('#checkout')
  const cash = page.locator('input[name="payment"][value="cash"]')
  await tabTo('input[name="payment"]')
  for (let times = 0; times < 3 && !(await cash.isChecked()); times++) await press('ArrowUp')
  await follow('.order > button')
  await atUrl(page, /\/filials\/\d+\/order\//)
  const all = Object.values(pressed).reduce((sum, count) => sum + count)
  assert.ok(all <= MOST_PRESSES, `${all}: ${JSON.stringify(pressed)}`)
  assert.deepEqual(problems, [])
  await context.close()
})

test('the links past what is long are seen while they have the focus, in the row of a dish, too, and lead there', async () => {
  for (const viewport of [DESKTOP, { width: 360, height: 740 }]) {
    const opened = await openPage(browser, product, { viewport, javaScriptEnabled: viewport === DESKTOP })
    const { page, context } = opened
    const other = await openPage(browser, product)
    await fillCart(other, table, table.plain.slice(0, 1))
    await context.addCookies(await other.context.cookies())
    await other.context.close()
    await open(page, inLang(table.qr, lang))
    const isSeen = async (link) => {
      await link.focus()
      const { x, y, width, height } = await link.boundingBox()
      assert.ok(x >= 0 && y >= 0 && width > 40 && height > 20, await link.getAttribute('href'))
      return page.evaluate(
        ([left, top]) => document.activeElement.contains(document.elementFromPoint(left, top)),
        [x + width / 2, y + height / 2],
      )
    }
    const inRow = page.locator('.dish .skip[href="/cart"]').first()
    assert.ok(await isSeen(inRow), 'nothing of its row covers it')
    assert.equal(await inRow.innerText(), `${text(lang, 'cart.title')}: ${table.plain[0].name}`)
    // In whatever language the name of its row is.
    const langs = await inRow.evaluate((one) =>
      [one.querySelector('span'), one.closest('.dish').querySelector('h3 a')].map((it) => it.lang),
    )
    assert.equal(langs[0], langs[1])
    assert.ok(await isSeen(page.locator('.skip').first()))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const isThere = await page.evaluate(() => document.activeElement.closest('#dishes') !== null)
    assert.ok(isThere, 'the first link after the first one is of the dishes or their promos')
    await inRow.focus()
    await page.keyboard.press('Enter')
    await page.locator('.lines .line').first().waitFor()
    const toOrder = page.locator('main > .skip')
    assert.ok(await isSeen(toOrder))
    await page.keyboard.press('Enter')
    await untilTrue(() => page.evaluate(() => location.hash === '#checkout'))
    await page.keyboard.press('Tab')
    assert.ok(await page.evaluate(() => document.activeElement.closest('#ordered')))
    await context.close()
  }
})

test('a dish that brings the saved cart of its restaurant back says so, and can stay alone', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await fillCart(opened, table, table.plain.slice(0, 2))
  const seat = (await product.sandboxApi.tables()).find(
    ({ filial_id }) => [1013, 1023].includes(filial_id) && filial_id !== table.filial_id,
  )
  await open(page, inLang(qrPath(seat), lang))
  const { page: menu } = await pageData(product.web, inLang(`/filials/${seat.filial_id}`, lang))
  const [dish] = menu.data.categories
    .flatMap(({ products }) => products)
    .filter((one) => !one.options && !one.out && !one.age)
  await fillCart(opened, { ...seat, qr: qrPath(seat) }, [dish])

  await openHydrated(page, inLang(`/filials/${table.filial_id}`, lang))
  const line = page.locator('.notes')
  const { name } = (await dataOf(page)).page.data.saved
  const waits = text(lang, 'savedCart.waits', { name })
  const returned = text(lang, 'savedCart.returned', { name })
  assert.ok((await line.innerText()).includes(waits))
  assert.ok(
    (await line.innerText()).includes(text(lang, 'savedCart.instead', { venue: menu.data.venue.name })),
  )
  await addPlain(page, table.plain[0])
  const top = () => line.evaluate((one) => one.getBoundingClientRect().top + scrollY)
  const above = await top()
  await page.getByRole('button', { name: text(lang, 'dish.replace') }).click()
  const toast = page.locator('.toast[data-undo]')
  await keepToast(toast)
  assert.ok((await toast.innerText()).includes(returned))
  assert.equal(await top(), above, 'it says so where it stood')
  assert.ok((await line.innerText()).includes(returned))
  const pieces = async () => (await cartOf(page)).count
  assert.equal(await pieces(), 3)

  const onlyNew = text(lang, 'savedCart.onlyNew')
  await toast.getByRole('button', { name: onlyNew }).click()
  await untilTrue(async () => (await pieces()) === 1)
  await untilTrue(async () => (await line.innerText()).includes(waits), PATIENCE, 'it waits again')
  const loaded = page.waitForEvent('load')
  await line.getByRole('button', { name: text(lang, 'savedCart.bringBack') }).click()
  await loaded
  await hydrated(page)
  assert.equal(await pieces(), 3)
  assert.equal(await line.count(), 0)
  // The question about the other cart is a refusal.
  assert.deepEqual(
    problems.filter((one) => !one.includes('422')),
    [],
  )
  await context.close()
})

test('a cart that waits aside changes places with a full one, and back, each with what was typed for it', async () => {
  for (const viewport of [{ width: 360, height: 740 }, DESKTOP]) {
    const opened = await openPage(browser, product, { viewport })
    const { page, context, problems } = opened
    await fillCart(opened, table, table.plain.slice(0, 2))
    const wish = page.locator('[name="comment"]')
    await openHydrated(page, '/cart')
    await fillRow(page, 'comment', 'No nuts: an allergy')
    const seat = (await product.sandboxApi.tables()).find(
      ({ filial_id }) => [1013, 1023].includes(filial_id) && filial_id !== table.filial_id,
    )
    await open(page, inLang(qrPath(seat), lang))
    const { page: menu } = await pageData(product.web, inLang(`/filials/${seat.filial_id}`, lang))
    const [dish] = menu.data.categories
      .flatMap(({ products }) => products)
      .filter((one) => !one.options && !one.out && !one.age)
    await fillCart(opened, { ...seat, qr: qrPath(seat) }, [dish])
    await openHydrated(page, '/cart')
    assert.equal(await wish.inputValue(), '')
    await fillRow(page, 'comment', 'Very hot')
    const row = page.locator('.chosen .saved')
    const place = async () => (await page.locator('.from b').innerText()).trim()
    const [here, whole] = [await place(), await names(page)]
    const { data } = (await dataOf(page)).page
    assert.equal(data.saved.length, 1)
    const { venue, count } = data.saved[0]
    const [named, pieces] = (await row.locator('p').innerText()).split('\n')
    assert.equal(named.trim(), venue.name)
    assert.equal(pieces, text(lang, 'cart.savedCount', { count }))
    const button = row.getByRole('button', { name: text(lang, 'cart.bringBack') })
    assert.ok((await button.boundingBox()).height >= 44)
    await button.focus()
    await page.keyboard.press('Enter')
    await page.locator('.from', { hasText: venue.name }).waitFor()
    await untilTrue(async () => (await names(page)).length === 2, PATIENCE, 'its dishes are back')
    await row.getByText(here).waitFor()
    await untilTrue(async () => (await wish.inputValue()) === 'No nuts: an allergy', PATIENCE, 'its own wish')
    await hydrated(page)
    await button.click()
    await page.locator('.from', { hasText: here }).waitFor()
    await untilTrue(async () => (await names(page)).join() === whole.join())
    await untilTrue(async () => (await wish.inputValue()) === 'Very hot', PATIENCE, 'and the other its own')
    assert.deepEqual(problems, [])
    await context.close()
  }
})

test('two tabs have one cart within a second, with what it costs', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await atCart(opened, 1)
  const sum = page.locator('form[action="/orders"] button[type="submit"]:not(.vh)')
  const before = await sum.innerText()
  const other = await context.newPage()
  await openHydrated(other, `/filials/${table.filial_id}`)
  // Both listen a moment after they are hydrated.
  await pause(1500)
  await addPlain(other, table.plain[1])
  await untilTrue(async () => (await names(page)).length === 2, 1000)
  await untilTrue(async () => (await sum.innerText()) !== before, 1000)

  // And the other way round.
  await openLine(page, 1)
  await page.locator('.line .remove button').nth(1).click()
  await untilTrue(async () => (await other.locator('.bar > b').first().innerText()) === '1', 1000)
  assert.deepEqual(problems, [])
  await context.close()
})

test('by keyboard the cart is two Tabs away from the top of a menu', async () => {
  const opened = await openPage(browser, product, { viewport: DESKTOP })
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang(table.qr, lang))
  const has = () => page.evaluate(() => document.activeElement.getAttribute('href'))
  for (const href of ['#dishes', '/cart']) {
    await page.keyboard.press('Tab')
    assert.equal(await has(), href)
  }
  const { x, y, width, height } = await page.locator(':focus').boundingBox()
  assert.ok(x >= 0 && y >= 0 && width > 40 && height > 20, 'it is seen while it has the focus')
  await page.keyboard.press('Enter')
  await page.locator('.lines .line').first().waitFor()
  await context.close()
})

test('by keyboard: a promo code, its removal, and the order', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await atCart(opened, 2)
  await page.locator('.promo summary').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('dastarkhan10')
  await page.keyboard.press('Enter')
  await page.locator('.promo .good').waitFor()
  await page.locator('.promo button[name="remove"]').focus()
  await page.keyboard.press('Enter')
  await page.locator('.promo summary').waitFor()
  await payInCash(page)
  await page.locator('form[action="/orders"] button[type="submit"]').focus()
  await page.keyboard.press('Enter')
  await atUrl(page, /\/filials\/\d+\/order\//)
  await context.close()
})

test('a wrong promo code stays in its field with the reason, to be mended or taken away', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const opened = await openPage(browser, product, { javaScriptEnabled })
    const { page, context } = opened
    await fillCart(opened, table, table.plain.slice(0, 1))
    await (javaScriptEnabled ? openHydrated(page, '/cart') : open(page, '/cart'))
    const field = page.locator('.promo input[name="code"]')
    const enter = async (code) => {
      if (!(await field.isVisible())) await page.locator('.promo summary').click()
      await field.fill(code)
      await page
        .locator('.promo')
        .getByRole('button', { name: text(lang, 'promo.apply') })
        .click()
    }
    await enter('DASTARKHAN1')
    const reason = page.locator('.promo .error')
    await reason.filter({ hasText: text(lang, 'promo.unknown') }).waitFor()
    assert.equal(await field.inputValue(), 'DASTARKHAN1')
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    assert.equal(await field.getAttribute('aria-describedby'), await reason.getAttribute('id'))
    // Mended where it stands.
    await enter('DASTARKHAN10')
    await page.locator('.promo .good').waitFor()
    await page.locator('.promo button[name="remove"]').click()
    await page.locator('.promo summary').waitFor()
    // Or taken away by emptying the field: nothing counts that could be removed.
    await enter('NONSENSE')
    await reason.waitFor()
    assert.equal(await field.inputValue(), 'NONSENSE')
    assert.equal(await page.locator('.promo button[name="remove"]').count(), 0)
    await enter('')
    await reason.waitFor({ state: 'detached' })
    assert.equal(await page.locator('.promo button[name="remove"]').count(), 0)
    await context.close()
  }
})

/** A guest without scripts, with two dishes, at the cart. */
async function atCartWithoutScripts() {
  const opened = await openPage(browser, product, { javaScriptEnabled: false })
  const { page } = opened
  await open(page, table.qr)
  for (const one of table.plain.slice(0, 2)) {
    await page
      .locator(`form[action="/cart/lines"]:has(input[name="product"][value="${one.id}"]) .plus`)
      .first()
      .click()
  }
  await open(page, '/cart')
  return opened
}

test('with JavaScript off: undo, another choice and a promo code are forms and links', async () => {
  const { page, context } = await atCartWithoutScripts()
  await openLine(page)
  await page.locator('.line .remove button').first().click()
  await page.locator('form[action="/cart/undo"] button').click()
  await page.locator('.lines .line').nth(1).waitFor()
  assert.equal(await page.locator('.lines .line').count(), 2)
  await openLine(page)
  await page.locator('.line .edit').first().click()
  await page.locator('input[name="note"]').fill('тұзсыз')
  await page.locator('form[action$="/options"] button[type="submit"]').click()
  await atUrl(page, /\/cart$/)
  await page.getByText('тұзсыз').waitFor()
  await page.locator('.promo summary').click()
  await page.locator('input[name="code"]').fill('SUMMER')
  await page.locator('form[action="/cart/promo"] button').first().click()
  await page.getByText(text(lang, 'promo.expired')).waitFor()
  await context.close()
})

test('with JavaScript off: what was typed at the order outlives every press on a line, and Enter orders', async () => {
  const { page, context } = await atCartWithoutScripts()
  for (const row of await page.locator('.checkout summary').all()) await row.click()
  await page.locator('input[name="name"]').fill('Әйгерім')
  await page.locator('textarea[name="comment"]').fill('пиязсыз <b>')
  await page.locator('input[name="payment"][value="cash"]').check({ force: true })
  const quantities = () => page.locator('.line [data-count]').allTextContents()
  const before = await quantities()
  for (const [button, after] of [
    ['.line .plus', [String(Number(before[0]) + 1), before[1]]],
    ['.line .minus', before],
    ['.line .remove button', [before[1]]],
  ]) {
    if (button.includes('remove')) await openLine(page)
    await page.locator(button).first().click()
    await atUrl(page, /\/cart$/)
    assert.deepEqual(await quantities(), after, button)
    assert.equal(await page.locator('input[name="name"]').inputValue(), 'Әйгерім', button)
    assert.equal(await page.locator('textarea[name="comment"]').inputValue(), 'пиязсыз <b>', button)
    assert.ok(await page.locator('input[name="payment"][value="cash"]').isChecked(), button)
  }
  await page.locator('.checkout summary').first().click()
  await page.locator('input[name="name"]').press('Enter')
  await atUrl(page, /\/order\//)
  await context.close()
})

test('with JavaScript off: a promo code, by its button and by Enter, keeps what was typed at the order', async () => {
  const { page, context } = await atCartWithoutScripts()
  for (const row of await page.locator('.checkout summary').all()) await row.click()
  await page.locator('input[name="name"]').fill('Әйгерім')
  await page.locator('textarea[name="comment"]').fill('пиязсыз <b>')
  await page.locator('input[name="payment"][value="cash"]').check({ force: true })
  const code = page.locator('input[name="code"]')
  const keeps = async (what) => {
    assert.equal(await page.locator('input[name="name"]').inputValue(), 'Әйгерім', what)
    assert.equal(await page.locator('textarea[name="comment"]').inputValue(), 'пиязсыз <b>', what)
    assert.ok(await page.locator('input[name="payment"][value="cash"]').isChecked(), what)
  }
  await page.locator('.promo summary').click()
  await code.fill('NONSENSE')
  await page.locator('form[action="/cart/promo"] button').first().click()
  await page.getByText(text(lang, 'promo.unknown')).waitFor()
  await keeps('the button')
  await code.fill('SUMMER')
  await code.press('Enter')
  await page.getByText(text(lang, 'promo.expired')).waitFor()
  await keeps('Enter')
  await code.fill('')
  await page.locator('form[action="/cart/promo"] button').first().click()
  await page.getByText(text(lang, 'flash.promoRemoved')).waitFor()
  await keeps('an emptied field')
  await context.close()
})

test('what is typed at an order is there after the menu and in a new tab, and gone once it is placed', async () => {
  const opened = await openPage(browser, product)
  const { context, problems } = opened
  let { page } = opened
  await atCart(opened, 1)
  await fillRow(page, 'name', 'Дана')
  await fillRow(page, 'comment', 'Тұзсыз')
  await payInCash(page)
  const typed = async () => [
    await page.locator('.checkout [name="name"]').inputValue(),
    await page.locator('.checkout [name="comment"]').inputValue(),
    await page.locator('.checkout [name="payment"]:checked').getAttribute('value'),
  ]
  const isThere = () =>
    untilTrue(async () => JSON.stringify(await typed()) === JSON.stringify(['Дана', 'Тұзсыз', 'cash']))
  await isThere()

  await page.locator(`main a[href*="/filials/${table.filial_id}"]`).first().click()
  await page.locator('a[href="/cart"]:not(.skip):visible').last().click()
  await page.locator('.checkout').waitFor()
  await isThere()

  // The webview dies, and the guest comes back.
  await page.close()
  page = await context.newPage()
  await openHydrated(page, '/cart')
  await isThere()

  await pressOrder(page)
  await atUrl(page, /\/filials\/\d+\/order\//)
  await fillCart({ page }, table, table.plain.slice(0, 1))
  await openHydrated(page, '/cart')
  assert.equal((await typed())[1], '', 'another order has words of its own')
  assert.deepEqual(problems, [])
  await context.close()
})

test('the empty cart repeats the last order in one tap', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  const id = await placeOrder({ product, table, lang, opened })
  await product.sandboxApi.set('order/status', { order_id: id, status: 'completed' })
  await openHydrated(page, '/cart')
  await hydrated(page)
  await page.locator('form[action="/orders/repeat"] button').click()
  await page.locator('.lines .line').first().waitFor()
  assert.equal((await cartOf(page)).lines.length, 2)
  assert.deepEqual(problems, [])
  await context.close()
})

for (const javaScriptEnabled of [true, false]) {
  test(`an order is had once more only once, however often it is pressed (scripts: ${javaScriptEnabled})`, async () => {
    const opened = await openPage(browser, product)
    await placeOrder({ product, table, lang, opened })
    const address = opened.page.url()
    const storageState = await opened.context.storageState()
    await opened.context.close()
    await product.sandboxApi.set('order/status', {
      order_id: decodeURIComponent(new URL(address).pathname.split('/').at(-1)),
      status: 'completed',
    })
    const { page, context } = await openPage(browser, product, { javaScriptEnabled, storageState })
    const button = page.locator('form.repeat button')
    const cart = async () =>
      (await (await context.request.get(`${product.web}/_data/cart`)).json()).shell.cart
    await (javaScriptEnabled ? openHydrated : open)(page, address)
    if (javaScriptEnabled) {
      // The cart is long on its way to the page.
      await page.route('**/_data/cart*', async (route) => {
        await pause(1500)
        await route.continue()
      })
      await button.click()
      await untilTrue(async () => (await cart()) !== null)
      await button.click()
      await button.click()
    } else {
      await button.click()
      await page.getByText(text(lang, 'flash.repeated')).waitFor()
      await page.goBack()
      await button.click()
      await page.getByText(text(lang, 'flash.repeated')).waitFor()
    }
    await atUrl(page, /\/cart/)
    await page.locator('.lines .line').nth(1).waitFor()
    assert.deepEqual(
      (await cart()).lines.map(({ qty }) => qty),
      [1, 1],
    )
    await context.close()
  })
}

/** A table of a venue that charges for service, and a dish there. */
async function whereServiceCosts(country) {
  const tables = (await product.sandboxApi.tables()).filter((one) => one.country === country)
  for (const one of new Map(tables.map((each) => [each.filial_id, each])).values()) {
    const { page } = await pageData(product.web, inLang(qrPath(one), country === 'ge' ? 'ka' : 'kk'))
    const { venue, categories } = page.data
    if (page.route !== 'menu' || !venue.open.open || venue.servicePercent === 0) continue
    const dish = categories.flatMap(({ products }) => products).find((each) => !each.options && !each.out)
    if (dish) return { at: { ...one, qr: qrPath(one) }, dish, servicePercent: venue.servicePercent }
  }
  throw new Error(`no open venue of ${country} charges for service`)
}

for (const language of LANGS) {
  test(`what comes on top for service is told in the menu and beside the sum of the cart, ${language}`, async () => {
    const { at, dish, servicePercent } = await whereServiceCosts(language === 'ka' ? 'ge' : 'kz')
    const opened = await openPage(browser, product)
    const { page, context } = opened
    await fillCart(opened, at, [dish])
    const menu = inLang(`/filials/${at.filial_id}`, language)
    await openHydrated(page, menu)
    const words = text(language, 'venue.service', { percent: servicePercent })
    assert.equal(await page.locator('.about').getByText(words, { exact: true }).count(), 1)
    const bar = page.locator('a.bar')
    const onTop = text(language, 'venue.plusService', { percent: servicePercent })
    assert.ok(plainSpaces(await bar.textContent()).endsWith(plainSpaces(onTop)))
    const fits = () =>
      bar.evaluate((element) => {
        const parts = [...element.children].map((each) => each.getBoundingClientRect())
        const { left, right } = element.getBoundingClientRect()
        return (
          parts.every((each, at) => each.right <= (parts[at + 1]?.left ?? right) && each.left >= left) &&
          [...element.children].every((each) => each.scrollWidth <= each.clientWidth)
        )
      })
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 })
      assert.ok(await fits(), `at ${width} px`)
    }
    // In one line: it lies over what is read.
    const [price, service] = await bar
      .locator('.num')
      .last()
      .evaluate((one) => [...one.children].map((part) => part.getBoundingClientRect().height))
    assert.ok(service < price, `${service} px beside a sum of ${price}`)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/bar-${language}.png` })
    // On every page that tells the sum, not on its venue's only.
    await openHydrated(page, inLang('/', language))
    assert.ok(plainSpaces(await bar.textContent()).endsWith(plainSpaces(onTop)))
    await openHydrated(page, menu)
    // Where there is room the cart stands beside the menu.
    await page.setViewportSize(DESKTOP)
    assert.equal(await page.locator('aside.beside').getByText(onTop).count(), 1)
    // What is added to the dishes is told with its sum: beside what is to be paid alone it would be the price of it.
    await openHydrated(page, inLang('/cart', language))
    const { totals, venue } = (await dataOf(page)).page.data
    const { sum } = totals.find(({ kind }) => kind === 'service')
    const shown = plainSpaces(await page.locator('.sums > summary .soft').innerText())
    assert.equal(shown, plainSpaces(`${words}: ${formatMoney(sum, venue.money)}`))
    await context.close()
    // And without scripts.
    const plain = await openPage(browser, product, { javaScriptEnabled: false })
    await open(plain.page, at.qr)
    await addPlain(plain.page, dish)
    await plain.page.locator('a.bar').waitFor()
    await open(plain.page, menu)
    assert.ok(plainSpaces(await plain.page.locator('a.bar').textContent()).endsWith(plainSpaces(onTop)))
    await plain.context.close()
  })
}

/** A cart into whose rows something was typed. */
async function typedInto(rows) {
  const opened = await openPage(browser, product)
  const { page } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang('/cart', lang))
  await begun(page, 'background-')
  for (const [name, value] of Object.entries(rows)) await fillRow(page, name, value)
  return opened
}

test('a row that is closed says what stands in it, also after a reload', async () => {
  const typed = { name: 'Айгерим', comment: 'Без лука, пожалуйста, и побольше зелени' }
  const { page, context } = await typedInto(typed)
  await page.reload({ waitUntil: 'domcontentloaded' })
  for (const [name, value] of Object.entries(typed)) {
    const row = page.locator('.checkout details').filter({ has: page.locator(`[name="${name}"]`) })
    const summary = row.locator('summary')
    await summary.getByText(value).waitFor()
    assert.ok(!(await summary.innerText()).includes(text(lang, 'cart.optional')))
    const fits = await row.evaluate((element) => {
      const words = [...element.querySelectorAll('summary > span')].map((one) => one.getBoundingClientRect())
      const { top, right, bottom } = element.getBoundingClientRect()
      return words.every((word) => word.top >= top + 4 && word.bottom <= bottom - 4 && word.right < right)
    })
    assert.ok(fits, `${name} stands inside its card`)
    await summary.click()
    const label = await row.locator('label').boundingBox()
    assert.ok(label.width <= 1, 'the label of an open row is seen once')
  }
  await context.close()
})

test('another language leaves what was typed into the cart where it was', async () => {
  const { page, context } = await typedInto({ name: 'Айгерим', comment: 'Без лука' })
  await page.locator('.lang summary').click()
  await page.locator('.lang a[hreflang="ru"]').click()
  await atUrl(page, /lang=ru/)
  await untilTrue(
    async () => (await page.locator('input[name="name"]').inputValue()) === 'Айгерим',
    PATIENCE,
    'the name is back',
  )
  assert.equal(await page.locator('textarea[name="comment"]').inputValue(), 'Без лука')
  await context.close()
})

test('on a wide screen nothing of the cart runs under another column, and its button stays in sight', async () => {
  const opened = await openPage(browser, product, { viewport: DESKTOP })
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 6))
  await openHydrated(page, inLang('/cart', lang))
  const boxes = () =>
    page.evaluate(() => {
      const box = (selector) => document.querySelector(selector)?.getBoundingClientRect()
      return {
        left: box('.cart > div').right,
        also: box('.also')?.right ?? 0,
        bottom: box('.order button').bottom,
        top: box('.order button').top,
        height: innerHeight,
      }
    })
  for (const end of [false, true]) {
    if (end) await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const { left, also, bottom, top, height } = await boxes()
    assert.ok(also <= left + 1, `${also} of ${left}`)
    assert.ok(top >= 0 && bottom <= height, `${top} to ${bottom} of ${height}`)
  }
  await context.close()
})

test('a delivery is told by when it is at the door: the kitchen and the way together, in every language', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await states.find(({ name }) => name === 'cart-delivery').open({ product, opened, table, lang })
  for (const own of LANGS) {
    await openHydrated(page, inLang('/cart', own))
    const { minutes, delivery } = (await dataOf(page)).page.data
    const ways = delivery.tariffs.map((tariff) => tariff.minutes)
    const span = `${minutes.min + Math.min(...ways)}–\u2060${minutes.max + Math.max(...ways)}`
    const said = await page.locator('.from .soft').first().textContent()
    assert.ok(said.includes(text(own, 'cart.doorMinutes', { minutes: span })), said)
  }
  await context.close()
})

test('one more of a dish asks anew how long the kitchen takes', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  // The fourth piece takes the sandbox's kitchen a minute more.
  await fillCart(opened, table, table.plain.slice(0, 1), 3)
  await openHydrated(page, inLang('/cart', lang))
  const said = () => page.locator('.from .soft').first().textContent()
  const minutes = () =>
    page.evaluate(async () => {
      const answer = await fetch('/_data/cart', { headers: { accept: 'application/json' } })
      const { min, max } = (await answer.json()).page.data.minutes
      return `${min}–\u2060${max}`
    })
  const before = text(lang, 'cart.minutes', { minutes: await minutes() })
  assert.ok((await said()).includes(before), before)
  await openLine(page)
  await page.locator('.line .plus').first().click()
  await untilTrue(async () => !(await said()).includes(before))
  const after = text(lang, 'cart.minutes', { minutes: await minutes() })
  assert.ok((await said()).includes(after), after)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a guest far from the restaurant sees the question where it is answered', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const gate = Promise.withResolvers()
  await page.route(/\/gate-[^/]+\.js/, async (route) => {
    await gate.promise
    await route.continue()
  })
  const asked = states.find(({ name }) => name === 'cart-far').open({ product, opened, table, lang })
  // Before the code of the question is there, and then, the first link leads to what is in sight.
  const toOrder = page.locator('main > .skip')
  const part = async () => page.locator(await toOrder.getAttribute('href'))
  await page.locator('#block-far').waitFor()
  assert.ok(await (await part()).isVisible())
  gate.resolve()
  await asked
  assert.ok(await (await part()).isVisible())
  await toOrder.focus()
  await page.keyboard.press('Enter')
  await untilTrue(() => page.evaluate(() => location.hash !== ''))
  await page.keyboard.press('Tab')
  assert.ok(await page.evaluate(() => document.activeElement.closest('#order')))
  const [question] = text(lang, 'block.far', { distance: '…' }).split('…')
  const told = await page.getByText(question).boundingBox()
  const { height } = page.viewportSize()
  assert.ok(told.y > 0 && told.y + told.height < height, `it is seen without scrolling: ${told.y}`)
  await page.locator('form[action="/cart/far"] button').click()
  await page.locator('form[action$="/orders"] button').first().waitFor()
  assert.equal(await page.getByText(question).count(), 0)
  await context.close()
})

test('by keyboard the focus goes on where a press has taken away what had it', async () => {
  const opened = await openPage(browser, product, { viewport: DESKTOP })
  const { page, context, problems } = opened
  // A venue that says what goes well together.
  const seat = (await product.sandboxApi.tables()).find(({ filial_id }) => filial_id === 1013)
  const { page: menu } = await pageData(product.web, inLang(qrPath(seat), lang))
  const dishes = menu.data.categories.flatMap(({ products }) => products).filter((one) => !one.options)
  await fillCart(opened, { ...seat, qr: qrPath(seat) }, dishes.slice(0, 2))
  await openHydrated(page, '/cart')
  const [first, second] = await names(page)
  const press = async (locator) => {
    await locator.focus()
    await page.keyboard.press('Enter')
  }
  const has = (wanted, what) =>
    untilTrue(() => page.evaluate((one) => document.activeElement.matches(one), wanted), 10_000, what)
  const lineOf = () =>
    page.evaluate(() => document.activeElement.closest('.line')?.querySelector('h3').innerText)

  const also = page.locator('.also .dish:has(form)').first()
  const name = (await also.locator('h3').innerText()).trim()
  const added = Promise.withResolvers()
  await page.route(/\/_data\/cart/, async (route) => {
    await added.promise
    await route.continue()
  })
  await press(also.locator('.plus'))
  await also.locator('.minus').waitFor()
  assert.equal(await also.locator('.skip').count(), 0, 'no link from the cart to itself')
  added.resolve()
  await has('.lines .line .plus', 'the stepper of what goes well with it')
  assert.equal(await lineOf(), name)

  await press(page.locator('.lines .minus').nth(2))
  await has('.lines .line summary', 'the line beside the last of a dish')
  assert.equal(await lineOf(), second)

  await keepToast(page.locator('.toast[data-undo]'))
  await press(page.locator('.toast[data-undo] button'))
  await has('#lines', 'the heading of the lines, after what was removed is back')

  await page.locator('.lines .line summary').first().press('Enter')
  await press(page.locator('.line .remove button').first())
  await has('.lines .line summary', 'the line beside the removed one')
  assert.equal(await lineOf(), second)
  assert.notEqual(first, second)

  await press(page.locator('form[action="/session/table/leave"] button'))
  await has('.from a', 'the way to the menu beside the table that was left')

  await press(page.locator('form[action="/cart/clear"] button'))
  await has('.empty .button', 'the way to the menu')
  await keepToast(page.locator('.toast[data-undo]'))
  await press(page.locator('.toast[data-undo] button'))
  await has('#lines', 'the heading of the cart that is back')
  assert.deepEqual(problems, [])
  await context.close()
})

test('with JavaScript off a wrong promo code is told where it was typed', async () => {
  const viewport = { width: 360, height: 640 }
  const opened = await openPage(browser, product, { javaScriptEnabled: false, viewport })
  const { page, context } = opened
  // Lines are added by a page with scripts.
  const other = await openPage(browser, product)
  await fillCart(other, table, table.plain.slice(0, 4))
  await context.addCookies(await other.context.cookies())
  await open(page, '/cart')
  await page.locator('.promo summary').click()
  const code = page.locator('.promo input[name="code"]')
  await code.fill('NOSUCHCODE')
  await code.press('Enter')
  const error = page.locator('.promo .error')
  await error.filter({ hasText: text(lang, 'promo.unknown') }).waitFor()
  await page.locator('.promo input[name="code"]:focus').waitFor()
  for (const seen of [code, error]) {
    const { y, height } = await seen.boundingBox()
    assert.ok(y >= 0 && y + height <= viewport.height, `${y}`)
  }
  for (const one of [other, opened]) await one.context.close()
})

test('two ways back on one screen have two names, and of two with one name one is shown', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const seat = (await product.sandboxApi.tables()).find(
    ({ filial_id }) => [1013, 1023].includes(filial_id) && filial_id !== table.filial_id,
  )
  await fillCart(opened, table, table.plain.slice(0, 1))
  const { page: menu } = await pageData(product.web, inLang(`/filials/${seat.filial_id}`, lang))
  const dishes = menu.data.categories
    .flatMap(({ products }) => products)
    .filter((one) => !one.options && !one.out && !one.age)
  const row = (dish) => page.locator(`form:has(input[value="${dish.id}"])`).first()
  const note = page.locator('.notes form button')
  const toast = page.locator('.toast[data-undo] button')
  // The cart of another venue has made way for this one's code, and a dish of this one is taken off.
  await openHydrated(page, inLang(qrPath(seat), lang))
  await row(dishes[0]).locator('.plus').click()
  await row(dishes[0]).locator('.minus').click()
  await keepToast(page.locator('.toast[data-undo]'))
  assert.deepEqual(await Promise.all([note, toast].map((one) => one.innerText())), [
    text(lang, 'cart.undoCart'),
    text(lang, 'cart.undo'),
  ])
  assert.ok(await note.isVisible())
  await context.close()
  await oneOfTwoWaysBack()
})

/** One dish was taken off by a form, the next by a tap: what comes back is what has left last. */
async function oneOfTwoWaysBack() {
  const opened = await openPage(browser, product)
  const { page, context, web } = opened
  await fillCart(opened, table, table.plain.slice(0, 3))
  const form = { filial: table.filial_id, product: table.plain[0].id, delta: -1, back: '/cart' }
  const headers = { origin: web }
  await context.request.post(`${web}/cart/lines`, { form, headers, maxRedirects: 0 })
  await openHydrated(page, inLang('/cart', lang))
  const note = page.locator('.notes form button')
  assert.equal(await note.innerText(), text(lang, 'cart.undo'))
  assert.ok(await note.isVisible())
  await openLine(page, 0)
  await page.locator('.line .remove button').first().click()
  await keepToast(page.locator('.toast[data-undo]'))
  assert.ok(await page.locator('.toast[data-undo] button').isVisible())
  assert.equal(await note.isVisible(), false)
  await context.close()
}
