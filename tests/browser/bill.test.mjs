/**
 * The bill at the table: two phones that divide it, what each learns of the other, the whole way without scripts and with
 * the keyboard alone (PY-08, PY-14, PY-16, beyond.md 17).
 */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { endPayment, signIn } from './flows.mjs'
import {
  atUrl,
  dataOf,
  hydrated,
  importSource,
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

const lang = 'kk'
let bill

setStage()

const address = (more = '') =>
  inLang(table.qr.replace(`/filials/${table.filial_id}?`, `/filials/${table.filial_id}/bill?`) + more, lang)
const bring = (at, count) =>
  product.sandboxApi.set('bill/add', { bill_id: bill, product_id: table.plain[at].id, count })
const says = (page, words, where = 'main') =>
  untilTrue(
    async () =>
      plainSpaces((await page.locator(where).allInnerTexts()).join(' ')).includes(plainSpaces(words)),
    PATIENCE,
    `the page says ${words}`,
  )

beforeEach(async () => {
  const { sandboxApi } = product
  const place = { filial_id: table.filial_id, table_id: table.table_id }
  const { data: old } = await sandboxApi.set('bill/open', place)
  await sandboxApi.set('bill/close', { bill_id: old.id })
  bill = (await sandboxApi.set('bill/open', place)).data.id
  await bring(0, 1)
  await bring(1, 2)
})

test('two phones at one bill: one takes a dish, the other sees it, and each pays their own', async () => {
  const [one, two] = [await openPage(browser, product), await openPage(browser, product)]
  await openHydrated(two.page, address())
  await openHydrated(one.page, address())
  await one.page.locator('.splits a', { hasText: text(lang, 'bill.split.dishes') }).click()
  await one.page.locator('.dishes input[type="checkbox"]').check()
  await says(one.page, text(lang, 'bill.share'))
  // Without a reload, in words, and marked by more than a colour.
  await says(two.page, text(lang, 'bill.lineTaken'))
  await says(two.page, text(lang, 'bill.changed'), '.lines')
  const status = two.page.locator('.bill > [role="status"]')
  await untilTrue(async () => (await status.textContent()).includes(table.plain[0].name))
  await two.page.locator('.splits a', { hasText: text(lang, 'bill.split.dishes') }).click()
  await two.page.locator('.dishes select').waitFor()
  assert.equal(await two.page.locator('.dishes input[type="checkbox"]').count(), 0, 'it is not offered twice')
  await two.page.locator('.dishes select').selectOption('2')
  await says(two.page, text(lang, 'bill.share'))

  await one.page.locator('.due button[type="submit"]').click()
  await endPayment(one.page, 'succeeded')
  await atUrl(one.page, /\/bills\/paid\//)
  await hydrated(one.page)
  await says(one.page, text(lang, 'billPaid.title'))
  await says(two.page, text(lang, 'bill.linePaid'))
  await two.page.locator('.due button[type="submit"]').click()
  await endPayment(two.page, 'succeeded')
  await atUrl(two.page, /\/bills\/paid\//)
  const [told] = (await product.sandboxApi.get('bills')).filter(({ id }) => id === bill)
  assert.equal(told.status, 'closed')
  assert.equal(
    told.payments.filter(({ status }) => status === 'succeeded').reduce((sum, part) => sum + part.sum, 0),
    told.sum,
  )
  for (const { problems, context } of [one, two]) {
    assert.deepEqual(
      problems.filter((one) => !one.includes(product.sandbox)),
      [],
    )
    await context.close()
  }
})

/**
 * Presses until this guest's part is at the bank and pays it there. A sum that others have changed meanwhile is shown anew
 * and pressed again; who finds nothing left pays nothing.
 */
async function payOwn(page) {
  const button = page.locator('.due button[type="submit"]')
  const keys = ['bill.allPaying', 'bill.problem.nothing', 'bill.problem.nothingPaying']
  const words = keys.map((key) => text(lang, key))
  const nothing = page.locator('.pay > p').filter({ hasText: new RegExp(words.join('|')) })
  for (let presses = 0; presses < 30; presses += 1) {
    if (await nothing.isVisible()) return
    // A page that follows the others may take the button away between two looks.
    await button.click({ timeout: 2_000 }).catch(() => null)
    const isOff = await page
      .waitForURL(/\/pay\/(card|qr)\//, { waitUntil: 'commit', timeout: 2_000 })
      .then(() => true)
      .catch(() => false)
    if (!isOff) continue
    await endPayment(page, 'succeeded')
    await atUrl(page, /\/bills\/paid\//)
    return
  }
  assert.fail(`nothing was paid at ${page.url()}`)
}

test('six phones at one bill at once: dishes, equal parts and own sums are the bill to the last unit', async () => {
  await bring(2, 3)
  const ways = ['dishes', 'dishes', 'equal&of=6', 'equal&of=6', 'sum&sum=777', 'sum&sum=333&tip=10']
  const phones = await Promise.all(ways.map(() => openPage(browser, product)))
  await Promise.all(phones.map(({ page }, at) => openHydrated(page, address(`&split=${ways[at]}`))))
  const [one, two] = phones
  // Each takes one of the two.
  await Promise.all([one, two].map(({ page }) => page.locator('.dishes select').first().selectOption('1')))
  await Promise.all(phones.map(({ page }) => page.locator('.due button[type="submit"]').waitFor()))
  await Promise.all(phones.map(({ page }) => payOwn(page)))

  const upstreamBill = async () => (await product.sandboxApi.get('bills')).find(({ id }) => id === bill)
  const paid = ({ payments }) => payments.filter(({ status }) => status === 'succeeded')
  const before = await upstreamBill()
  assert.equal(paid(before).length, 6, JSON.stringify(before))
  // The last guest pays what is left: with it the bill is paid, not a unit more or less, and closed.
  const last = await openPage(browser, product)
  await openHydrated(last.page, address('&split=all'))
  await payOwn(last.page)
  const after = await upstreamBill()
  const units = (parts) => parts.reduce((sum, part) => sum + Math.round(part.sum * 100), 0)
  assert.equal(units(paid(after)), Math.round(after.sum * 100))
  assert.equal(after.status, 'closed')
  for (const { context } of [...phones, last]) await context.close()
})

test('of two dishes that are ticked quickly both are taken, and neither is seen without its tick meanwhile', async () => {
  await bring(2, 1)
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=dishes'))
  const [first, second] = [0, 1].map((at) => page.locator('.dishes input[type="checkbox"]').nth(at))
  const isBill = /\/_data\/.*\/bill/
  const ticks = [Promise.withResolvers(), Promise.withResolvers()]
  const pages = [Promise.withResolvers(), Promise.withResolvers()]
  let posts = 0
  let shown = 0
  await page.route(/\/bill\/dishes/, async (route) => {
    await ticks[posts++].promise
    await route.continue()
  })
  await page.route(isBill, async (route) => {
    await pages[shown].promise
    // One that a newer one has taken the place of.
    await route.continue().catch(() => {})
  })
  await first.check()
  await second.check()
  await Promise.all([page.waitForRequest(isBill), ticks[0].resolve()])
  assert.ok(await second.isChecked())
  pages[0].resolve()
  await page.locator('.dishes > .soft').waitFor()
  assert.ok(await second.isChecked(), 'while it is on its way')
  shown = 1
  await Promise.all([page.waitForRequest(isBill), ticks[1].resolve()])
  await page.locator('.dishes:not([aria-busy])').waitFor()
  assert.ok(await second.isChecked(), 'until its page is there')
  pages[1].resolve()
  await page.reload()
  await hydrated(page)
  assert.deepEqual([await first.isChecked(), await second.isChecked()], [true, true], 'both are taken')
  await context.close()
})

test('that another guest was faster is told until the dish is free again', async () => {
  const [one, two] = [await openPage(browser, product), await openPage(browser, product)]
  await openHydrated(two.page, address('&split=dishes'))
  // It hears of the others when their dish is chosen already.
  await two.context.route(/\/events/, (route) => route.abort())
  await two.page.reload()
  await hydrated(two.page)
  await openHydrated(one.page, address('&split=dishes'))
  await one.page.locator('.dishes input[type="checkbox"]').check()
  await says(one.page, text(lang, 'bill.share'))
  await two.page.locator('.dishes input[type="checkbox"]').check()
  await says(two.page, text(lang, 'bill.problem.taken'))
  await two.context.unroute(/\/events/)
  await one.page.locator('.dishes input[type="checkbox"]').uncheck()
  await two.page.locator('.dishes input[type="checkbox"]').waitFor()
  await two.page.locator('.pay > .note[data-bad]').waitFor({ state: 'detached' })
  for (const { context } of [one, two]) await context.close()
})

test('that others are paying is said only as long as they are, and is not called paid', async () => {
  const [one, two] = [await openPage(browser, product), await openPage(browser, product)]
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  await openHydrated(one.page, address('&split=sum&sum=1000'))
  const { left, money } = (await dataOf(one.page)).page.data
  await one.page.locator('.due button[type="submit"]').click()
  await atUrl(one.page, /\/pay\/card\//)
  // Where a press leads that wanted to pay all of it.
  await openHydrated(two.page, address(`&split=all&wanted=${left}&problem=less`))
  const less = text(lang, 'bill.problem.lessPaying', { left: formatMoney(left - 100_000, money) })
  await says(two.page, less, '.pay')
  await endPayment(one.page, 'declined')
  await two.page.locator('.pay > .note').waitFor({ state: 'detached' })
  await says(two.page, `${text(lang, 'bill.left')} ${formatMoney(left, money)}`, '.bill .top > .left')
  // Nor does the page say it that is loaded anew.
  await two.page.reload()
  await hydrated(two.page)
  assert.equal(await two.page.locator('.pay > .note').count(), 0)
  for (const { context } of [one, two]) await context.close()
})

test('who chooses another way to pay leaves the dishes to the others', async () => {
  const [one, two] = [await openPage(browser, product), await openPage(browser, product)]
  await openHydrated(two.page, address())
  await openHydrated(one.page, address('&split=dishes'))
  await one.page.locator('.dishes input[type="checkbox"]').check()
  await says(two.page, text(lang, 'bill.lineTaken'))
  await one.page.locator('.splits a', { hasText: text(lang, 'bill.split.equal') }).click()
  await one.page.locator('.people').waitFor()
  await says(two.page, text(lang, 'bill.news.free', { name: table.plain[0].name }))
  await atUrl(one.page, /split=equal/)
  for (const { context } of [one, two]) await context.close()
})

test('a dish that is brought while the guest looks changes the sums before anything is paid', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, address('&split=all&tip=10'))
  const button = page.locator('.due button[type="submit"]')
  const before = await button.innerText()
  await bring(2, 1)
  await untilTrue(async () => (await button.innerText()) !== before)
  await says(page, table.plain[2].name, '.lines')
  const chips = page.locator('.tips input[type="radio"]')
  assert.equal(await chips.count(), 5)
  const withTips = await button.innerText()
  await page.locator('.tips input[value="0"]').check()
  await untilTrue(async () => (await button.innerText()) !== withTips)
  await page.goBack()
  await product.sandboxApi.set('bill/close', { bill_id: bill })
  assert.deepEqual(problems, [])
  await context.close()
})

test('what has changed is said for a while and lies over nothing afterwards', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await page.clock.install()
  await openHydrated(page, address())
  const { name } = table.plain[2]
  await bring(2, 1)
  await says(page, text(lang, 'bill.news.added', { name, count: 1 }), '.news')
  await page.locator('.lines [data-changed]').waitFor()
  await page.clock.runFor(13_000)
  await page.locator('.news').waitFor({ state: 'detached' })
  assert.equal(await page.locator('.lines [data-changed]').count(), 0)
  await says(page, name, '.lines')
  assert.deepEqual(problems, [])
  await context.close()
})

test('the field that the guest is in is not left under what has changed, nor is one that takes the focus then', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await page.setViewportSize({ width: 360, height: 560 })
  await openHydrated(page, address('&split=sum'))
  await page.locator('input[name="tip"][value="own"]').check()
  const field = page.locator('[name="tip_sum"]')
  const [bar, news] = [page.locator('.pay-now'), page.locator('.news')]
  await field.focus()
  // Right above the bar, where the news come.
  await field.evaluate((one) => {
    const { top } = document.querySelector('.pay-now').getBoundingClientRect()
    scrollBy({ top: one.getBoundingClientRect().bottom - top + 4, behavior: 'instant' })
  })
  const [stood, below] = [await field.boundingBox(), await bar.boundingBox()]
  assert.ok(Math.abs(below.y - stood.y - stood.height) < 10, `${JSON.stringify([stood, below])}`)
  await bring(2, 1)
  await news.waitFor()
  const isClear = async (one) => {
    const [box, said] = [await one.boundingBox(), await news.boundingBox()]
    return box.y + box.height <= said.y || box.y >= said.y + said.height
  }
  await untilTrue(() => isClear(field), 5000, 'it comes out')
  for (const one of await page.locator('.share input:visible').all()) {
    await one.focus()
    await untilTrue(() => isClear(one), 5000, `${await one.getAttribute('name')} takes the focus`)
  }
  assert.deepEqual(problems, [])
  await context.close()
})

test('a payment that is not answered is not said to be tried again, and is pressed once more', async () => {
  const { page, context } = await openPage(browser, product)
  await page.clock.install()
  await openHydrated(page, address('&split=dishes'))
  await page.locator('.dishes input[type="checkbox"]').check()
  let sent = 0
  await page.route(
    (url) => url.pathname.endsWith('/bill/pay'),
    () => sent++,
  )
  const pay = page.locator('.due button[type="submit"]')
  await pay.click()
  await untilTrue(() => sent === 1)
  await page.clock.runFor(15_100)
  await says(page, text(lang, 'bill.noAnswer'), '.pay-now .error')
  assert.equal((await page.locator('.connection').textContent()).trim(), '')
  await page.clock.runFor(60_000)
  assert.equal(sent, 1)
  await pay.click()
  await untilTrue(() => sent === 2)
  await context.close()
})

test('what has changed stands above the button that pays, however much is said beside it', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=dishes'))
  await page.locator('.dishes input[type="checkbox"]').check()
  await page.route(
    (url) => url.pathname.endsWith('/bill/pay'),
    (route) => route.abort(),
  )
  await page.locator('.due button[type="submit"]').click()
  await says(page, text(lang, 'bill.noNetwork'), '.pay-now .error')
  const news = page.locator('.news')
  for (const letters of ['100%', '200%']) {
    // It goes after a while.
    await bring(2, 1)
    await news.waitFor()
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size
    }, letters)
    await untilTrue(
      async () => {
        const [said, bar] = [await news.boundingBox(), await page.locator('.pay-now').boundingBox()]
        return said && bar && said.y + said.height < bar.y
      },
      5000,
      `with letters of ${letters}`,
    )
  }
  await context.close()
})

