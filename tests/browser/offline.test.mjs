/** Without a network the page stays, says so, keeps what was typed, and goes on when there is one again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillRow, payInCash } from './flows.mjs'
import {
  addPlain,
  atRest,
  atUrl,
  begun,
  cartOf,
  fillCart,
  holdScripts,
  hydrated,
  inLang,
  LANGS,
  openHydrated,
  openPage,
  PATIENCE,
  pause,
  putOff,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'kk'
setStage()

const line = (page) => page.locator('.connection')
const says = (page, key) =>
  untilTrue(async () => (await line(page).textContent()) === text(lang, key), PATIENCE, key)
const saysOffline = (page) => says(page, 'app.offline')
/** What was pressed is told to need a network. */
const saysLost = (page) => says(page, 'app.lost')
const menu = () => inLang(`/filials/${table.filial_id}`, lang)

/** A page on which nothing but its first screen has come: what is fetched ahead at rest is put off. */
async function freshPage(address) {
  const opened = await openPage(browser, product)
  await putOff(opened.page, [3000, 10_000])
  await openHydrated(opened.page, address)
  await begun(opened.page, 'background-')
  await opened.page.evaluate(() => {
    window.samePage = true
  })
  return opened
}

const isSamePage = async (page) => assert.equal(await page.evaluate(() => window.samePage), true)

test('the first dish pressed offline leaves the menu as it is, says so, and opens once it is pressed with a network', async () => {
  const { page, context } = await freshPage(menu())
  await context.setOffline(true)
  const dish = page.locator(`main a[href*="item=${table.withGroup.id}"]`).first()
  await dish.click()
  await saysLost(page)
  await isSamePage(page)
  assert.ok(!page.url().includes('item='))
  assert.ok((await page.locator('.dishes .dish').count()) > 5)
  await context.setOffline(false)
  await untilTrue(async () => (await line(page).textContent()) === '')
  await pause(2000)
  assert.equal(await page.locator('dialog[open]').count(), 0)
  await dish.click()
  await page.locator('dialog.sheet:modal input[name="note"]').waitFor()
  await untilTrue(
    async () => (await page.locator(`dialog.sheet [id="group-${table.withGroup.group.id}"]`).count()) === 1,
    PATIENCE,
    'its options are there',
  )
  await isSamePage(page)
  assert.equal(await line(page).textContent(), '')
  await context.close()
})

test('offline before hydration the page stays, says so, and what was added is sent later', async () => {
  const { page, context } = await openPage(browser, product)
  const release = await holdScripts(page)
  // The document is never done: its scripts are held.
  await page.goto(menu(), { waitUntil: 'commit' })
  await page.locator('script#data').waitFor({ state: 'attached' })
  await page.evaluate(() => {
    window.samePage = true
  })
  const words = page.locator('.connection').getByText(text(lang, 'app.offline'))
  await words.waitFor({ state: 'hidden' })
  await context.setOffline(true)
  // A dish, the search, another language: each would be a full load.
  await page.locator(`main a[href*="item=${table.withGroup.id}"]`).first().click()
  await words.waitFor()
  await page.locator(`main a[href="/filials/${table.filial_id}/search"]`).first().click()
  await page.locator('.lang summary').click()
  await page.locator('.lang a[hreflang="ru"]').click()
  await page.locator('.lang summary').click()
  await addPlain(page, table.plain[0])
  // How long a tap waits for the app before it goes as a form.
  await pause(3000)
  await isSamePage(page)
  assert.ok((await page.locator('.dishes .dish').count()) > 5)
  await context.setOffline(false)
  release()
  await hydrated(page)
  // A page that is slow to hydrate sends the tap as a form, which loads it again.
  await untilTrue(async () => (await cartOf(page).catch(() => null))?.count === 1, PATIENCE, 'one piece')
  await words.waitFor({ state: 'detached' })
  await context.close()
})

test('offline right after hydration, neither the search nor another language leaves the menu', async () => {
  const { page, context } = await openPage(browser, product)
  await putOff(page, [3000, 10_000])
  await openHydrated(page, menu())
  await context.setOffline(true)
  await page.evaluate(() => {
    window.samePage = true
  })
  await page.locator('.lang summary').click()
  await page.locator('.lang a[hreflang="ru"]').click()
  await saysOffline(page)
  await page.locator('.lang [role="status"]').getByText(text(lang, 'app.languageOffline')).waitFor()
  const search = page.locator(`main a[href="/filials/${table.filial_id}/search"]`).first()
  await search.click()
  await saysLost(page)
  await isSamePage(page)
  assert.match(page.url(), new RegExp(`/filials/${table.filial_id}[?]lang=kk`))
  await context.setOffline(false)
  await untilTrue(async () => (await line(page).textContent()) === '')
  await search.click()
  await atUrl(page, /\/search$/)
  await page.locator('input[name="q"]').waitFor()
  await isSamePage(page)
  await context.close()
})

