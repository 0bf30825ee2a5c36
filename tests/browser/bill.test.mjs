/**
 * The bill at the table: two phones that divide it, what each learns of the other, the whole way without scripts and with
 * the keyboard alone (PY-08, PY-14, PY-16, beyond.md 17).
 */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { endPayment } from './flows.mjs'
import {
  atUrl,
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
    await pay.click()
    // Nobody is charged what they have not seen: the sum of it comes first.
    await atUrl(page, /tip_sum=333/)
    await settled()
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