test('dishes that are chosen wait for a friend who pays all of the bill, and it is said', async () => {
  const [one, two] = [await openPage(browser, product), await openPage(browser, product)]
  await openHydrated(one.page, address('&split=dishes'))
  const tick = one.page.locator('.dishes input[type="checkbox"]')
  await tick.check()
  const pay = one.page.locator('.due button[type="submit"]')
  await pay.waitFor()
  const shown = await pay.innerText()
  await openHydrated(two.page, address('&split=all'))
  await two.page.locator('.due button[type="submit"]').click()
  await atUrl(two.page, /\/pay\/card\//)
  await says(one.page, text(lang, 'bill.allPayingYours'))
  // One message at a time; who does not see it hears of the change.
  await says(one.page, text(lang, 'bill.news.allPaying'), '.bill > [role="status"]')
  assert.equal(await one.page.locator('.news').count(), 0)
  assert.equal(await one.page.locator('.pay > p').count(), 1)
  assert.equal(await pay.count(), 0)
  assert.equal(await tick.isChecked(), true)
  assert.equal(await one.page.locator('.dishes .lines > li').count(), 2)
  await endPayment(two.page, 'declined')
  await says(one.page, text(lang, 'bill.news.leftAgain', { left: '' }).trim(), '.news')
  await pay.waitFor()
  assert.equal(await tick.isChecked(), true)
  assert.equal(await pay.innerText(), shown)
  for (const { context } of [one, two]) await context.close()
})

test('without a network it is said at once, and nothing is paid before the guest presses again', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=dishes'))
  const pay = page.locator('.due button[type="submit"]')
  const tick = page.locator('.dishes input[type="checkbox"]')
  await tick.check()
  await pay.waitFor()
  const payments = async () => (await product.sandboxApi.get('payments')).length
  const before = await payments()
  await context.setOffline(true)
  await pay.click()
  await says(page, text(lang, 'bill.noNetwork'), '.due .error')
  // What is chosen now is not what the sum is of.
  await page.locator('.dishes select').selectOption('1')
  await says(page, text(lang, 'bill.notCounted'), '.share')
  assert.equal(await pay.count(), 0)
  await context.setOffline(false)
  await pay.waitFor()
  // The network is back: nothing says that it is not.
  await untilTrue(async () => (await page.locator('.due .error').count()) === 0)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  assert.equal(await payments(), before)
  await pay.click()
  await atUrl(page, /\/pay\/card\//)
  assert.equal(await payments(), before + 1)
  await context.close()
})

test('wrong numbers of people and wrong sums are said when their field is left, and are not paid', async () => {
  const { page, context, problems } = await openPage(browser, product)
  const pay = page.locator('.due button[type="submit"]')
  const error = (name) => page.locator(`.field:has([name="${name}"]) .error`)
  await openHydrated(page, address('&split=equal'))
  await pay.waitFor()
  assert.equal(await page.locator('button[name="count"]').count(), 0, 'what is typed counts by itself')
  const of = page.locator('.people [name="of"]')
  const people = text(lang, 'bill.wrong.badPeople', { most: 50 })
  for (const [name, typed, words] of [
    ['of', '0', people],
    ['of', '', people],
    ['of', '1000', people],
    ['pay', '5', text(lang, 'bill.wrong.badPay', { most: 3 })],
  ]) {
    const field = page.locator(`.people [name="${name}"]`)
    await field.fill(typed)
    await field.blur()
    assert.equal(await error(name).innerText(), words)
    assert.equal(await pay.count(), 0, typed)
    assert.equal(await field.inputValue(), typed)
    if (name === 'pay') continue
    await of.fill('3')
    // Without another key: the sum counts after a pause.
    await says(page, text(lang, 'bill.shareEqual', { pay: 1, left: 3 }))
    assert.equal(await of.evaluate((one) => document.activeElement === one), true)
  }
  // Both are wrong: each says so.
  await of.fill('0')
  await page.locator('.people [name="pay"]').fill('0')
  await of.focus()
  await untilTrue(async () => (await error('pay').count()) === 1)
  assert.equal(await error('of').innerText(), people)
  assert.equal(await error('pay').innerText(), text(lang, 'bill.wrong.badPay', { most: 50 }))
  await openHydrated(page, address('&split=sum'))
  const sum = page.locator('[name="sum"]')
  for (const [typed, words] of [
    ['abc', 'bill.wrong.badSum'],
    ['3000,50', 'bill.wrong.coins'],
    ['-5', 'bill.wrong.badSum'],
    ['0', 'bill.wrong.zeroSum'],
  ]) {
    await sum.fill(typed)
    await sum.blur()
    assert.equal(await error('sum').innerText(), text(lang, words))
    assert.equal(await pay.count(), 0)
  }
  assert.deepEqual(problems, [])
  await context.close()
})

test('a guest who leaves the bank without paying goes back to the bill', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=sum&sum=1000'))
  await page.locator('.due button[type="submit"]').click()
  await endPayment(page, 'abandoned')
  await atUrl(page, (url) => /^\/pay\/[^/]+$/.test(url.pathname))
  await hydrated(page)
  await page.locator('header .back').click()
  await atUrl(page, (url) => /\/bill$/.test(url.pathname))
  await context.close()
})

