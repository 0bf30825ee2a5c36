/** A tablet of a venue in a browser: it rests, wakes, asks and forgets (UI-13, KS-02, KS-07, AX-06, AX-07, ST-15). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from './axe.mjs'
import { chooseWay, payInCash, pressOrder } from './flows.mjs'
import {
  addPlain,
  atRest,
  atUrl,
  begun,
  cartOf,
  dataOf,
  hydrated,
  inLang,
  LANGS,
  openHydrated,
  openPage,
  pause,
  text,
  untilTrue,
} from './harness.mjs'
import { filesWith } from './scripts.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const REST = '/kiosk/filials/1043?source=TABLET'
const TABLET = { viewport: { width: 1280, height: 800 } }
/** Idle time, and the question's. */
const [IDLE, WARNING] = [90_000, 20_000]

setStage()

/** A tablet as its owner leaves it, with a clock of its own. */
async function openTablet(address = REST, options = TABLET) {
  const opened = await openPage(browser, product, options)
  await opened.page.clock.install()
  await openHydrated(opened.page, address)
  const veil = opened.page.locator('dialog.veil')
  await veil.waitFor()
  const lang = (await dataOf(opened.page)).shell.lang
  const say = (key, values) => text(lang, key, values)
  return { ...opened, veil, lang, say }
}

async function wake({ page, veil, say }) {
  await page.getByRole('button', { name: say('kiosk.start') }).click()
  await veil.waitFor({ state: 'detached' })
}

/** A dish in the cart, and the server's word on it. */
async function order({ page }) {
  const { page: menu } = await dataOf(page)
  const dish = menu.data.categories.flatMap((one) => one.products).find((one) => !one.options && !one.out)
  await addPlain(page, dish)
  await untilTrue(async () => (await cartOf(page))?.count === 1)
}

const toCart = ({ page }) => page.locator('a[href="/kiosk/cart"]:not(.skip):visible').first().click()