for (const own of LANGS) {
  test(`what is sent offline is told to be kept, or to be tried again, ${own}`, async () => {
    const opened = await openPage(browser, product)
    const { page, context } = opened
    await fillCart(opened, table, table.plain.slice(0, 1))
    await openHydrated(page, inLang('/cart', own))
    const lineSays = (key) =>
      untilTrue(async () => (await line(page).textContent()) === text(own, key), PATIENCE, key)
    await context.setOffline(true)
    await lineSays('app.offline')
    await page.locator('.line .plus').first().click()
    await lineSays('app.kept')
    await context.setOffline(false)
    await untilTrue(async () => (await cartOf(page)).count === 2, PATIENCE, 'it was sent')
    await untilTrue(async () => (await line(page).textContent()) === '')
    // A code is not kept for ever: that it could not be saved is said in its place.
    await page.locator('.promo summary').click()
    await page.locator('input[name="code"]').fill('SUMMER')
    await context.setOffline(true)
    await lineSays('app.offline')
    await page.locator('form[action="/cart/promo"] button').first().click()
    await lineSays('app.trying')
    const { width, height } = await line(page).evaluate((node) => node.getBoundingClientRect().toJSON())
    assert.ok(height < 40, `${own}: ${width} × ${height}`)
    await page.getByText(text(own, 'errors.network')).first().waitFor()
    await lineSays('app.offline')
    assert.equal(await page.locator('input[name="code"]').inputValue(), 'SUMMER')
    await context.close()
  })
}

test('a booking pressed offline is told to be unsent, and is sent when it is pressed with a network', async () => {
  const { page, context, requests } = await openPage(browser, product)
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await openHydrated(page, inLang(`/brands/booking?filial=${table.filial_id}&date=${date}`, lang))
  const form = page.locator('form[action="/bookings"]')
  await form.locator('[name="time"]:not([disabled])').last().check()
  await form.locator('[name="name"]').fill('Айгүл')
  await form.locator('[name="phone"]').fill('+7 701 000 00 94')
  await context.setOffline(true)
  const told = form.getByText(text(lang, 'booking.offline'))
  await told.waitFor()
  const book = form.getByRole('button', { name: text(lang, 'booking.confirm') })
  // Playwright waits for a button that is off.
  await book.evaluate((button) => button.click())
  assert.equal(requests.filter((one) => one.method() === 'POST').length, 0)
  assert.equal(await form.locator('[name="name"]').inputValue(), 'Айгүл')
  await context.setOffline(false)
  await told.waitFor({ state: 'detached' })
  await book.click()
  await page.getByText(text(lang, 'booking.done')).waitFor()
  await context.close()
})

test('the cart pressed offline is told to need a network, and nothing jumps there later', async () => {
  const { page, context } = await freshPage(menu())
  await addPlain(page, table.plain[0])
  await untilTrue(async () => (await cartOf(page))?.count === 1, PATIENCE, 'one piece')
  await context.setOffline(true)
  const way = page.locator('a[href="/cart"]:not(.skip):visible').last()
  await way.click()
  await saysLost(page)
  await isSamePage(page)
  assert.match(page.url(), /\/filials\//)
  assert.ok((await page.locator('.dishes .dish').count()) > 5)
  // The page is as good as before, not half gone.
  assert.equal(await page.locator('main').getAttribute('aria-busy'), null)
  await context.setOffline(false)
  await untilTrue(async () => (await line(page).textContent()) === '')
  await pause(2000)
  assert.match(page.url(), /\/filials\//)
  await way.click()
  await atUrl(page, /\/cart$/)
  await page.locator('.lines .line').first().waitFor()
  await isSamePage(page)
  await context.close()
})

test('with a change that waits for a network, a link is told to need one as well, and a further change to be kept', async () => {
  const { page, context } = await freshPage(menu())
  await addPlain(page, table.plain[0])
  await untilTrue(async () => (await cartOf(page))?.count === 1, PATIENCE, 'one piece')
  await context.setOffline(true)
  const added = page.locator(`form:has(input[name="product"][value="${table.plain[0].id}"])`).first()
  await added.locator('.plus').click()
  await says(page, 'app.kept')
  for (const way of ['.bar', `main a[href="/filials/${table.filial_id}/details"]`]) {
    await page.locator(way).first().click()
    await saysLost(page)
    await isSamePage(page)
    await added.locator('.plus').click()
    await says(page, 'app.kept')
  }
  await context.setOffline(false)
  await untilTrue(async () => (await cartOf(page))?.count === 4, PATIENCE, 'all four')
  assert.match(page.url(), /\/filials\/\d+[?]/)
  await context.close()
})

test('what is added offline stays shown and is sent once, however long there is no network', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu())
  // Pauses pass ten times as fast: this is two minutes.
  await page.evaluate(() => {
    const { setTimeout } = window
    window.setTimeout = (run, ms, ...more) => setTimeout(run, ms / 10, ...more)
  })
  await context.setOffline(true)
  await saysOffline(page)
  const plus = (dish) => page.locator(`form:has(input[name="product"][value="${dish.id}"])`).first()
  const [one, two] = table.plain
  for (const dish of [one, one, two]) await plus(dish).locator('.plus').click()
  await pause(12_000)
  assert.equal(await plus(one).locator('[data-count]').textContent(), '2')
  assert.equal(await plus(two).locator('[data-count]').textContent(), '1')
  assert.equal(await page.locator('.bar b').first().innerText(), '3')
  await context.setOffline(false)
  await untilTrue(async () => (await cartOf(page))?.count === 3, PATIENCE, 'three pieces')
  await pause(500)
  assert.equal((await cartOf(page)).count, 3)
  await context.close()
})