test('what is left on the page that says thank you follows the bill', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=sum&sum=1000'))
  await page.locator('.due button[type="submit"]').click()
  await endPayment(page, 'succeeded')
  await atUrl(page, /\/bills\/paid\//)
  await hydrated(page)
  const left = page.locator('.bill-paid p:has(.link) .num')
  const before = await left.innerText()
  await page.locator('input[name="grade"][value="5"]').check({ force: true })
  const words = page.locator('[name="comment"]')
  await words.fill('Рақмет')
  await bring(0, 1)
  await untilTrue(
    async () => (await left.innerText()) !== before,
    PATIENCE,
    'what is left is asked for again',
  )
  assert.equal(await words.inputValue(), 'Рақмет', 'what is typed stays')
  await context.close()
})

test('the page that says thank you says when the bill is paid, without a load', async () => {
  const [one, two] = [await openPage(browser, product), await openPage(browser, product)]
  await openHydrated(one.page, address('&split=sum&sum=1000'))
  await one.page.locator('.due button[type="submit"]').click()
  await endPayment(one.page, 'succeeded')
  await atUrl(one.page, /\/bills\/paid\//)
  await hydrated(one.page)
  await one.page.evaluate(() => {
    window.__same = true
  })
  await says(one.page, text(lang, 'billPaid.left'), '[role="status"]')
  await openHydrated(two.page, address('&split=all'))
  await two.page.locator('.due button[type="submit"]').click()
  await atUrl(two.page, /\/pay\/card\//)
  // It is not paid before the bank has taken it.
  await says(one.page, text(lang, 'billPaid.paying'), '[role="status"]')
  await endPayment(two.page, 'succeeded')
  await atUrl(two.page, /\/bills\/paid\//)
  await says(one.page, text(lang, 'billPaid.all'), '[role="status"]')
  assert.equal(await one.page.evaluate(() => window.__same), true)
  // Who pays the rest reads it at once.
  await says(two.page, text(lang, 'billPaid.all'), '[role="status"]')
  for (const { context } of [one, two]) await context.close()
})

test('the page that says thank you has one main action: the grade, then the menu', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=equal'))
  await page.locator('.due button[type="submit"]').click()
  await endPayment(page, 'succeeded')
  await atUrl(page, /\/bills\/paid\//)
  await hydrated(page)
  const main = page.locator('main .button:not([data-quiet])')
  assert.deepEqual(await main.allInnerTexts(), [text(lang, 'grade.send')])
  assert.deepEqual(await page.locator('main .button[data-quiet]').allInnerTexts(), [text(lang, 'grade.skip')])
  // What else can be done there is as large to press.
  for (const link of await page.locator('.bill-paid .next > .link').all()) {
    assert.ok((await link.boundingBox()).height >= 44, await link.innerText())
  }
  await page.locator('.grade button[name="skip"]').click()
  await page.locator('.grade').waitFor({ state: 'detached' })
  assert.deepEqual(await page.locator('main .button').allInnerTexts(), [text(lang, 'cart.toMenu')])
  await page.locator('main .button').click()
  await atUrl(page, new RegExp(`/filials/${table.filial_id}$`))
  await context.close()
})

test('while others are at the bank with all that is left, the header says what they pay', async () => {
  const [one, two] = [await openPage(browser, product), await openPage(browser, product)]
  await openHydrated(one.page, address())
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const { left, money } = (await dataOf(one.page)).page.data
  await says(one.page, text(lang, 'bill.left'), '.bill .top')
  await openHydrated(two.page, address('&split=sum&sum=1000'))
  await two.page.locator('.due button[type="submit"]').click()
  await atUrl(two.page, /\/pay\/card\//)
  await says(one.page, `${text(lang, 'bill.paying')} ${formatMoney(100_000, money)}`, '.bill .top')
  await endPayment(two.page, 'declined')
  await openHydrated(two.page, address('&split=all'))
  await two.page.locator('.due button[type="submit"]').click()
  await atUrl(two.page, /\/pay\/card\//)
  await says(one.page, `${text(lang, 'bill.paying')} ${formatMoney(left, money)}`, '.bill .top > .left')
  const top = plainSpaces(await one.page.locator('.bill .top').innerText())
  assert.ok(!top.includes(text(lang, 'bill.left')), top)
  // Nor do the sums below call it paid: nothing of it is left to be chosen.
  const rest = plainSpaces(await one.page.locator('.sums [data-sum="left"]').innerText())
  assert.ok(rest.startsWith(text(lang, 'bill.leftToChoose')), rest)
  await endPayment(two.page, 'declined')
  await says(one.page, `${text(lang, 'bill.left')} ${formatMoney(left, money)}`, '.bill .top > .left')
  for (const { context } of [one, two]) await context.close()
})

test('a sum that others have made too large under the press is said once, at its field, which has the focus', async () => {
  const { page, context, web } = await openPage(browser, product)
  // With a session: the first post of a visit is sent twice, which a page whose requests are held does not do.
  await context.request.post(`${web}/session/age`, { form: { answer: 'yes' }, headers: { origin: web } })
  await openHydrated(page, address('&split=sum'))
  const { left, money } = (await dataOf(page)).page.data
  // The page has not heard of it when it is pressed; what it has asked for until then is answered after that.
  let waiting = []
  await page.route(/\/bill\/events/, () => {})
  await page.route(/\/_data\/.*\/bill\?/, (route) => (waiting ? waiting.push(route) : route.continue()))
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
  const sum = page.locator('[name="sum"]')
  await sum.fill(String(left / 100))
  const pay = page.locator('.due button[type="submit"]')
  await pay.waitFor()
  await page.locator('.tips > .soft').waitFor()
  await product.sandboxApi.set('bill/pay', { bill_id: bill, sum: 100 })
  await pay.click()
  const asked = waiting
  waiting = null
  await Promise.all(asked.map((route) => route.continue()))
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const less = text(lang, 'bill.problem.less', { left: formatMoney(left - 10_000, money) })
  await says(page, less, '.field .error')
  assert.equal(await page.locator('.pay .note[role="alert"]').count(), 0)
  assert.equal(
    await page.locator('.tips > .soft').count(),
    0,
    'tips have no base in a sum that can not be paid',
  )
  await page.locator('[name="sum"]:focus').waitFor()
  // What is typed after it has its own reason.
  await sum.fill(String(left / 100 + 5))
  await sum.press('Enter')
  await says(
    page,
    text(lang, 'bill.wrong.tooMuch', { left: formatMoney(left - 10_000, money) }),
    '.field .error',
  )
  await sum.fill('100')
  await pay.waitFor()
  assert.equal(await page.locator('.pay .note[role="alert"]').count(), 0)
  await context.close()
})

test('a sum that is too large has its reason at its field, which has the focus, without scripts too', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, address('&split=sum&sum=100'))
  await page.locator('[name="sum"]').fill('99999999')
  await page.locator('.due button[type="submit"]').click()
  await atUrl(page, /sum=99999999/)
  await page.locator('[name="sum"]:focus').waitFor()
  const [, before] = text(lang, 'bill.wrong.tooMuch', { left: '|' }).split('|')
  await says(page, before, '.field .error')
  assert.equal(await page.locator('.pay [role="alert"]').count(), 0)
  await context.close()
})

test('people are counted by the buttons beside their field, by its keys, and by typing alone without scripts', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, address('&split=equal'))
  const [of, pay] = [page.locator('.people [name="of"]'), page.locator('.people [name="pay"]')]
  const button = (key, field) =>
    page.getByRole('button', { name: text(lang, key, { what: text(lang, field) }) })
  const [fewer, more] = [button('bill.fewer', 'bill.people'), button('bill.more', 'bill.people')]
  for (const one of [fewer, more, button('bill.fewer', 'bill.payFor'), button('bill.more', 'bill.payFor')]) {
    const { width, height } = await one.boundingBox()
    assert.ok(width >= 44 && height >= 44, `${width} × ${height}`)
  }
  assert.equal(await of.inputValue(), '2')
  await more.click()
  await more.press('Enter')
  assert.equal(await of.inputValue(), '4')
  await says(page, text(lang, 'bill.shareEqual', { pay: 1, left: 4 }))
  assert.equal(await more.evaluate((one) => document.activeElement === one), true, 'it keeps the focus')
  await of.focus()
  await of.press('ArrowDown')
  assert.equal(await of.inputValue(), '3')
  await says(page, text(lang, 'bill.shareEqual', { pay: 1, left: 3 }))
  // Neither fewer than two nor more than there are.
  const presses = async (one) => {
    for (let press = 0; press < 4; press += 1) await one.click({ force: true })
    assert.equal(await one.getAttribute('aria-disabled'), 'true')
  }
  await presses(fewer)
  assert.equal(await of.inputValue(), '2')
  await presses(button('bill.more', 'bill.payFor'))
  assert.equal(await pay.inputValue(), '2')
  await says(page, text(lang, 'bill.shareEqual', { pay: 2, left: 2 }))
  // Nor fewer than the guest pays for.
  await more.click()
  await button('bill.more', 'bill.payFor').click()
  await presses(fewer)
  assert.deepEqual([await of.inputValue(), await pay.inputValue()], ['3', '3'])
  assert.deepEqual(problems, [])
  await context.close()
  const plain = await openPage(browser, product, { javaScriptEnabled: false })
  await open(plain.page, address('&split=equal'))
  assert.equal(await plain.page.locator('.people button:visible').count(), 0)
  const [box, around] = [
    await plain.page.locator('.people [name="of"]').boundingBox(),
    await plain.page.locator('.people').boundingBox(),
  ]
  assert.equal(box.width, around.width, 'no room is left for what is not there')
  await plain.context.close()
})

test('the button that pays has the sum of a number of people as soon as it is there, without a request', async () => {
  const { page, context } = await openPage(browser, product)
  await page.clock.install()
  await openHydrated(page, address('&split=equal'))
  // Nothing that waits for a guest to rest comes.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  const asked = []
  page.on('request', (request) => asked.push(request.url()))
  const { left, money } = (await dataOf(page)).page.data
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const button = page.locator('.due button[type="submit"]')
  const more = (field) =>
    page.getByRole('button', { name: text(lang, 'bill.more', { what: text(lang, field) }) })
  const shows = async (people, paying) => {
    const due = Math.floor((left * paying) / people / 100) * 100
    const words = text(lang, 'bill.payNow', { sum: formatMoney(due, money) })
    assert.equal(plainSpaces(await button.innerText()), plainSpaces(words), `${paying} of ${people}`)
    const share = plainSpaces(await page.locator('.due [data-sum="share"]').innerText())
    assert.ok(share.includes(text(lang, 'bill.shareEqual', { pay: paying, left: people })), share)
  }
  await shows(2, 1)
  await more('bill.people').click()
  await shows(3, 1)
  await more('bill.payFor').click()
  await shows(3, 2)
  await page.locator('.people [name="of"]').fill('7')
  await shows(7, 2)
  assert.deepEqual(asked, [])
  // What it shows is what is paid.
  await page.clock.resume()
  await button.click()
  await endPayment(page, 'succeeded')
  await atUrl(page, /\/bills\/paid\//)
  const [told] = (await product.sandboxApi.get('bills')).filter(({ id }) => id === bill)
  assert.equal(told.payments[0].sum * 100, Math.floor((left * 2) / 7 / 100) * 100)
  await context.close()
})

test('where others may have paid for more than there are, a new number is shown as being counted, without a sum', async () => {
  const one = await openPage(browser, product)
  await openHydrated(one.page, address('&split=equal'))
  await one.page.locator('.due button[type="submit"]').click()
  await endPayment(one.page, 'succeeded')
  await atUrl(one.page, /\/bills\/paid\//)
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=equal'))
  await says(page, text(lang, 'bill.shareRest', { pay: 1, left: 1 }))
  // Two sit at the table, and one of them is left: both numbers are told for what they are.
  await says(page, text(lang, 'bill.peoplePaid', { count: 1 }), '.people')
  const of = page.locator('.people [name="of"]')
  assert.equal(await of.inputValue(), '2')
  const hint = await of.getAttribute('aria-describedby')
  assert.equal(await page.locator(`[id="${hint}"]`).innerText(), text(lang, 'bill.peoplePaid', { count: 1 }))
  let release
  const held = new Promise((resolve) => {
    release = resolve
  })
  await page.route(/\/_data\//, async (route) => {
    await held
    await route.continue()
  })
  await of.fill('4')
  const button = page.locator('.due button[type="submit"]')
  assert.equal(await button.innerText(), text(lang, 'bill.counting'))
  assert.equal(await button.getAttribute('aria-busy'), 'true')
  assert.equal(await page.locator('.due .num').count(), 0)
  release()
  await says(page, text(lang, 'bill.shareRest', { pay: 1, left: 3 }))
  assert.equal(await button.getAttribute('aria-busy'), null)
  await one.context.close()
  await context.close()
})

test('own tips that are no sum are called that, with scripts and without, and stay as they were typed', async () => {
  const error = (page) => page.locator('.field:has([name="tip_sum"]) .error')
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=all&tip=own'))
  const tips = page.locator('[name="tip_sum"]')
  for (const [typed, words] of [
    ['abc', 'bill.wrong.badSum'],
    ['-5', 'bill.wrong.badSum'],
    ['10,50', 'bill.wrong.coins'],
    ['99999999', 'bill.wrong.badTips'],
  ]) {
    await tips.fill(typed)
    await tips.blur()
    assert.equal(await error(page).innerText(), text(lang, words), typed)
    assert.equal(await tips.inputValue(), typed)
    const described = (await tips.getAttribute('aria-describedby')).split(' ')
    assert.ok(described.includes(await error(page).getAttribute('id')))
  }
  await context.close()
  const plain = await openPage(browser, product, { javaScriptEnabled: false })
  await open(plain.page, address('&split=all&tip=own&tip_sum=abc'))
  assert.equal(await error(plain.page).innerText(), text(lang, 'bill.wrong.badSum'))
  assert.equal(await plain.page.locator('[name="tip_sum"]').inputValue(), 'abc')
  await plain.context.close()
})

test('on a phone the field of own tips is in sight above the button, when it is chosen and while it is typed in', async () => {
  const { page, context } = await openPage(browser, product, { viewport: { width: 360, height: 640 } })
  await openHydrated(page, address('&split=all'))
  const tips = page.locator('[name="tip_sum"]')
  const isInSight = () =>
    tips.evaluate((field) => {
      const { top, bottom } = field.getBoundingClientRect()
      const bar = document.querySelector('.pay-now').getBoundingClientRect()
      const head = document.querySelector('.head').getBoundingClientRect()
      return top >= head.bottom && bottom <= bar.top
    })
  // Its choice at the upper edge of the bar, where a finger takes it as it stands.
  const at = await page.locator('.tips label:has([value="own"])').evaluate((one) => {
    const bar = document.querySelector('.pay-now').getBoundingClientRect()
    scrollBy(0, one.getBoundingClientRect().bottom - bar.top + 2)
    const { left, top } = one.getBoundingClientRect()
    return { x: left + 16, y: top + 16 }
  })
  await page.mouse.click(at.x, at.y)
  await tips.waitFor()
  assert.ok(await isInSight(), 'chosen')
  for (const sum of ['100', '']) {
    await page.evaluate(() => scrollTo(0, 0))
    await tips.evaluate((one) => one.blur())
    await tips.evaluate((one) => one.focus())
    assert.ok(await isInSight(), 'focused')
    await tips.fill(sum)
    assert.ok(await isInSight(), 'typed')
  }
  await context.close()
})

test('a bill with nothing on it says so once and has no sums of nothing', async () => {
  const { sandboxApi } = product
  await sandboxApi.set('bill/close', { bill_id: bill })
  const place = { filial_id: table.filial_id, table_id: table.table_id }
  bill = (await sandboxApi.set('bill/open', place)).data.id
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address())
  await says(page, text(lang, 'bill.empty'))
  assert.equal(await page.locator('.bill .num').count(), 0)
  const heading = page.getByRole('heading', { name: text(lang, 'bill.pay') })
  assert.equal(await heading.count(), 0, 'there is nothing to pay')
  // What a waiter brings has its sums, and none of them is nothing.
  await bring(0, 1)
  await page.locator('.sums').waitFor()
  await heading.waitFor()
  for (const sum of await page.locator('.bill .num').allInnerTexts()) assert.doesNotMatch(sum, /^0\s/)
  await context.close()
})

test('names of dishes begin in one line, for every guest and every count', async () => {
  const [one, two] = [await openPage(browser, product), await openPage(browser, product)]
  await bring(2, 1)
  await openHydrated(two.page, address('&split=dishes'))
  await two.page.locator('.dishes input[type="checkbox"]').first().check()
  await openHydrated(one.page, address('&split=dishes'))
  await says(one.page, text(lang, 'bill.lineTaken'))
  const begins = await one.page.locator('.dishes .lines > li').evaluateAll((rows) =>
    rows.map((row) => {
      const range = document.createRange()
      range.selectNodeContents(row.querySelector('span > span'))
      return Math.round(range.getBoundingClientRect().left)
    }),
  )
  assert.equal(new Set(begins).size, 1, String(begins))
  assert.equal(begins.length, 3)
  // What is chosen counts by itself: no button is left for it.
  assert.equal(await one.page.getByRole('button', { name: text(lang, 'bill.take') }).count(), 0)
  for (const { context } of [one, two]) await context.close()
})

test('where all dishes are ticked their names stand right beside the boxes', async () => {
  const place = { filial_id: table.filial_id, table_id: table.table_id }
  await product.sandboxApi.set('bill/close', { bill_id: bill })
  bill = (await product.sandboxApi.set('bill/open', place)).data.id
  await bring(0, 1)
  await bring(1, 1)
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=dishes'))
  const gaps = await page.locator('.dishes .choice').evaluateAll((rows) =>
    rows.map((row) => {
      const [box, name] = [...row.children].map((one) => one.getBoundingClientRect())
      return [box.left - row.getBoundingClientRect().left, name.left - box.right]
    }),
  )
  assert.equal(gaps.length, 2)
  for (const gap of gaps) assert.deepEqual(gap, [0, 12])
  await context.close()
})

test('by dishes: what one piece costs is told, and on a phone the button that pays stays in sight', async () => {
  const { page, context } = await openPage(browser, product)
  for (const at of table.plain.keys()) if (at > 1) await bring(at, 1)
  await openHydrated(page, address('&split=dishes'))
  const { lines, money } = (await dataOf(page)).page.data
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const several = lines.find(({ count }) => count === 2)
  const row = page.locator('.dishes .lines > li', { hasText: several.name })
  const each = text(lang, 'cart.each', { price: formatMoney(several.price, money) })
  await says(page, each, '.dishes')
  assert.ok(plainSpaces(await row.innerText()).includes(plainSpaces(each)))
  // One alone costs what its row says.
  assert.equal(await page.locator('.dishes .lines > li', { hasNotText: '×' }).locator('.soft').count(), 0)
  await page.locator('.dishes input[type="checkbox"]').first().check()
  const pay = page.locator('.due button[type="submit"]')
  await pay.waitFor()
  /** Whether the button is in sight, and hears a press in its middle. */
  const isInSight = () =>
    pay.evaluate((one) => {
      const { top, bottom, left, width } = one.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, (top + bottom) / 2)
      return top >= 0 && bottom <= innerHeight && one.contains(hit)
    })
  const scroll = (where) => page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), where)
  for (const where of [0, 200, 400]) {
    await scroll(where)
    assert.equal(await isInSight(), true, `scrolled to ${where}`)
  }
  // With the keyboard, what has the focus is not covered by the button.
  await scroll(0)
  const ticks = page.locator('.dishes :is(input, select)')
  for (const tick of await ticks.all()) {
    await tick.focus()
    const [lower, upper] = [await tick.boundingBox(), await pay.boundingBox()]
    assert.ok(lower.y + lower.height <= upper.y || lower.y >= upper.y + upper.height, 'not covered')
  }
  // With letters twice as large names still stand in words, not letter below letter.
  const narrow = await row.evaluate((one) => {
    document.documentElement.style.fontSize = '200%'
    const name = one.querySelector('label > span').getBoundingClientRect().width
    const inside = one.scrollWidth <= one.clientWidth
    document.documentElement.style.fontSize = ''
    return { name, inside }
  })
  assert.ok(narrow.name >= 120 && narrow.inside, JSON.stringify(narrow))
  // Beside the dishes of a wide window nothing lies over them.
  await page.setViewportSize({ width: 1280, height: 800 })
  const place = await page.locator('.pay-now').evaluate((one) => getComputedStyle(one).position)
  assert.equal(place, 'static')
  await context.close()
})

