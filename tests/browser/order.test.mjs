/** Ordering with the scripts at work: by finger, by keyboard, in a hurry, in two tabs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseDish, chooseWay, payInCash, showsStatus } from './flows.mjs'
import {
  addPlain,
  atUrl,
  cartOf,
  dataOf,
  fillCart,
  importSource,
  openHydrated,
  openPage,
  PATIENCE,
  pause,
  plainSpaces,
  putOff,
  text,
  untilTrue,
  watch,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { placeOrder, states } from './states.mjs'

const lang = 'kk'
setStage()

const orders = async () => (await product.sandboxApi.orders()).length
const orderButton = (page) => page.locator('form[action="/orders"] button[type="submit"]').first()

test('a guest goes from home to a venue, a dish, the cart, the order, and sees it completed live', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, table.qr)
  await openHydrated(page, '/')
  await page.locator('main a[href^="/filials/"]').first().click()
  await atUrl(page, /\/filials\/\d+/)
  await openHydrated(page, table.qr)
  await chooseDish(page, table, lang)
  await page.locator('a[href="/cart"]:not(.skip):visible').last().click()
  await atUrl(page, /\/cart$/)
  await payInCash(page)
  await page.evaluate(() => {
    window.samePage = true
  })
  await orderButton(page).click()
  await atUrl(page, /\/filials\/\d+\/order\//)
  await product.sandboxApi.set('speed', { factor: 20 })
  try {
    await showsStatus(page, lang, 'completed')
  } finally {
    await product.sandboxApi.set('speed', { factor: 0.001 })
  }
  assert.equal(await page.evaluate(() => window.samePage), true, 'the page was loaded anew')
  assert.equal(await cartOf(page), null)
  assert.deepEqual(problems, [])
  await context.close()
})

test('the status changes on the open page through the event stream alone', async () => {
  const opened = await openPage(browser, product)
  const { page, context, requests } = opened
  // The time after which the stream's first word is not waited for any more.
  await putOff(page, [4000])
  const id = await placeOrder({ product, table, lang, opened })
  const asked = requests.length
  for (const status of ['cooking', 'ready', 'completed']) {
    await product.sandboxApi.set('order/status', { order_id: id, status })
    await showsStatus(page, lang, status)
  }
  const later = requests.slice(asked).filter((one) => one.resourceType() !== 'eventsource')
  // What each page fetches at rest, whatever it is about; a busy browser asks for the page's sign late.
  const atRest = /\/(assets|static)\/|\/client-settings$|\/favicon\.svg$/
  assert.deepEqual(
    later.map((one) => one.url()).filter((one) => !atRest.test(one)),
    [],
  )
  await context.close()
})

test('the order page falls back to asking when the stream is cut', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await context.route(/\/events|event-stream|\/stream/, (route) => route.abort())
  const id = await placeOrder({ product, table, lang, opened })
  await product.sandboxApi.set('order/status', { order_id: id, status: 'ready' })
  await showsStatus(page, lang, 'ready')
  await context.close()
})

test('a double tap on Order makes one order', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, [table.plain[0]])
  await openHydrated(page, '/cart')
  await payInCash(page)
  const before = await orders()
  await orderButton(page).evaluate((element) => {
    element.click()
    element.click()
  })
  await atUrl(page, /\/filials\/\d+\/order\//)
  await pause(500)
  assert.equal(await orders(), before + 1)
  await context.close()
})

test('two tabs that order together make one order and both show it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, [table.plain[0], table.plain[1]])
  const second = await context.newPage()
  watch(second, product.web)
  for (const tab of [page, second]) {
    await openHydrated(tab, '/cart')
    await payInCash(tab)
  }
  const before = await orders()
  await Promise.all([page, second].map((tab) => orderButton(tab).click({ noWaitAfter: true })))
  await Promise.all([page, second].map((tab) => atUrl(tab, /\/filials\/\d+\/order\//)))
  assert.equal(new URL(page.url()).pathname, new URL(second.url()).pathname)
  assert.equal(await orders(), before + 1)
  await context.close()
})

test('the answer to Order is lost after the kitchen took it: one order, and the guest sees it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, [table.plain[0]])
  await openHydrated(page, '/cart')
  await payInCash(page)
  const before = await orders()
  await product.sandboxApi.set('faults', {
    path: '/takeaway/v1/express/order',
    method: 'POST',
    kind: 'reset',
    times: 1,
    after_commit: true,
  })
  await orderButton(page).click()
  await atUrl(page, /\/filials\/\d+\/order\//)
  await product.sandboxApi.clear('faults')
  assert.equal(await orders(), before + 1)
  await context.close()
})

test('two tabs that add at once lose nothing', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await openHydrated(page, table.qr)
  const second = await context.newPage()
  await openHydrated(second, table.qr)
  for (let round = 0; round < 5; round++) {
    await Promise.all([addOne(page, table.plain[0]), addOne(second, table.plain[1])])
  }
  await untilTrue(async () => (await cartOf(page))?.count === 10, PATIENCE, 'ten pieces')
  const quantities = (await cartOf(page)).lines.map((line) => line.qty)
  assert.deepEqual(quantities, [5, 5])
  await context.close()
})

const addOne = (page, dish) =>
  page.evaluate((id) => {
    const form = document.querySelector(`form:has(input[name="product"][value="${id}"])`)
    const buttons = [...form.querySelectorAll('button')]
    ;(buttons.find((one) => one.value !== '-1') ?? buttons[0]).click()
  }, dish.id)

test('a change that fails is taken back with a word beside it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await openHydrated(page, table.qr)
  await context.route(/\/cart\/lines/, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await addPlain(page, table.plain[0])
  await untilTrue(
    async () => plainSpaces(await page.locator('body').innerText()).includes(text(lang, 'flash.failed')),
    PATIENCE,
    'the page says that it failed',
  )
  // Of the connection the line above the page tells, once.
  const words = page.locator('.dish .error').filter({ visible: true }).first()
  assert.ok(!(await words.innerText()).includes(text(lang, 'app.poor')))
  assert.equal(await page.locator('a[href="/cart"][class*="bar"]').count(), 0)
  assert.equal(await cartOf(page), null)
  await context.close()
})

/** Presses Tab until the focus is on what `selector` names; checks that bars never cover the focus. */
async function tabTo(page, selector, limit = 300) {
  for (let step = 0; step < limit; step++) {
    await page.keyboard.press('Tab')
    const state = await page.evaluate((wanted) => {
      const active = document.activeElement
      // The first line of a link that goes on in a second one: the middle of both may be on another link.
      const box = active.getClientRects()[0] ?? active.getBoundingClientRect()
      const x = box.left + box.width / 2
      const y = box.top + box.height / 2
      const top = document.elementFromPoint(x, y)
      const label =
        active.closest('label') ?? (active.id ? document.querySelector(`label[for="${active.id}"]`) : null)
      const seen = !top || active.contains(top) || top.contains(active) || label?.contains(top)
      return {
        there: active.matches(wanted),
        covered: !seen && box.width > 1,
        name: active.outerHTML.slice(0, 160),
      }
    }, selector)
    assert.equal(state.covered, false, `the focus is covered: ${state.name}`)
    if (state.there) return
  }
  assert.fail(`${selector} was not reached in ${limit} steps`)
}