/** Three pieces more in a cart of one, tapped where there is no network. */
async function tapOffline(opened) {
  const [dish] = table.plain
  await fillCart(opened, table, [dish])
  await openHydrated(opened.page, menu())
  await begun(opened.page, 'background-')
  await opened.context.setOffline(true)
  await saysOffline(opened.page)
  const plus = opened.page.locator(`form:has(input[name="product"][value="${dish.id}"]) .plus`).first()
  for (let taps = 0; taps < 3; taps++) await plus.click()
  await opened.page.locator('.bar > b').getByText('4').waitFor()
}

const storedTaps = (page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('taps ')))

test('what was added offline is sent by the next page when its own has died', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await tapOffline(opened)
  await untilTrue(async () => (await storedTaps(page)).length === 1, PATIENCE, 'it is kept')
  await page.close()
  await context.setOffline(false)
  const next = await context.newPage()
  await openHydrated(next, table.qr)
  await untilTrue(async () => (await cartOf(next))?.count === 4, PATIENCE, 'all of them')
  await untilTrue(async () => (await storedTaps(next)).length === 0, PATIENCE, 'nothing is left to send')
  // Changes go one after another: had any of them gone twice, it were there before this one.
  await addPlain(next, table.plain[1])
  await untilTrue(async () => (await cartOf(next))?.lines.length === 2, PATIENCE, 'the other dish')
  assert.equal((await cartOf(next)).count, 5)
  await context.close()
})

test('what was added offline is left to its own page as long as that lives, and goes once', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await tapOffline(opened)
  await page.route('**/cart/lines', (route) => route.abort('internetdisconnected'))
  await untilTrue(async () => (await storedTaps(page)).length === 1, PATIENCE, 'it is kept')
  await context.setOffline(false)
  const next = await context.newPage()
  await openHydrated(next, table.qr)
  await begun(next, 'background-')
  await addPlain(next, table.plain[1])
  await untilTrue(async () => (await cartOf(next))?.lines.length === 2, PATIENCE, 'the other dish')
  assert.equal((await cartOf(next)).count, 2, 'the changes of the other page are its own')
  await page.close()
  await untilTrue(async () => (await cartOf(next))?.count === 5, PATIENCE, 'now they are left behind')
  await next.locator('.bar > b').getByText('5').waitFor()
  await untilTrue(async () => (await storedTaps(next)).length === 0, PATIENCE, 'nothing is left to send')
  assert.equal((await cartOf(next)).count, 5)
  await context.close()
})

test('offline the bar of the cart shows no sum that is behind its pieces', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const [dish] = table.plain
  await fillCart(opened, table, [dish])
  await openHydrated(page, menu())
  const sum = page.locator('.bar > span:last-child')
  const before = await sum.textContent()
  assert.ok(await sum.isVisible())
  await context.setOffline(true)
  await saysOffline(page)
  assert.ok(await sum.isVisible(), 'nothing has changed')
  await page.locator(`form:has(input[name="product"][value="${dish.id}"]) .plus`).first().click()
  await page.locator('.bar > b').getByText('2').waitFor()
  await sum.waitFor({ state: 'hidden' })
  await context.setOffline(false)
  await sum.waitFor()
  await untilTrue(async () => (await sum.textContent()) !== before, PATIENCE, 'the sum of two')
  await context.close()
})