test('with scripts off tips outlive the button of the dishes', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, address('&split=dishes'))
  await page.locator('.tips input[value="10"]').check()
  await page.locator('.dishes input[type="checkbox"]').check()
  await page.locator('.dishes button[type="submit"]').click()
  await atUrl(page, /tip=10/)
  assert.equal(await page.locator('.tips input[value="10"]').isChecked(), true)
  assert.equal(await page.locator('.dishes input[type="checkbox"]').isChecked(), true)
  await context.close()
})

test('with scripts off the button that shows the sum takes what is ticked as the button of the dishes does', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, address('&split=dishes'))
  await page.locator('.tips input[value="own"]').check()
  await page.locator('input[name="tip_sum"]').fill('100')
  await page.locator('.dishes input[type="checkbox"]').check()
  await page.locator('.share button[name="count"]').click()
  await atUrl(page, /tip_sum=100/)
  assert.equal(await page.locator('.dishes input[type="checkbox"]').isChecked(), true)
  await page.locator('.due button[type="submit"]').waitFor()
  await context.close()
})

test('a bill that closes under an open page says so and stays so after a reload', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, address())
  await product.sandboxApi.set('bill/close', { bill_id: bill })
  await says(page, text(lang, 'bill.closed'))
  await atUrl(page, /[?&]bill=/)
  await page.reload({ waitUntil: 'domcontentloaded' })
  await says(page, text(lang, 'bill.closed'))
  assert.deepEqual(problems, [])
  await context.close()
})