/** A guest comes, orders a dish in cash, and is shown the page of the order. */
async function orderInCash(tablet) {
  const { page } = tablet
  await wake(tablet)
  await order(tablet)
  await toCart(tablet)
  await page.locator('.cart').waitFor()
  await payInCash(page)
  await pressOrder(page)
  await atUrl(page, /\/order\//)
}

/** Everything that a browser may keep of a guest: cookies by name, storage, caches. */
async function keptBy({ page, context }) {
  const cookies = (await context.cookies()).map((one) => one.name).sort()
  const stored = await page.evaluate(async () => ({
    local: Object.entries(localStorage),
    session: Object.keys(sessionStorage).filter((name) => !name.startsWith('react-router')),
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map((one) => one.name),
  }))
  return { cookies, ...stored }
}

/** From here on the tablet's time passes only where a test lets it: none of it goes by while the machine is busy. */
const holdTime = ({ page }) => page.evaluate(() => Date.now()).then((now) => page.clock.pauseAt(now + 30_000))

/** Links and forms of the page that lead to a page of ours without the prefix of a tablet, or with two of them. */
const strays = ({ page }) =>
  page.evaluate(() =>
    [...document.querySelectorAll('a[href^="/"], form[action^="/"]')]
      .map((one) => one.getAttribute('href') ?? one.getAttribute('action'))
      .filter((address) => !/^\/kiosk\/(?!kiosk\/)/.test(address)),
  )

const question = (tablet) => tablet.page.getByRole('dialog', { name: tablet.say('kiosk.stillHere') })

test('it rests until it is touched anywhere, and then shows the menu', async () => {
  const tablet = await openTablet()
  const { page, veil, context, problems } = tablet
  await veil.getByRole('heading', { level: 1, name: (await dataOf(page)).page.data.venue.name }).waitFor()
  const corners = [
    [5, 5],
    [1275, 795],
    [640, 20],
    [20, 780],
  ]
  for (const [x, y] of corners) {
    const reached = await page.evaluate(
      ([left, top]) => document.elementFromPoint(left, top)?.className,
      [x, y],
    )
    assert.match(reached, /wake/, `${x}, ${y}`)
  }
  await page.mouse.click(5, 5)
  await veil.waitFor({ state: 'detached' })
  await order(tablet)
  assert.deepEqual(problems, [])
  await context.close()
})

test('every address of a tablet keeps the prefix: opened, drawn, gone back to, loaded anew', async () => {
  // Who sets it up may leave the prefix out.
  const tablet = await openTablet('/filials/1043?source=TABLET')
  const { page, context, say, problems } = tablet
  const at = (path) => atUrl(page, new URL(path, product.web).href)
  await at(REST)
  await wake(tablet)
  await order(tablet)
  assert.deepEqual(await strays(tablet), [])
  const documents = []
  page.on('request', (one) => one.isNavigationRequest() && documents.push(one.url()))
  const dish = page.locator('main a[href*="item="]:visible').first()
  await dish.click()
  await page.locator('dialog form').first().waitFor()
  assert.match(page.url(), /\/kiosk\/filials\/1043\?item=/)
  await untilTrue(async () => (await strays(tablet)).length === 0)
  await page.goBack()
  await at(REST)
  await toCart(tablet)
  await page.getByRole('heading', { level: 1, name: say('cart.title') }).waitFor()
  await at('/kiosk/cart')
  // A change of the cart is drawn anew.
  await page.locator('main form[action*="/cart/lines/"] button[value="1"]:visible').first().click()
  await untilTrue(async () => (await cartOf(page)).count === 2)
  await untilTrue(async () => (await strays(tablet)).length === 0)
  assert.deepEqual(documents, [], 'all that was inside the app')
  await page.reload()
  await hydrated(page)
  await at('/kiosk/cart')
  await page.goBack()
  await at(REST)
  assert.deepEqual(await strays(tablet), [])
  assert.deepEqual(problems, [])
  await context.close()
})

test('Esc does not open it, Enter does', async () => {
  const { page, veil, context } = await openTablet()
  // Not even for a moment: what a guest does then would reach the page below.
  await veil.evaluate((dialog) => {
    window.veilClosed = 0
    const note = () => {
      if (!dialog.open) window.veilClosed += 1
    }
    new MutationObserver(note).observe(dialog, { attributes: true })
    dialog.addEventListener('close', () => {
      window.veilClosed += 1
    })
  })
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('Escape')
  assert.equal(await page.evaluate(() => window.veilClosed), 0)
  assert.ok(await veil.isVisible())
  await page.keyboard.press('Enter')
  await veil.waitFor({ state: 'detached' })
  await context.close()
})

test('a language is chosen while it rests, and the menu opens in it', async () => {
  const { page, context } = await openTablet()
  await page.locator('dialog.veil a[hreflang="en"]').click()
  await atUrl(page, /lang=en/)
  await hydrated(page)
  assert.equal(await page.locator('html').getAttribute('lang'), 'en')
  // Who has chosen is there: it does not rest again.
  await page.waitForFunction(() => localStorage.getItem('touched') !== null)
  await page.clock.runFor(2000)
  assert.equal(await page.locator('dialog.veil').count(), 0)
  await context.close()
})

test('it asks after ninety seconds, and a guest who answers keeps the cart', async () => {
  const tablet = await openTablet()
  const { page, context, say } = tablet
  await holdTime(tablet)
  await wake(tablet)
  await order(tablet)
  await page.clock.fastForward(IDLE - 20_000)
  assert.equal(await question(tablet).count(), 0)
  // Any touch puts it off, the wheel as well. It comes when the browser gets to it.
  await page.evaluate(() => {
    addEventListener('scrollend', () => Object.assign(window, { scrolled: true }), { once: true })
  })
  await page.mouse.wheel(0, 200)
  await page.waitForFunction(() => window.scrolled)
  await page.clock.fastForward(IDLE - 10_000)
  assert.equal(await question(tablet).count(), 0)
  await page.clock.fastForward(12_000)
  await question(tablet).waitFor()
  await page.getByRole('timer').filter({ hasText: /\d/ }).waitFor()
  const here = page.getByRole('button', { name: say('kiosk.here') })
  assert.ok(await here.evaluate((button) => button === document.activeElement))
  await here.click()
  await question(tablet).waitFor({ state: 'detached' })
  await page.clock.fastForward(IDLE - 10_000)
  assert.equal(await question(tablet).count(), 0)
  assert.equal((await cartOf(page)).count, 1)
  // Esc says the same.
  await page.clock.fastForward(12_000)
  await question(tablet).waitFor()
  await page.keyboard.press('Escape')
  await question(tablet).waitFor({ state: 'detached' })
  assert.equal((await cartOf(page)).count, 1)
  await context.close()
})

test('without an answer nothing of the guest is left, in the browser or on the server', async () => {
  const tablet = await openTablet()
  const { page, context, veil } = tablet
  const clean = await keptBy(tablet)
  await wake(tablet)
  await order(tablet)
  await openHydrated(page, inLang('/kiosk/filials/1043', 'ru'))
  await page.evaluate(() => {
    localStorage.setItem('searchHistory', JSON.stringify({ version: 1, value: ['плов'] }))
    localStorage.setItem('drafts', '{}')
  })
  await toCart(tablet)
  await page.getByRole('heading', { level: 1, name: text('ru', 'cart.title') }).waitFor()
  assert.notDeepEqual(await keptBy(tablet), clean)

  await page.clock.fastForward(IDLE + 1000)
  await page.getByRole('dialog', { name: text('ru', 'kiosk.stillHere') }).waitFor()
  await page.clock.fastForward(WARNING)
  await atUrl(page, new URL(REST, product.web).href)
  await hydrated(page)
  await veil.waitFor()
  assert.deepEqual(await keptBy(tablet), clean)
  assert.equal(await cartOf(page), null)
  assert.equal(await page.locator('html').getAttribute('lang'), 'kk')

  // The history leads to pages of the next guest only.
  await page.goBack({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
  assert.equal((await dataOf(page)).shell.cart, null)
  await veil.waitFor()
  await context.close()
})

test('nothing of a booking is kept when its page goes', async () => {
  // With a clock of a test no script is seen to begin.
  const { page, context } = await openPage(browser, product, TABLET)
  await openHydrated(page, REST)
  await page.getByRole('button', { name: text('kk', 'kiosk.start') }).click()
  await openHydrated(page, `/kiosk/brands/booking?filial=${table.filial_id}`)
  await begun(page, 'background-')
  await page.locator('form.table-for [name="name"]').fill('Айгүл')
  await page.locator('form.table-for [name="phone"]').fill('12')
  await page.locator('form.table-for button[type="submit"]').last().click()
  await page.locator('form.table-for .error').first().waitFor()
  await begun(page, 'background-')
  await page.locator('form.table-for [name="phone"]').fill('123')
  await page.evaluate(() => dispatchEvent(new Event('pagehide')))
  assert.equal(await page.evaluate(() => sessionStorage.getItem('typed')), null)
  assert.equal(await page.evaluate(() => localStorage.getItem('forms')), null)
  await context.close()
})

test('the guest may say to be done', async () => {
  const tablet = await openTablet()
  const { page, context, say } = tablet
  await holdTime(tablet)
  await wake(tablet)
  await order(tablet)
  await page.clock.fastForward(IDLE + 1000)
  await page.getByRole('button', { name: say('kiosk.done') }).click()
  await page.getByRole('button', { name: say('kiosk.start') }).waitFor()
  assert.equal(await cartOf(page), null)
  await context.close()
})

test('what the page moves by itself under a resting pointer is no guest', async () => {
  const tablet = await openTablet()
  const { page, context } = tablet
  await holdTime(tablet)
  await wake(tablet)
  await order(tablet)
  await page.mouse.move(600, 400)
  await page.clock.fastForward(IDLE - 10_000)
  // A page that scrolls tells that, and what moves under the pointer makes Chromium tell its place again.
  await page.evaluate(() => {
    addEventListener('scrollend', () => Object.assign(window, { scrolled: true }), { once: true })
    const room = document.createElement('div')
    room.id = 'room'
    room.style.blockSize = '3000px'
    document.querySelector('main').prepend(room)
    scrollTo(0, 200)
  })
  await page.waitForFunction(() => window.scrolled)
  for (const size of ['2000px', '3000px', '2500px']) {
    await page.locator('#room').evaluate((room, wanted) => {
      room.style.blockSize = wanted
    }, size)
    await pause(200)
  }
  await page.clock.fastForward(11_000)
  await question(tablet).waitFor()
  await context.close()
})

test('without a connection it sends guests to the counter and forgets the last one later', async () => {
  const tablet = await openTablet()
  const { page, context, veil, say } = tablet
  await holdTime(tablet)
  await wake(tablet)
  await order(tablet)
  await context.setOffline(true)
  await page.locator('.connection[data-poor]').waitFor()
  await page.clock.fastForward(IDLE + 1000)
  await question(tablet).waitFor()
  await page.clock.fastForward(WARNING)
  await page.getByRole('heading', { level: 1, name: say('kiosk.offlineTitle') }).waitFor()
  await page.mouse.click(600, 400)
  await page.keyboard.press('Enter')
  assert.ok(await veil.isVisible())
  assert.equal(await page.getByRole('button', { name: say('kiosk.start') }).count(), 0)
  await context.setOffline(false)
  // The next look at the clock.
  await page.clock.runFor(6000)
  await page.getByRole('button', { name: say('kiosk.start') }).waitFor()
  assert.equal(await cartOf(page), null)
  await context.close()
})

test('a webview that dies keeps the order of a guest who comes right back, and no longer', async () => {
  const tablet = await openTablet()
  const { page, context, say } = tablet
  await wake(tablet)
  await order(tablet)
  const again = async () => {
    const other = await context.newPage()
    await openHydrated(other, '/kiosk/cart')
    await other.waitForFunction(() => document.documentElement.hasAttribute('data-kiosk'))
    return other
  }
  await page.close()
  const soon = await again()
  await soon.clock.runFor(2000)
  assert.equal(await soon.locator('dialog.veil').count(), 0)
  assert.equal((await cartOf(soon)).count, 1)
  await soon.close()
  await context.clock.fastForward(IDLE + WARNING + 60_000)
  const late = await again()
  await late.clock.runFor(3000)
  await late.getByRole('button', { name: say('kiosk.start') }).waitFor()
  assert.equal(await cartOf(late), null)
  await context.close()
})

test('after an order it asks sooner and says that the order stands', async () => {
  const atTable = '/kiosk/filials/1043?filial_id=1043&table_id=t3&main_terminal_id=1040&source=TABLET'
  const tablet = await openTablet(atTable)
  const { page, context, say } = tablet
  await holdTime(tablet)
  await wake(tablet)
  await order(tablet)
  await toCart(tablet)
  await page.locator('.cart').waitFor()
  assert.equal(await page.locator('.bonus').count(), 0, 'nobody signs in at a tablet')
  await page.getByRole('heading', { level: 1, name: say('cart.title') }).waitFor()
  await payInCash(page)
  await pressOrder(page)
  await atUrl(page, /\/order\//)
  await page.locator('.track').waitFor()
  assert.equal(await page.getByText(say('order.keep')).count(), 0, 'nobody closes the page of a tablet')
  // It counts from its first look at the clock on this page, and says so.
  await page.clock.runFor(1000)
  await page.clock.runFor(1000)
  assert.equal(await page.getByRole('timer').innerText(), say('kiosk.stands', { count: 29 }))
  await page.clock.fastForward(12_000)
  await question(tablet).getByText(say('kiosk.closes')).waitFor()
  await page.clock.fastForward(WARNING)
  // The tablet stands at its table for the next guest, too.
  await atUrl(page, new URL(atTable, product.web).href)
  await page.getByRole('button', { name: say('kiosk.start') }).waitFor()
  assert.equal((await dataOf(page)).shell.table.number, '3')
  assert.equal((await dataOf(page)).shell.activeOrder, null)
  // The order can't be read out of the history.
  await page.goBack({ waitUntil: 'domcontentloaded' })
  await atUrl(page, new URL(atTable, product.web).href)
  await page.getByRole('button', { name: say('kiosk.start') }).waitFor()
  await context.close()
})

test('who pays with a phone is not forgotten meanwhile, and is shown the number then', async () => {
  const tablet = await openTablet(
    '/kiosk/filials/1253?filial_id=1253&table_id=t3&main_terminal_id=1250&source=TABLET',
  )
  const { page, context } = tablet
  await holdTime(tablet)
  await wake(tablet)
  await order(tablet)
  await toCart(tablet)
  await page.locator('.cart').waitFor()
  await chooseWay(page, 'qr')
  await pressOrder(page)
  const waiting = page.locator('.paying[data-state="waiting"]')
  await waiting.waitFor()
  await page.clock.runFor(1000)
  // The server says how long the payment may take; nobody touches the tablet in most of it.
  const asked = page.waitForResponse((one) => one.url().includes('/pay/'))
  await page.clock.fastForward(IDLE + WARNING)
  await (await asked).finished()
  await page.clock.runFor(1000)
  assert.equal(await question(tablet).count(), 0)
  assert.equal(await tablet.veil.count(), 0)
  await waiting.waitFor()

  const bank = await page.evaluate(async () => {
    const answer = await fetch(location.pathname.replace('/kiosk/', '/kiosk/_data/'))
    return (await answer.json()).page.data.bank
  })
  await context.request.post(bank, { form: { outcome: 'succeeded', phone: '1' }, maxRedirects: 0 })
  await page.clock.runFor(6000)
  await page.locator('.track').waitFor()
  // Its time begins with the page of the order.
  await page.clock.runFor(2000)
  await page.getByRole('timer').waitFor()
  assert.equal(await question(tablet).count(), 0)
  await context.close()
})

test('where guests are served at tables the tablet has keys for the number of theirs', async () => {
  const tablet = await openTablet('/kiosk/filials/1253?source=TABLET')
  const { page, context, say, problems } = tablet
  await wake(tablet)
  await order(tablet)
  await toCart(tablet)
  // The order leads to the keys.
  await payInCash(page)
  await pressOrder(page)
  const keys = page.locator('#block-table')
  await untilTrue(() => keys.evaluate((section) => section === document.activeElement))
  const press = (name) => keys.getByRole('button', { name, exact: true }).click()
  for (const key of ['4', '2', say('keypad.erase'), '9']) await press(key)
  const field = keys.locator('input[name="table"]')
  assert.equal(await field.inputValue(), '49')
  await press(say('table.set'))
  await keys.locator('.error').waitFor()
  assert.equal(await field.inputValue(), '49')
  await press(say('keypad.erase'))
  await press(say('table.set'))
  await keys.waitFor({ state: 'detached' })
  await pressOrder(page)
  await atUrl(page, /\/order\//)
  await page.getByText(say('order.table'), { exact: true }).waitFor()
  assert.deepEqual(
    problems.filter((one) => !one.includes('422')),
    [],
  )
  await context.close()
})

test('the pictures can be stopped, and do not move for guests who want no motion', async () => {
  const tablet = await openTablet()
  const { page, context, say } = tablet
  await holdTime(tablet)
  const shown = (of = page) => of.locator('dialog.veil img[data-shown]').getAttribute('src')
  const first = await shown()
  await page.clock.runFor(8000)
  const second = await shown()
  assert.notEqual(second, first)
  await page.getByRole('button', { name: say('kiosk.pause') }).click()
  await page.clock.runFor(30_000)
  assert.equal(await shown(), second)
  await page.getByRole('button', { name: say('kiosk.play') }).click()
  await page.clock.runFor(8000)
  assert.notEqual(await shown(), second)
  await context.close()

  const still = await openTablet(REST, { ...TABLET, reducedMotion: 'reduce' })
  const only = await shown(still.page)
  await still.page.clock.runFor(30_000)
  assert.equal(await shown(still.page), only)
  assert.equal(await still.page.getByRole('button', { name: say('kiosk.pause') }).count(), 0)
  await still.context.close()
})

test('upright a picture is no higher than photos are, and sharp on a fine screen', async () => {
  const sizes = [
    [{ width: 1080, height: 1920 }, 1, 1080],
    [{ width: 800, height: 1280 }, 2, 1620],
  ]
  for (const [viewport, deviceScaleFactor, wide] of sizes) {
    const { page, context } = await openTablet(REST, { viewport, deviceScaleFactor })
    const photo = page.locator('dialog.veil img[data-shown]')
    assert.match(await photo.getAttribute('src'), new RegExp(`/${wide}/`))
    const { width, height } = await photo.boundingBox()
    assert.ok(width === viewport.width && height <= width * 0.75 + 1, `${width} × ${height}`)
    await context.close()
  }
})

test('a screen as high as its guests is filled, with large photos, words and buttons', async () => {
  for (const [viewport, inLine] of [
    [{ width: 1080, height: 1920 }, 3],
    [{ width: 1920, height: 1080 }, 4],
  ]) {
    const isUpright = viewport.height > viewport.width
    const tablet = await openTablet(REST, { viewport })
    const { page, context, problems } = tablet
    await wake(tablet)
    const tiles = page.locator('.menu .tiles:has(> :nth-child(4))').first().locator('.dish')
    const all = await tiles.evaluateAll((some) => some.map((one) => one.getBoundingClientRect().toJSON()))
    const line = all.filter(({ top }) => top === all[0].top)
    assert.equal(line.length, inLine, 'in a line')
    const [first, last] = [line[0], line.at(-1)]
    const cart = page.locator('.beside')
    assert.equal(await cart.isVisible(), !isUpright)
    const end = isUpright ? last.right : await cart.evaluate((one) => one.getBoundingClientRect().right)
    assert.ok(first.left <= 48 && end >= viewport.width - 48, 'from edge to edge')
    assert.ok(first.width >= 300, `${first.width} px`)
    const sizeOf = (one) => one.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))
    assert.ok((await sizeOf(tiles.first().locator('h3'))) >= 24)
    assert.ok((await sizeOf(tiles.first().locator('.price'))) >= 24)
    const plus = await page.locator('.tiles .plus').first().boundingBox()
    assert.ok(plus.width >= 80 && plus.height >= 80, JSON.stringify(plus))
    // Down to the row of the sections there are dishes, on a screen that stands below the face of the venue as well.
    if (!isUpright) await tiles.first().evaluate((one) => one.scrollIntoView())
    const rail = await page.locator('.rail').boundingBox()
    const filled = await page.evaluate(
      ([left, right, low]) => {
        const points = [1, 3, 5].flatMap((sixth) =>
          Array.from({ length: 20 }, (_, at) => [
            left + ((right - left) * sixth) / 6,
            (low * (at + 0.5)) / 20,
          ]),
        )
        const isDish = ([x, y]) => document.elementFromPoint(x, y)?.closest('.dish')
        return points.filter(isDish).length / points.length
      },
      [first.left, last.right, rail.y],
    )
    assert.ok(filled >= (isUpright ? 0.5 : 0.4), `${filled}`)
    for (const size of ['usual', 'large']) {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wide <= 0, `${size}: ${wide} px`)
      const head = await page.locator('.head > div').boundingBox()
      assert.ok(head.height <= 120, `${size}: a header of ${head.height} px`)
      if (size === 'large') break
      await page.locator('.letters button').click()
      await page.locator('.letters [value="usual"]').waitFor()
      await hydrated(page)
    }
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(problems, [])
    await context.close()
  }
})

test('the number of an order is read from two metres', async () => {
  for (const [viewport, least] of [
    [{ width: 1080, height: 1920 }, 180],
    [{ width: 1920, height: 1080 }, 200],
    [TABLET.viewport, 140],
    [{ width: 800, height: 1280 }, 140],
  ]) {
    const atTable = '/kiosk/filials/1043?filial_id=1043&table_id=t3&main_terminal_id=1040&source=TABLET'
    const tablet = await openTablet(atTable, { viewport })
    const { page, context } = tablet
    await holdTime(tablet)
    await orderInCash(tablet)
    const number = page.locator('.ticket')
    await number.waitFor()
    const { size, lines, inside } = await number.evaluate((one) => {
      const [box, card] = [one, one.closest('.card')].map((it) => it.getBoundingClientRect())
      const size = parseFloat(getComputedStyle(one).fontSize)
      const inside = box.right <= card.right && box.top >= 0 && box.bottom <= innerHeight / 2
      return { size, lines: one.getClientRects().length, inside }
    })
    assert.ok(size >= least && inside && lines === 1, JSON.stringify({ viewport, size, lines, inside }))
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    await context.close()
  }
})

test('resting and asking are accessible in every language, both themes, upright and lying', async () => {
  for (const [index, lang] of LANGS.entries()) {
    const colorScheme = index % 2 ? 'dark' : 'light'
    const viewport = index < 2 ? TABLET.viewport : { width: 768, height: 1024 }
    const tablet = await openTablet(inLang(REST, lang), { viewport, colorScheme })
    const { page, context, problems } = tablet
    const check = async (state) => {
      assert.deepEqual(await violations(page), [], `${lang}: ${state}`)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      assert.equal(wide, false, `${lang}: ${state}`)
    }
    await check('resting')
    await wake(tablet)
    await page.clock.fastForward(IDLE + 1000)
    await question(tablet).waitFor()
    // It asks for as long as the check takes.
    await page.clock.setFixedTime(await page.evaluate(() => Date.now()))
    await check('asking')
    assert.deepEqual(problems, [])
    await context.close()
  }
})

test('the screen stays lit, also after it was hidden', async () => {
  const { page, context } = await openPage(browser, product, TABLET)
  await page.addInitScript(() => {
    window.locks = 0
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        request: async () => {
          window.locks += 1
        },
      },
    })
  })
  await openHydrated(page, REST)
  await page.waitForFunction(() => window.locks === 1)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.waitForFunction(() => window.locks === 2)
  await context.close()
})