test('offline a dish opens with all that is at hand: of the menu, or of the last time', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu())
  const sheet = page.locator('dialog.sheet:modal')
  const group = sheet.locator(`[id="group-${table.withGroup.group.id}"]`)
  const open = (dish) => page.locator(`main .dishes a[href*="item=${dish.id}"]`).first().click()
  const close = async () => {
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
  }
  await open(table.withGroup)
  await group.waitFor()
  await close()
  await context.setOffline(true)
  await saysOffline(page)
  await open(table.withGroup)
  await group.waitFor()
  await close()
  await open(table.plain[0])
  await sheet.locator('.cta button[type="submit"]').click()
  await context.setOffline(false)
  await sheet.waitFor({ state: 'detached' })
  await untilTrue(async () => (await cartOf(page))?.count === 1, PATIENCE, 'the dish is in the cart')
  await context.close()
})

test('the search in a menu finds its dishes offline', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu())
  await page.evaluate(() => {
    window.samePage = true
  })
  // The code of the search is fetched while a guest reads the menu.
  await untilTrue(
    () =>
      page.evaluate(() => {
        const fetched = performance.getEntriesByType('resource').filter(({ responseEnd }) => responseEnd > 0)
        return [/menuSearch-kk\.json$/, /menuSearch-\w+\.js$/, /menuSearch-\w+\.css$/].every((file) =>
          fetched.some(({ name }) => file.test(name)),
        )
      }),
    PATIENCE,
    'the search is at hand',
  )
  await atRest(page)
  await context.setOffline(true)
  await page.locator(`main a[href="/filials/${table.filial_id}/search"]`).first().click()
  await atUrl(page, /\/search$/)
  await page.locator('input[name="q"]').fill(table.plain[0].name)
  await page.locator(`.results a[href*="item=${table.plain[0].id}"]`).first().waitFor()
  await saysOffline(page)
  // The way back needs no network either.
  await page.goBack()
  await atUrl(page, new RegExp(`/filials/${table.filial_id}([?]|$)`))
  await page.locator('.dishes .dish').first().waitFor()
  await isSamePage(page)
  await context.setOffline(false)
  await context.close()
})

test('offline the cart keeps what was typed, follows no link away, and is whole again by itself', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 2))
  await openHydrated(page, inLang('/cart', lang))
  await atRest(page)
  await page.evaluate(() => {
    window.samePage = true
  })
  await payInCash(page)
  await fillRow(page, 'comment', 'Тез')
  await context.setOffline(true)
  await saysOffline(page)
  // A link that would be a full load.
  await page.locator('.lang summary').click()
  await page.locator('.lang a[hreflang="ru"]').click()
  // The list says why and stays open: it lies over the first line.
  await page.locator('.lang [role="status"]:not(:empty)').waitFor()
  await page.locator('.lang summary').click()
  // A change, whose answer the page would be asked for again.
  await page.locator('.lines .plus').first().click()
  await pause(2000)
  await isSamePage(page)
  assert.match(page.url(), /\/cart/)
  assert.equal(await page.locator('textarea[name="comment"]').inputValue(), 'Тез')
  await context.setOffline(false)
  await untilTrue(async () => (await cartOf(page))?.count === 3, PATIENCE, 'the change is saved')
  await untilTrue(async () => (await line(page).textContent()) === '', PATIENCE, 'the line is empty')
  await isSamePage(page)
  assert.equal(await page.locator('textarea[name="comment"]').inputValue(), 'Тез')
  assert.equal(await page.locator('.lines .line').count(), 2)
  await context.close()
})

test('the line about the network lies over no category of a menu, wherever that is scrolled to', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu())
  await begun(page, 'motion-')
  await page.evaluate(() => scrollTo({ top: 2000, behavior: 'instant' }))
  await context.setOffline(true)
  await saysOffline(page)
  const isBelow = async (what) => {
    const [head, rail] = await page.evaluate(() =>
      ['.head', '.rail']
        .map((one) => document.querySelector(one).getBoundingClientRect())
        .map(({ top, bottom }) => ({ top, bottom })),
    )
    assert.ok(Math.abs(rail.top - head.bottom) < 1, JSON.stringify({ ...what, head, rail }))
  }
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 })
    await isBelow({ width })
    // Whatever it says, in any language: the same words stand in the same line.
    for (const own of LANGS) {
      for (const key of ['app.offline', 'app.poor', 'app.slow', 'app.lost', 'app.kept', 'app.trying']) {
        await line(page).evaluate(
          (node, words) => {
            node.firstChild.data = words
          },
          text(own, key),
        )
        await isBelow({ width, own, key })
      }
    }
  }
  // The categories are still there to be tapped.
  const before = await page.evaluate(() => scrollY)
  await page.locator('.rail div > .chip').first().click()
  await page.waitForFunction((y) => scrollY < y, before)
  await context.close()
})