test('a phone that looks while the last part of a bill is paid says that all of it is, and so after a reload', async () => {
  const [one, two] = [await openPage(browser, product), await openPage(browser, product)]
  await openHydrated(one.page, address())
  await openHydrated(two.page, address('&split=all'))
  await two.page.locator('.due button[type="submit"]').click()
  await endPayment(two.page, 'succeeded')
  await says(one.page, text(lang, 'bill.allPaid'))
  await says(one.page, text(lang, 'bill.closedPaid'), 'h1')
  await atUrl(one.page, /[?&]bill=/)
  await one.page.reload({ waitUntil: 'domcontentloaded' })
  await says(one.page, text(lang, 'bill.allPaid'))
  assert.deepEqual(one.problems, [])
  for (const { context } of [one, two]) await context.close()
})

test('with scripts off: a choice, tips, the bank, thanks and a grade', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, address())
  await page.locator('a[href*="split=dishes"]').click()
  await page.locator('.dishes input[type="checkbox"]').check()
  await page.locator('.dishes button[type="submit"]').click()
  await atUrl(page, /split=dishes/)
  await page.locator('.tips input[value="10"]').check()
  await page.locator('.share button[name="count"]').click()
  await atUrl(page, /tip=10/)
  const shown = plainSpaces(await page.locator('.due button[type="submit"]').innerText())
  await page.locator('.due button[type="submit"]').click()
  await endPayment(page, 'succeeded')
  await atUrl(page, /\/bills\/paid\//)
  const total = plainSpaces(await page.locator('.bill-paid dl').innerText())
  assert.ok(total.includes(/[\d ]+₸/.exec(shown)[0].trim()), `${shown} in ${total}`)
  await page.locator('input[name="grade"][value="5"]').check({ force: true })
  await page.locator('.grade button[type="submit"]').first().click()
  await says(page, text(lang, 'billPaid.thanked'))

  await open(page, address())
  await page.locator('a[href*="step=waiter"]').click()
  await page.locator('form[action*="/waiter"] button').click()
  await says(page, text(lang, 'bill.called'))
  await context.close()
})

