/** Open menus and carts follow the venue: stock, prices, opening, the bill of the table (beyond.md, 9). */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { fillRow, payInCash } from './flows.mjs'
import {
  atUrl,
  fillCart,
  openHydrated,
  openPage,
  PATIENCE,
  pause,
  plainSpaces,
  putOff,
  text,
  unexpected,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'kk'
const undo = []

setStage()
afterEach(async () => {
  for (const [name, body] of undo.splice(0)) await product.sandboxApi.set(name, body)
})

const here = (body) => ({ filial_id: table.filial_id, ...body })

async function change(name, body, back) {
  undo.push([name, here({ ...body, ...back })])
  await product.sandboxApi.set(name, here(body))
}

const sellOut = (dish) => change('stock', { product_id: dish.id, available: false }, { available: true })
const dearer = (dish) => {
  const price = (dish.promo ?? dish.price) / 100
  return change('price', { product_id: dish.id, price: price + 150 }, { price })
}

/** The row of the menu itself, not the tile of a short list. */
const rowOf = (page, dish) => page.locator(`.dishes > .dish:has(a[href$="item=${dish.id}"])`).first()
/** Also of what lies out of sight. */
const words = async (locator) => plainSpaces(await locator.first().textContent())

/** `make bench` tells how soon (beyond.md, 9: within two seconds); here it is only that it happens. */
const shows = (check, what) => untilTrue(check, PATIENCE, what)

/** Marks the page, so that a load shows; waits until the stream has told its first state. */
async function followed(page) {
  await page.evaluate(() => {
    window.samePage = true
  })
  await page.waitForFunction(() => window.__heard > 0)
}

const stays = async (page) =>
  assert.equal(await page.evaluate(() => window.samePage), true, 'it was loaded anew')

/** Counts what the page hears and how many streams it holds open. */
const listen = () => {
  window.__heard = 0
  window.__open = 0
  const Real = window.EventSource
  window.EventSource = class extends Real {
    constructor(url) {
      super(url)
      window.__open += 1
      this.addEventListener('message', () => {
        window.__heard += 1
      })
    }
    close() {
      if (this.readyState !== 2) window.__open -= 1
      super.close()
    }
  }
}

async function opened(options) {
  const one = await openPage(browser, product, options)
  await one.page.addInitScript(listen)
  // A first word that is late would leave the page with asking.
  await putOff(one.page, [4000])
  return one
}

test('rows of an open menu and the way to the cart change in place', async () => {
  const [first, second, third] = table.plain
  const one = await opened()
  const { page, context, problems } = one
  await fillCart(one, table, [first, second])
  await openHydrated(page, table.qr)
  await followed(page)
  assert.ok(!(await words(rowOf(page, third))).includes(text(lang, 'menu.out')))

  await sellOut(third)
  await shows(
    async () => (await words(rowOf(page, third))).includes(text(lang, 'menu.out')),
    'a dish is sold out',
  )
  assert.equal(await rowOf(page, third).locator('button').count(), 0, 'it can not be added')
  assert.ok(!(await words(page.locator('.bar'))).includes(text(lang, 'cart.problems')), 'nothing of the cart')

  const before = await words(rowOf(page, second).locator('.price'))
  await dearer(second)
  await shows(
    async () => (await words(rowOf(page, second).locator('.price'))) !== before,
    'the price of a dish',
  )
  await shows(
    async () => (await words(page.locator('.bar'))).includes(text(lang, 'cart.problems')),
    'the bar says that the cart has changed',
  )
  const told = text(lang, 'live.price', { name: second.name })
  await untilTrue(
    async () => (await page.locator('.toast[role="status"]').allTextContents()).includes(told),
    PATIENCE,
  )
  await stays(page)
  await goesAfterThreeSeconds(page.locator('.toast[role="status"]').last())
  assert.deepEqual(problems, [])
  await context.close()
})

/** UI-06, by the toast's own clock: how soon a busy machine draws says nothing of it. */
async function goesAfterThreeSeconds(toast) {
  const seen = await toast.evaluate((one) => {
    const clock = one.getAnimations().find(({ animationName }) => animationName === 'toast')
    // It has come.
    for (const other of one.getAnimations()) if (other !== clock) other.finish()
    clock.pause()
    return [2999, 3200].map((time) => {
      clock.currentTime = time
      const { opacity, visibility } = getComputedStyle(one)
      return `${opacity} ${visibility}`
    })
  })
  assert.deepEqual(seen, ['1 visible', '0 hidden'])
}

test('no row is drawn anew that says the same: neither at the first word of the venue nor at a change of another', async () => {
  const { page, context } = await opened()
  await openHydrated(page, table.qr)
  // React puts new props on what it draws anew.
  await page.evaluate(() => {
    const propsOf = (row) => row[Object.keys(row).find((key) => key.startsWith('__reactProps$'))]
    const rows = [...document.querySelectorAll('.dish')].map((row) => [row, propsOf(row), row.textContent])
    window.__drawn = () =>
      rows
        .filter(([row, props, words]) => propsOf(row) !== props && row.textContent === words)
        .map(([row]) => row.textContent)
  })
  await followed(page)
  // React draws what a store tells in the same task; the frame after it is later.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  assert.deepEqual(await page.evaluate(() => window.__drawn()), [])
  const dish = table.plain.at(-1)
  await sellOut(dish)
  await shows(async () => (await words(rowOf(page, dish))).includes(text(lang, 'menu.out')), 'it is sold out')
  assert.deepEqual(await page.evaluate(() => window.__drawn()), [])
  await context.close()
})

test('beside a wide menu the line of the cart itself tells the new price', async () => {
  const [dish] = table.plain
  const one = await opened({ viewport: { width: 1280, height: 800 } })
  const { page, context } = one
  await fillCart(one, table, [dish])
  await openHydrated(page, table.qr)
  await followed(page)
  const line = page.locator('.beside .brief')
  const before = await words(line.locator('.num').first())
  await dearer(dish)
  await shows(async () => (await line.locator('s').count()) === 1, 'the line strikes its old price')
  assert.notEqual(await words(line.locator('.num').first()), before)
  await sellOut(dish)
  await shows(
    async () => (await words(line)).includes(plainSpaces(text(lang, 'cart.rebuild', { name: dish.name }))),
    'the line is sold out',
  )
  await stays(page)
  await context.close()
})

test('an open cart is repaired in place before the order, with the exact words', async () => {
  // Others than before: what has just come back is sold again only a moment later.
  const [first, second, third] = table.plain.slice(3)
  const one = await opened()
  const { page, context, problems } = one
  await fillCart(one, table, [first, second, third])
  await openHydrated(page, '/cart')
  await payInCash(page)
  await fillRow(page, 'comment', 'Тұзсыз')
  await followed(page)
  await sellOut(first)
  const main = page.locator('main')
  await shows(
    async () => (await words(main)).includes(plainSpaces(text(lang, 'cart.gone', { name: first.name }))),
    'the cart names what is gone',
  )
  await dearer(second)
  await shows(
    async () =>
      (await words(main)).includes(plainSpaces(text(lang, 'cart.priceChanged', { name: second.name }))),
    'the cart names what costs more',
  )
  assert.ok(
    (await words(page.locator('.checkout'))).includes(text(lang, 'block.problems')),
    'the order explains',
  )
  assert.equal(await page.locator('textarea[name="comment"]').inputValue(), 'Тұзсыз', 'nothing typed is lost')
  await stays(page)

  await page.locator('form[action="/cart/repair"] button').click()
  await untilTrue(async () => (await page.locator('#block-problems').count()) === 0)
  const before = (await product.sandboxApi.orders()).length
  await page.locator('form[action="/orders"] button[type="submit"]').first().click()
  await atUrl(page, /\/filials\/\d+\/order\//)
  assert.equal((await product.sandboxApi.orders()).length, before + 1, 'what is left is a good order')
  assert.deepEqual(problems, [])
  await context.close()
})

test('a venue that closes takes the buttons away and says why, and brings them back', async () => {
  const { page, context, problems } = await opened()
  await openHydrated(page, table.qr)
  await followed(page)
  const plus = page.locator('.dish .plus')
  assert.ok((await plus.count()) > 0)
  await change('opening', { closed: true }, { closed: false })
  await shows(async () => (await plus.count()) === 0, 'closed')
  assert.ok((await words(page.locator('.about'))).includes(text(lang, 'venue.closed').slice(0, 4)))
  assert.ok((await page.locator('.toast').allTextContents()).includes(text(lang, 'live.closed')))
  await product.sandboxApi.set('opening', here({ closed: false }))
  await shows(async () => (await plus.count()) > 0, 'open again')
  await stays(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a venue that closes under the sheet of a dish is told in the sheet', async () => {
  const { page, context } = await opened()
  await openHydrated(page, table.qr)
  await followed(page)
  await page.locator(`main a[href*="item=${table.plain[0].id}"]`).first().click()
  const sheet = page.locator('dialog.sheet:modal')
  await sheet.locator('input[name="note"]').waitFor()
  await change('opening', { closed: true }, { closed: false })
  await sheet.locator('.toast').getByText(text(lang, 'live.closed')).waitFor()
  const add = sheet.locator('form[action="/cart/lines"]')
  assert.equal(await add.count(), 0)
  await product.sandboxApi.set('opening', here({ closed: false }))
  await shows(async () => (await add.count()) > 0, 'open again')
  await context.close()
})

test('a table whose bill is opened learns of it, in the menu and in the cart', async () => {
  const one = await opened()
  const { page, context } = one
  await fillCart(one, table, [table.plain[0]])
  for (const address of [`/filials/${table.filial_id}`, '/cart']) {
    await openHydrated(page, address)
    await followed(page)
    // Which table that is the visit knows.
    const note = page.locator(`main a[href="/filials/${table.filial_id}/bill"]`)
    assert.equal(await note.count(), 0)
    await change('check-pulling', { enabled: true }, { enabled: false })
    await shows(async () => (await note.count()) === 1, `the bill on ${address}`)
    await product.sandboxApi.set('check-pulling', here({ enabled: false }))
    await shows(async () => (await note.count()) === 0, `no bill on ${address}`)
  }
  await context.close()
})

test('with the stream cut nothing changes by itself and the order tells the same', async () => {
  const [first, second] = table.plain
  const one = await opened()
  const { page, context, problems } = one
  await context.route(/\/events/, (route) => route.abort())
  await fillCart(one, table, [first, second])
  await openHydrated(page, '/cart')
  await payInCash(page)
  await sellOut(first)
  await pause(2500)
  const gone = plainSpaces(text(lang, 'cart.gone', { name: first.name }))
  assert.ok(!(await words(page.locator('main'))).includes(gone), 'without the stream nobody tells it')
  await page.locator('form[action="/orders"] button[type="submit"]').first().click()
  await untilTrue(
    async () => (await words(page.locator('main'))).includes(gone),
    PATIENCE,
    'told at the order',
  )
  assert.match(page.url(), /\/cart$/)
  assert.deepEqual(unexpected(problems, { problem: /events|ERR_FAILED|422/ }), [])
  await context.close()
})

test('a hidden page holds no stream, and catches up when it is shown again', async () => {
  const [dish] = table.plain
  const { page, context } = await opened()
  await openHydrated(page, table.qr)
  await followed(page)
  assert.equal(await page.evaluate(() => window.__open), 1)
  const show = (state) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await show('hidden')
  assert.equal(await page.evaluate(() => window.__open), 0)
  await sellOut(dish)
  await pause(1500)
  assert.ok(!(await words(rowOf(page, dish))).includes(text(lang, 'menu.out')))
  await show('visible')
  await untilTrue(async () => (await words(rowOf(page, dish))).includes(text(lang, 'menu.out')))
  assert.equal(await page.evaluate(() => window.__open), 1)
  await context.close()
})

test('the script of changes comes after hydration and is no part of the first view', async () => {
  const { page, context, requests } = await opened()
  const answer = await openHydrated(page, table.qr)
  const script = /\/assets\/live-menu-[^/]+\.js$/
  assert.ok(!(await answer.text()).includes('live-menu'), 'the document does not ask for it')
  await untilTrue(() => requests.some((one) => script.test(one.url())))
  const at = requests.findIndex((one) => script.test(one.url()))
  const entry = requests.findIndex((one) => /\/assets\/menu-[^/]+\.js$/.test(one.url()))
  assert.ok(entry >= 0 && entry < at)
  await context.close()
})