test('the header of a tablet is one row, a photo begins at the edge of its sheet, and its plus covers little of it', async () => {
  const tablet = await openTablet()
  const { page, context, say } = tablet
  await holdTime(tablet)
  await wake(tablet)
  const boxOf = (one) => one.evaluate((element) => element.getBoundingClientRect().toJSON())
  // Upright, too, where the button is its sign alone.
  for (const viewport of [{ width: 768, height: 1024 }, { width: 1024, height: 768 }, TABLET.viewport]) {
    await page.setViewportSize(viewport)
    const letters = await boxOf(page.getByRole('button', { name: say('kiosk.larger') }))
    const language = await boxOf(page.locator('.lang'))
    assert.ok(language.right <= letters.left, JSON.stringify({ viewport, language, letters }))
    assert.ok(letters.right <= viewport.width, JSON.stringify({ viewport, letters }))
    assert.ok((await boxOf(page.locator('.head'))).bottom < 80, `${viewport.width} px`)
    assert.ok(letters.top >= 0 && letters.bottom < 80, JSON.stringify({ viewport, letters }))
  }
  await order(tablet)
  await page.locator('.tiles > .dish h3 a').first().click()
  const sheet = page.locator('dialog.sheet:modal')
  await sheet.locator('img').first().waitFor()
  await untilTrue(
    async () => Math.abs((await boxOf(sheet.locator('img').first())).top - (await boxOf(sheet)).top) < 1,
    5000,
    'the photo is at the edge',
  )
  await openHydrated(page, '/kiosk/cart')
  const row = page.locator('.also > .dish:has(.plus)').first()
  const [photo, step] = [await boxOf(row.locator('img')), await boxOf(row.locator('.step'))]
  assert.ok(step.width * step.height < 0.25 * photo.width * photo.height, JSON.stringify({ photo, step }))
  assert.ok(step.bottom < photo.bottom && step.right < photo.right, JSON.stringify({ photo, step }))
  await context.close()
})