for (const javaScriptEnabled of [true, false]) {
  test(`what is typed and not counted yet is never left out of a payment (scripts: ${javaScriptEnabled})`, async () => {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled })
    const settled = () => (javaScriptEnabled ? hydrated(page) : page.waitForLoadState('domcontentloaded'))
    await open(page, address('&split=sum&sum=1000'))
    await settled()
    const pay = page.locator('.due button[type="submit"]')
    assert.match(plainSpaces(await pay.innerText()), /1 000 ₸/)
    await page.locator('input[name="tip"][value="own"]').check()
    await page.locator('input[name="tip_sum"]').fill('333')
    if (!javaScriptEnabled) {
      await pay.click()
      // A sum is shown before it is charged.
      await atUrl(page, /tip_sum=333/)
      await settled()
    }
    await untilTrue(async () => /1 333 ₸/.test(plainSpaces(await pay.innerText())), PATIENCE, 'with the tips')
    const payments = async () => (await product.sandboxApi.get('payments')).length
    const before = await payments()
    await pay.click()
    await endPayment(page, 'succeeded')
    await atUrl(page, /\/bills\/paid\//)
    assert.match(plainSpaces(await page.locator('.bill-paid dl').innerText()), /333 ₸/)
    assert.equal(await payments(), before + 1)
    await context.close()
  })
}