test('an order is made with the keyboard alone', async () => {
  const { page, context, problems } = await openPage(browser, product)
  const dish = table.plain[0]
  await openHydrated(page, table.qr)
  await tabTo(page, `form:has(input[name="product"][value="${dish.id}"]) button`)
  await page.keyboard.press('Enter')
  await untilTrue(async () => (await cartOf(page))?.count === 1)
  await tabTo(page, 'a[href="/cart"]', 1_000)
  await page.keyboard.press('Enter')
  await atUrl(page, /\/cart$/)
  const cash = page.locator('input[name="payment"][value="cash"]')
  await cash.waitFor({ state: 'attached' })
  if ((await cash.getAttribute('type')) === 'radio') {
    await tabTo(page, 'input[name="payment"]')
    for (let step = 0; step < 3 && !(await cash.isChecked()); step++) await page.keyboard.press('ArrowDown')
  }
  await tabTo(page, 'form[action="/orders"] button[type="submit"], button[form][type="submit"]')
  await page.keyboard.press('Enter')
  await atUrl(page, /\/filials\/\d+\/order\//)
  // On a slow machine the focus rests on the table's chip for as long as a prefetch waits: there is no bill yet.
  assert.deepEqual(
    problems.filter((one) => !/\/_data\/filials\/\d+\/bill/.test(one)),
    [],
  )
  await context.close()
})

test('a finger puts a sheet away by 70 px from its top; scrolled content scrolls', async () => {
  const { page, context } = await openPage(browser, product, { hasTouch: true })
  await openHydrated(page, `${table.qr}&item=${table.withGroup.id}`)
  const sheet = page.locator('dialog.sheet:modal')
  await sheet.waitFor()
  const look = await sheet.evaluate((dialog) => ({
    share: dialog.getBoundingClientRect().height / innerHeight,
    most: getComputedStyle(dialog).maxHeight,
    shift: getComputedStyle(dialog).transform,
  }))
  assert.equal(look.most, '703px', '95 % of 740')
  assert.ok(look.share <= 0.951, `at most 95 % high: ${look.share} ${look.most}`)
  assert.ok(await sheet.locator('a, button').first().isVisible(), 'a way without a finger')
  const swipe = (pixels, scrolled = 0) =>
    sheet.evaluate(
      (dialog, [way, top]) => {
        dialog.scrollTop = top
        const fire = (type, y) => {
          const touch = new Touch({ identifier: 1, target: dialog, clientX: 100, clientY: y })
          const touches = type === 'touchend' ? [] : [touch]
          dialog.dispatchEvent(new TouchEvent(type, { touches, changedTouches: [touch], bubbles: true }))
        }
        fire('touchstart', 300)
        fire('touchmove', 300 + way / 2)
        fire('touchmove', 300 + way)
        const moved = dialog.style.transform
        fire('touchend', 300 + way)
        return { moved, after: dialog.style.transform, scroll: dialog.scrollTop }
      },
      [pixels, scrolled],
    )
  assert.deepEqual(
    await swipe(69),
    { moved: 'translateY(69px)', after: '', scroll: 0 },
    'it follows and snaps back',
  )
  await page.setViewportSize({ width: 360, height: 320 })
  const scrolled = await swipe(200, 40)
  assert.ok(scrolled.scroll > 0, 'there is something to scroll')
  assert.equal(scrolled.moved, '')
  assert.ok(await sheet.isVisible())
  assert.equal((await swipe(70)).after, 'translateY(70px)', 'it leaves from where the finger has put it')
  await sheet.waitFor({ state: 'detached' })
  await atUrl(page, (url) => !url.searchParams.has('item'))
  await context.close()
})

test('Escape and Back close the sheet of a dish and bring the focus back', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, table.qr)
  const link = page.locator(`main a[href*="item=${table.withGroup.id}"]`).first()
  await link.click()
  await page.locator('dialog.sheet:modal form[action="/cart/lines"] button[type="submit"]').last().waitFor()
  await page.keyboard.press('Escape')
  await atUrl(page, (url) => !url.searchParams.has('item'))
  await untilTrue(() => link.evaluate((element) => element === document.activeElement))
  await link.click()
  await page.locator('dialog.sheet:modal').waitFor()
  await page.goBack()
  await page.locator('dialog.sheet').waitFor({ state: 'detached' })
  await atUrl(page, (url) => !url.searchParams.has('item'))
  await untilTrue(() => link.evaluate((element) => element === document.activeElement))
  await context.close()
})