test('the letters are larger at a wish, on every page, and the usual ones for the next guest', async () => {
  const tablet = await openTablet()
  const { page, context, say, problems } = tablet
  await holdTime(tablet)
  await wake(tablet)
  const size = () => page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize))
  const usual = await size()
  // From another page than the one that was loaded: there it stays.
  await page.locator('a[href="/kiosk/filials/1043/details"]:visible').first().click()
  await atUrl(page, /details$/)
  await page.getByRole('button', { name: say('kiosk.larger') }).click()
  await page.getByRole('button', { name: say('kiosk.usual') }).waitFor()
  await atUrl(page, new URL('/kiosk/filials/1043/details', product.web).href)
  await hydrated(page)
  assert.equal(await size(), 24)
  assert.ok(usual < 20, `${usual} px`)
  await openHydrated(page, '/kiosk/cart')
  assert.equal(await size(), 24)
  await page.getByRole('button', { name: say('kiosk.usual') }).click()
  await page.getByRole('button', { name: say('kiosk.larger') }).click()
  await page.getByRole('button', { name: say('kiosk.usual') }).waitFor()
  await hydrated(page)
  await page.clock.runFor(1000)
  await page.clock.fastForward(IDLE + 1000)
  await page.getByRole('button', { name: say('kiosk.done') }).click()
  await page.getByRole('button', { name: say('kiosk.start') }).waitFor()
  assert.equal(await size(), usual)
  assert.deepEqual(problems, [])
  await context.close()
})