for (const javaScriptEnabled of [true, false]) {
  test(`dishes that the bank declined to be paid are still chosen on the way back (scripts: ${javaScriptEnabled})`, async () => {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled })
    const settled = () => (javaScriptEnabled ? hydrated(page) : page.waitForLoadState('domcontentloaded'))
    await open(page, address('&split=dishes'))
    await settled()
    const pay = page.locator('.due button[type="submit"]')
    await page.locator('.dishes input[type="checkbox"]').check()
    if (!javaScriptEnabled) {
      await page.locator('.dishes select').selectOption('1')
      await page.locator('.dishes button[type="submit"]').click()
    } else {
      await pay.waitFor()
      const before = await pay.innerText()
      await page.locator('.dishes select').selectOption('1')
      await untilTrue(async () => (await pay.innerText()) !== before, PATIENCE, 'both are counted')
    }
    const shown = await pay.innerText()
    await pay.click()
    await endPayment(page, 'declined')
    await atUrl(page, /^[^?]*\/pay\/(?!card)/)
    await settled()
    await page.locator('main a[href*="split=dishes"]').click()
    await atUrl(page, /split=dishes/)
    await page.locator('.dishes').waitFor()
    // The page before leaves nothing of its looks behind.
    const left = page.locator('.bill .top > .left')
    assert.match(await left.evaluate((one) => getComputedStyle(one).textAlign), /^(start|left)$/)
    assert.equal(await page.locator('.dishes input[type="checkbox"]').isChecked(), true)
    assert.equal(await page.locator('.dishes select').inputValue(), '1')
    assert.equal(await pay.innerText(), shown)
    // They are: another press pays them.
    await settled()
    await pay.click()
    await endPayment(page, 'succeeded')
    await atUrl(page, /\/bills\/paid\//)
    await context.close()
  })
}

test('what is typed is counted at each key, without a request, and said once', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await page.clock.install()
  await openHydrated(page, address('&split=sum'))
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  const asked = []
  page.on('request', (request) => {
    if (request.method() === 'POST' || request.url().includes('/_data')) asked.push(request.url())
  })
  const status = page.locator('.share [role="status"]')
  await status.evaluate((one) => {
    window.__said = []
    new MutationObserver(() => window.__said.push(one.textContent)).observe(one, {
      childList: true,
      characterData: true,
      subtree: true,
    })
  })
  const row = async (name) => plainSpaces(await page.locator(`.due [data-sum="${name}"] dd`).innerText())
  const pay = page.locator('.due button[type="submit"]')
  const paysNow = async () => plainSpaces(await pay.innerText())
  assert.equal(await pay.count(), 0, 'nothing is typed yet')
  const sum = page.locator('input[name="sum"]')
  await sum.focus()
  for (const [key, shown] of [
    ['1', '1 ₸'],
    ['0', '10 ₸'],
    ['0', '100 ₸'],
    ['0', '1 000 ₸'],
  ]) {
    await page.keyboard.press(key)
    assert.ok((await paysNow()).includes(plainSpaces(shown)), `${key}: ${await paysNow()}`)
  }
  assert.equal(await row('share'), '1 000 ₸')
  const { goods, total, percent } = (await dataOf(page)).page.data
  const dishes = Math.floor((1000 * goods) / total)
  if (percent > 0) assert.equal(await row('service'), `${1000 - dishes} ₸`)
  else assert.equal(await page.locator('.due [data-sum="service"]').count(), 0)
  await page.locator('input[name="tip"][value="own"]').check()
  await page.locator('input[name="tip_sum"]').pressSequentially('333')
  assert.match(await paysNow(), /1 333 ₸/)
  assert.equal(await row('tips'), '333 ₸')
  assert.equal(await row('left'), '1 333 ₸')
  const said = () => page.evaluate(() => window.__said.map((text) => text.replace(/\s+/g, ' ')))
  assert.deepEqual(await said(), [], 'not at each key')
  await page.clock.fastForward(1500)
  assert.deepEqual(await said(), [`${text(lang, 'sum.total')}: 1 333 ₸`])

  // What can't be paid is said beside its field, in the guest's language, and stays as it was typed.
  const left = (await dataOf(page)).page.data.left
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const { money } = (await dataOf(page)).page.data
  const tooMuch = text(lang, 'bill.wrong.tooMuch', { left: formatMoney(left, money) })
  for (const [typed, words] of [
    [String(left / 100 + 1), tooMuch],
    ['999999999999', tooMuch],
    ['0', text(lang, 'bill.wrong.zeroSum')],
    ['x', text(lang, 'bill.wrong.badSum')],
  ]) {
    await sum.fill(typed)
    await page.clock.fastForward(1500)
    assert.equal(
      plainSpaces(await page.locator('.field:has([name="sum"]) .error').innerText()),
      plainSpaces(words),
    )
    assert.equal(await sum.inputValue(), typed)
    assert.equal(await sum.getAttribute('aria-invalid'), 'true')
    assert.equal(await pay.count(), 0)
    assert.equal((await said()).at(-1), plainSpaces(words))
  }
  assert.deepEqual(asked, [])
  // All that is left can be paid, and is.
  await sum.fill(String(left / 100))
  assert.equal(await page.locator('.field:has([name="sum"]) .error').count(), 0)
  await page.clock.resume()
  await pay.click()
  await endPayment(page, 'succeeded')
  await atUrl(page, /\/bills\/paid\//)
  assert.deepEqual(
    problems.filter((one) => !one.includes(product.sandbox)),
    [],
  )
  await context.close()
})