test('an order in cash says whom to pay and how much, until it is over', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  const id = await placeOrder({ product, table, lang, opened })
  // The data stand in the document of the page.
  await openHydrated(page, page.url())
  const { totals, money } = (await dataOf(page)).page.data
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const sum = formatMoney(totals.find(({ kind }) => kind === 'total').sum, money)
  const says = page.locator('.now').getByText(text(lang, 'order.payCash', { to: 'waiter', sum }))
  await says.waitFor()
  await product.sandboxApi.set('order/status', { order_id: id, status: 'completed' })
  await says.waitFor({ state: 'detached' })
  assert.deepEqual(problems, [])
  await context.close()
})

test('an order that is brought keeps the time at the door that its cart has promised', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await states.find(({ name }) => name === 'cart-delivery').open({ product, opened, table, lang })
  const confirm = page.locator('form[action="/addresses/confirm"] button')
  await chooseWay(page, 'cash')
  const door = await page.locator('.checkout [name="door"]').inputValue()
  assert.match(door, /^\d+-\d+\.[\w-]+$/)
  if (await confirm.count()) await confirm.click()
  await orderButton(page).click()
  await atUrl(page, /\/(typ|filials)\/\d+\/order\/|\/orders\//)
  await openHydrated(page, page.url())
  await page.locator('.brings').waitFor()
  const { delivery, utcOffset, createdAt } = (await dataOf(page)).page.data
  const [min, max] = door.match(/\d+/g).map((minutes) => Number(minutes) * 60_000)
  assert.equal(delivery.promise.until - delivery.promise.from, max - min)
  assert.ok(Math.abs(delivery.promise.from - createdAt - min) < 60_000)
  const { formatTime } = await importSource('components/lib/format/format.ts')
  const [from, until] = [delivery.promise.from, delivery.promise.until].map((at) => formatTime(at, utcOffset))
  // Before the time at which the kitchen is done, and larger.
  const told = plainSpaces(await page.locator('.now .ready-at').innerText())
  assert.ok(told.includes(text(lang, 'order.promised', { time: `${from}–${until}` })), told)
  await context.close()
})