test('larger letters fit in every language, both themes and all widths, and are chosen without scripts', async () => {
  for (const [index, lang] of LANGS.entries()) {
    const colorScheme = index % 2 ? 'dark' : 'light'
    const { page, context } = await openPage(browser, product, {
      viewport: { width: 1280, height: 800 },
      colorScheme,
      javaScriptEnabled: false,
    })
    await page.goto(product.web + inLang(REST, lang))
    const larger = page.getByRole('button', { name: text(lang, 'kiosk.larger') })
    assert.ok((await larger.boundingBox()).height >= 60)
    await larger.click()
    await page.getByRole('button', { name: text(lang, 'kiosk.usual') }).waitFor()
    // The check for accessibility is a script itself.
    const storageState = await context.storageState()
    await context.close()
    const read = await openPage(browser, product, { colorScheme, storageState })
    // Somebody is there.
    await read.page.addInitScript(() => {
      localStorage.setItem('touched', JSON.stringify({ version: 1, value: Date.now() }))
    })
    for (const address of ['/kiosk/filials/1043', '/kiosk/cart', '/kiosk/filials/1043/details']) {
      for (const width of [320, 768, 1280]) {
        await read.page.setViewportSize({ width, height: 800 })
        await read.page.goto(product.web + address)
        const wide = await read.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(wide <= 0, `${lang} ${address} ${width}: ${wide} px`)
      }
    }
    await openHydrated(read.page, '/kiosk/filials/1043')
    assert.deepEqual(await violations(read.page), [], lang)
    await read.context.close()
  }
})