test('a star that is chosen takes away what was said for want of it', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address('&split=all'))
  await page.locator('.due button[type="submit"]').click()
  await endPayment(page, 'succeeded')
  await atUrl(page, /\/bills\/paid\//)
  await hydrated(page)
  await page.locator('.grade button[type="submit"]').first().click()
  await page.locator('#ungraded').waitFor()
  await page.locator('.stars label').nth(3).click()
  await page.locator('#ungraded').waitFor({ state: 'detached' })
  // Back at the table's code the bill is said to be paid.
  await open(page, address())
  await says(page, text(lang, 'bill.closedPaid'))
  await page.locator('main a[href*="/bills/paid/"]').click()
  await says(page, text(lang, 'billPaid.title'))
  await context.close()
})

test('with the keyboard alone: equal parts, tips, to the bank', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address())
  const pressUntil = async (selector) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return
    }
    assert.fail(`${selector} is not reached`)
  }
  await pressUntil('a[href*="split=equal"]')
  await page.keyboard.press('Enter')
  await atUrl(page, /split=equal/)
  await page.locator('.people input[name=of]').waitFor()
  await pressUntil('.people input[name=of]')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('4')
  await page.keyboard.press('Enter')
  await atUrl(page, /of=4/)
  await says(page, text(lang, 'bill.shareEqual', { pay: 1, left: 4 }))
  await pressUntil('.tips input[type="radio"]')
  await page.keyboard.press('ArrowRight')
  await atUrl(page, /tip=5/)
  await pressUntil('.due button[type="submit"]')
  await page.keyboard.press('Enter')
  await atUrl(page, /\/pay\/card\//)
  await context.close()
})

test('a screen reader says what a waiter brings, what a friend pays, and the end', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, address())
  const status = page.locator('.bill > [role="status"]')
  const heard = (words) =>
    untilTrue(
      async () => plainSpaces(await status.innerText()) === plainSpaces(words),
      PATIENCE,
      `the status says ${words}`,
    )
  // Nothing is said before something has changed, and it is one place that says it.
  assert.equal(await status.innerText(), '')
  await status.evaluate((one) => {
    window.__status = one
  })
  const dish = table.plain[2]
  await bring(2, 2)
  await heard(text(lang, 'bill.news.added', { name: dish.name, count: 2 }))

  // A friend pays a part of it.
  const friend = await openPage(browser, product)
  await openHydrated(friend.page, address('&split=sum&sum=1000'))
  await friend.page.locator('.due button[type="submit"]').click()
  await endPayment(friend.page, 'succeeded')
  await atUrl(friend.page, /\/bills\/paid\//)
  await friend.context.close()
  const [told] = (await product.sandboxApi.get('bills')).filter(({ id }) => id === bill)
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const { money } = (await dataOf(page)).page.data
  const [sum, left] = [100_000, Math.round(told.sum * 100) - 100_000].map((one) => formatMoney(one, money))
  await heard(text(lang, 'bill.news.paid', { sum, left }))

  await product.sandboxApi.set('bill/close', { bill_id: bill })
  await heard(text(lang, 'bill.news.closed'))
  assert.equal(await status.evaluate((one) => one === window.__status), true)
  assert.deepEqual(problems, [])
  await context.close()
})

test('the question about the waiter comes into view and is answered there', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, address())
  const call = page.getByRole('link', { name: text(lang, 'bill.call') })
  await call.scrollIntoViewIfNeeded()
  await call.click()
  const question = page.getByRole('heading', { name: text(lang, 'bill.callAsk') })
  await question.waitFor()
  await untilTrue(
    () =>
      question.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return document.activeElement === one && top >= 0 && bottom <= innerHeight
      }),
    PATIENCE,
    'it is in view and has the focus',
  )
  await page.getByRole('button', { name: text(lang, 'bill.callSure') }).click()
  await page.getByText(text(lang, 'bill.called')).waitFor()
  // The button that had the focus is gone: the word in its place has it.
  await page.locator('.called [role="status"]:focus').waitFor()
  await context.close()
})

test('the button stays while a sum cannot be paid, off and with the reason, and nothing is said of bonuses for it', async () => {
  const opened = await openPage(browser, product)
  const { page, context, requests } = opened
  await signIn(opened)
  await openHydrated(page, address('&split=sum'))
  const sum = page.locator('[name="sum"]')
  const button = page.locator('.pay-now button')
  const bonus = page.locator('.field:has([name="bonus"])')
  const most = plainSpaces(text(lang, 'bill.bonusMost', { sum: '|' })).split('|')[1]
  // Nothing is typed yet.
  assert.equal(await button.getAttribute('aria-disabled'), 'true')
  assert.ok((await page.locator('.pay-now').innerText()).includes(text(lang, 'bill.say.badSum')))
  await sum.fill('abc')
  await sum.blur()
  assert.equal(await button.getAttribute('aria-disabled'), 'true')
  const why = await button.getAttribute('aria-describedby')
  const reason = page.locator(`[id="${why}"]`)
  assert.equal(await reason.innerText(), text(lang, 'bill.wrong.badSum'))
  assert.ok((await reason.boundingBox()).width <= 1, 'who sees it has it at the field')
  assert.ok(!plainSpaces(await bonus.innerText()).includes(most), 'no sum of bonuses')
  await button.click({ force: true })
  assert.deepEqual(
    requests.filter((one) => one.method() === 'POST' && one.url().includes('/bill')).map((one) => one.url()),
    [],
    'it does nothing',
  )
  await sum.fill('1000')
  await untilTrue(async () => (await button.getAttribute('aria-disabled')) === null)
  assert.ok(plainSpaces(await bonus.innerText()).includes(most))
  await context.close()
})

test('no two choices of a bill are called alike', async () => {
  const { page, context } = await openPage(browser, product)
  for (const lang of ['kk', 'ru', 'en']) {
    await openHydrated(page, inLang(address('&split=sum'), lang))
    const words = await page.locator('.splits a, .picks > .chip').allInnerTexts()
    assert.equal(new Set(words.map(plainSpaces)).size, words.length, words.join())
  }
  await context.close()
})

test('without scripts a sum or a tip that was just typed is shown once more, and the next press pays it', async () => {
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, address('&split=sum'))
  const pay = page.locator('.pay-now button')
  assert.equal(await pay.getAttribute('aria-disabled'), null, 'its press counts what is typed')
  await page.locator('[name="sum"]').fill('500')
  await pay.click()
  const { money } = (await dataOf(page)).page.data
  const asks = (sum) => text(lang, 'bill.problem.check', { sum: formatMoney(sum, money) })
  await says(page, asks(50_000), '.pay-now [role="status"]')
  assert.equal(await page.locator('.pay [role="alert"]').count(), 0, 'nothing has gone wrong')
  await page.locator('.tips input[value="own"]').check({ force: true })
  await page.locator('[name="tip_sum"]').fill('100')
  await pay.click()
  await says(page, asks(60_000), '.pay-now [role="status"]')
  // What somebody else pays meanwhile is told as before.
  await product.sandboxApi.set('bill/pay', { bill_id: bill, sum: 100 })
  await page.locator('[name="tip_sum"]').fill('200')
  await pay.click()
  await says(page, text(lang, 'bill.problem.changed'), '.pay [role="alert"]')
  await pay.click()
  await endPayment(page, 'succeeded')
  await atUrl(page, /\/bills\/paid\//)
  await context.close()
})