test('without scripts a page leads to the question by itself, in every language, and a guest who answers comes back', async () => {
  for (const [index, lang] of LANGS.entries()) {
    const colorScheme = index % 2 ? 'dark' : 'light'
    const options = { ...TABLET, colorScheme, javaScriptEnabled: false }
    const { page, context } = await openPage(browser, product, options)
    await page.goto(product.web + inLang(REST, lang))
    await page.getByRole('button', { name: text(lang, 'kiosk.larger') }).click()
    await page.goto(`${product.web}/kiosk/faq`)
    // A page that has loaded itself anew for as long as that asks within a second.
    await page.goto(`${product.web}/kiosk/faq?idle=9999`)
    await page.getByRole('heading', { name: text(lang, 'kiosk.stillHere') }).waitFor()
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const answer of await page.locator('a, button').all())
        assert.ok((await answer.boundingBox()).height >= 60)
    }
    // The check for accessibility is a script itself.
    const storageState = await context.storageState()
    const read = await openPage(browser, product, { ...TABLET, colorScheme, storageState })
    await read.page.goto(page.url())
    assert.deepEqual(await violations(read.page), [], lang)
    await read.context.close()
    await page.getByRole('link', { name: text(lang, 'kiosk.here') }).click()
    await page.waitForURL('**/kiosk/faq')
    await page.goto(`${product.web}/kiosk/session/still?back=/faq`)
    await page.getByRole('button', { name: text(lang, 'kiosk.done') }).click()
    // The next guest's letters are the usual ones again, in the language of the place.
    await page.locator('form.letters > [value="large"]').waitFor()
    await context.close()
  }
})

test('another build is taken while it rests, never under a guest', async () => {
  const tablet = await openTablet()
  const { page, context, veil, say } = tablet
  await holdTime(tablet)
  await wake(tablet)
  await context.route('**/_data/**', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-build': 'another' } })
  })
  const documents = []
  page.on('request', (one) => one.isNavigationRequest() && documents.push(one.url()))
  await page.locator('a[href="/kiosk/filials/1043/details"]:visible').first().click()
  await atUrl(page, /details$/)
  await page.locator('a[href^="/kiosk/filials/1043"]:visible').first().click()
  await atUrl(page, /filials\/1043(\?.*)?$/)
  await page.clock.runFor(20_000)
  assert.deepEqual(documents, [])
  // Those twenty seconds count.
  await page.clock.fastForward(IDLE - 15_000)
  await page.getByRole('button', { name: say('kiosk.done') }).click()
  await page.getByRole('button', { name: say('kiosk.start') }).waitFor()
  await hydrated(page)
  await veil.waitFor()
  // It rests, and asks.
  documents.length = 0
  await page.clock.runFor(16_000)
  await untilTrue(() => documents.length > 0)
  assert.deepEqual(documents.slice(0, 1), [new URL(REST, product.web).href])
  await context.close()
})

/** A tablet whose app does not come: its scripts are refused from here on. */
const withoutApp = ({ context }) => context.route('**/assets/*.js', (route) => route.abort())

test('a tablet whose app has not come forgets its guest and comes back by itself', async () => {
  const tablet = await openTablet()
  const { page, context, say } = tablet
  await holdTime(tablet)
  await wake(tablet)
  await order(tablet)
  await withoutApp(tablet)
  await page.goto(`${product.web}/kiosk/cart`)
  await page.getByRole('heading', { level: 1, name: say('cart.title') }).waitFor()
  const reads = async () => (await cartOf(page))?.count ?? 0
  // A guest who goes on without the app stays.
  await page.clock.fastForward(IDLE + WARNING)
  await page.keyboard.press('Tab')
  await page.clock.fastForward(IDLE + WARNING)
  assert.equal(await reads(), 1)
  await context.unroute('**/assets/*.js')
  await page.clock.fastForward(40_000)
  await atUrl(page, new URL(REST, product.web).href)
  await page.getByRole('button', { name: say('kiosk.start') }).waitFor()
  assert.equal(await reads(), 0)
  await context.close()
})

test('a tablet whose app has stopped comes back by itself, and waits for a server that is away', async () => {
  const tablet = await openTablet()
  const { page, context, say } = tablet
  await holdTime(tablet)
  await wake(tablet)
  await order(tablet)
  // Its clock stands still, that of the document does not: as if the app had thrown.
  await page.evaluate(() => {
    const stopped = Date.now()
    Object.defineProperty(window, '_watched', { get: () => stopped, set: () => {} })
    Storage.prototype.getItem = () => JSON.stringify({ version: 1, value: Date.now() })
  })
  await context.setOffline(true)
  const left = []
  page.on('request', (one) => one.isNavigationRequest() && left.push(one.url()))
  await page.clock.fastForward(IDLE + WARNING + 31_000)
  await page.clock.runFor(2000)
  assert.deepEqual(left, [])
  await context.setOffline(false)
  await page.clock.fastForward(31_000)
  await atUrl(page, new URL(REST, product.web).href)
  await page.getByRole('button', { name: say('kiosk.start') }).waitFor()
  assert.equal(await cartOf(page), null)
  await context.close()
})

test('after a restart nothing of a guest who has gone is seen, not even before the app is there', async () => {
  const tablet = await openTablet()
  const { page, context, say } = tablet
  await wake(tablet)
  await order(tablet)
  await withoutApp(tablet)
  const again = async () => {
    const other = await context.newPage()
    await other.goto(`${product.web}/kiosk/cart`)
    return { other, heading: other.locator('h1', { hasText: say('cart.title') }) }
  }
  // A guest who comes right back sees the cart.
  const soon = await again()
  await soon.heading.waitFor()
  await soon.other.close()
  await page.close()
  await context.clock.fastForward(IDLE + WARNING + 5000)
  const late = await again()
  await late.heading.waitFor({ state: 'attached' })
  assert.equal(await late.heading.isVisible(), false)
  await late.other.clock.fastForward(35_000)
  await atUrl(late.other, new URL(REST, product.web).href)
  assert.equal(await cartOf(late.other), null)
  await context.close()
})

test('a phone at a table fetches nothing of it', async () => {
  // The clock of the watch, the words of its question, the look of its veil: in whichever files the build puts them.
  const ofTablet = ({ requests }) => filesWith(requests, /_watched|kiosk\.stillHere|\.veil\b/, product.web)
  const tablet = await openTablet()
  const files = (await ofTablet(tablet)).map((url) => new URL(url).pathname)
  for (const name of [/begin-[^/]+\.js$/, /kiosk-[^/]+\.js$/, /kiosk-[^/]+\.css$/, /kiosk-kk\.json$/])
    assert.ok(
      files.some((file) => name.test(file)),
      `${name}: ${files}`,
    )
  await tablet.context.close()

  const phone = await openPage(browser, product)
  await openHydrated(phone.page, table.qr)
  await atRest(phone.page)
  assert.deepEqual(await ofTablet(phone), [])
  assert.equal(await phone.page.locator('dialog.veil').count(), 0)
  await phone.context.close()
})

test('a guest who orders in cash at the counter reads there whom to pay', async () => {
  const tablet = await openTablet()
  const { page, context, say } = tablet
  await orderInCash(tablet)
  await page.locator('.track').waitFor()
  const [words] = say('order.payCash', { to: 'counter', sum: '|' }).split('|')
  await page.locator('.now').getByText(words).waitFor()
  await context.close()
})
