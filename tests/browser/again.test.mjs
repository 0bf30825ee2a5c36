/** Nothing is entered twice or by heart, and help stands at the same place (AX-04: WCAG 3.3.7, 3.3.8, 3.2.6). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { payInCash, pressOrder, signIn } from './flows.mjs'
import {
  atUrl,
  begun,
  cartOf,
  dataOf,
  fillCart,
  inLang,
  openHydrated,
  openPage,
  PATIENCE,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { toAddressForm } from './states.mjs'

setStage()

const LANG = 'en'
const PHONE = '+77010000036'

test('name, phone and address are entered once: booking, profile and home have them', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await signIn(opened, { phone: PHONE })
  await openHydrated(page, inLang('/profile/form', LANG))
  await page.locator('input[name="name"]').fill('Дана')
  await page.locator('form[action="/profile/form"] button[type="submit"]').first().click()
  await atUrl(page, /\/profile(\?|$)/)

  const date = await page.evaluate(() => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10))
  await openHydrated(page, inLang(`/brands/booking?filial=${table.filial_id}&date=${date}`, LANG))
  const booking = page.locator('form[action="/bookings"]')
  assert.equal(await booking.locator('input[name="name"]').inputValue(), 'Дана')
  const phone = await booking.locator('input[name="phone"]').inputValue()
  assert.equal(phone.replace(/\D/g, ''), PHONE.slice(1))

  await toAddressForm({ opened, lang: LANG })
  await page.locator('input[name="street"]').fill('Abai Avenue')
  await page.locator('input[name="building"]').fill('10')
  await page.locator('form[action="/addresses"] button').first().click()
  await untilTrue(() => !page.url().includes('/address-form'))
  // It is there wherever one is asked for.
  await openHydrated(page, inLang('/addresses?back=/', LANG))
  assert.match(await page.locator('main').innerText(), /Abai Avenue/)
  await openHydrated(page, inLang('/profile', LANG))
  assert.match(await page.locator('main').innerText(), /Abai Avenue/)
  await openHydrated(page, inLang('/?service=delivery', LANG))
  assert.match(await page.locator('header').innerText(), /Abai Avenue/)
  assert.deepEqual(problems, [])
  await context.close()
})

test('what is typed is there when Back or Forward leads to it again, until it is saved', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await signIn(opened, { phone: '77010000192' })
  await openHydrated(page, inLang('/profile', LANG))
  const documents = []
  page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()))
  const name = page.locator('input[name="name"]')
  const toForm = page.locator('main a[href*="/profile/form"]').first()
  await toForm.click()
  await name.fill('Дана')
  await page.goBack()
  await toForm.waitFor()
  await page.goForward()
  await untilTrue(async () => (await name.inputValue()) === 'Дана')
  await page.locator('form[action="/profile/form"] button[type="submit"]').first().click()
  await toForm.waitFor()
  // What was saved does not come back over what was said elsewhere since.
  const other = await context.newPage()
  await openHydrated(other, inLang('/profile/form', LANG))
  await other.locator('input[name="name"]').fill('Алия')
  await other.locator('form[action="/profile/form"] button[type="submit"]').first().click()
  await atUrl(other, /\/profile(\?|$)/)
  await page.goBack()
  await untilTrue(async () => (await name.inputValue()) === 'Алия')
  assert.deepEqual(documents, [])
  assert.deepEqual(problems, [])
  await context.close()
})

test('a code can be pasted wherever one is asked for', async () => {
  const opened = await openPage(browser, product, { permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, context, problems } = opened
  async function paste(field, code) {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), code)
    await field.focus()
    await page.keyboard.press('ControlOrMeta+V')
    assert.equal(await field.inputValue(), code)
  }
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang('/cart', LANG))
  await page.locator('.promo summary').click()
  await paste(page.locator('.promo input[name="code"]'), 'DASTARKHAN10')
  await openHydrated(page, inLang('/filials/1201/barcode-manual', LANG))
  await paste(page.locator('input[name="code"]'), '4870001234560')
  assert.deepEqual(problems, [])
  await context.close()
})

test('help comes in the same order on each page that has it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await signIn(opened, { phone: PHONE })
  const help = ['/faq', '/legal/terms', '/legal/privacy']
  for (const path of ['/', '/faq', '/legal/terms', '/legal/privacy', '/profile']) {
    await openHydrated(page, inLang(path, LANG))
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => new URL(link.href).pathname))
    const at = links.lastIndexOf('/faq')
    assert.deepEqual(links.slice(at, at + 3), help, path)
  }
  await context.close()
})

test('Home offers again what is in its own country', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  // Both are open day and night.
  for (const venue of [1013, 2033]) {
    const code = `filial_id=${venue}&table_id=t1&main_terminal_id=${Math.floor(venue / 10) * 10}`
    await openHydrated(page, `/filials/${venue}?${code}`)
    await page.locator('form[action="/cart/lines"] button').first().click()
    // The page shows it before the server has it.
    await untilTrue(async () => (await cartOf(page))?.count > 0)
    await openHydrated(page, '/cart')
    await payInCash(page)
    await pressOrder(page)
    await atUrl(page, /\/order\//)
  }
  for (const [country, venue] of [
    ['kz', 1013],
    ['ge', 2033],
  ]) {
    await openHydrated(page, `/?country=${country}`)
    const { rails } = (await dataOf(page)).page.data
    const recent = rails.find(({ kind }) => kind === 'recent')
    assert.deepEqual(
      recent.venues.map(({ id }) => id),
      [venue],
    )
  }
  await context.close()
})

test('a booking that is not sent is there after the death of its page, and gone once it is', async () => {
  const { page: first, context, problems } = await openPage(browser, product)
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const address = inLang(`/brands/booking?filial=${table.filial_id}&date=${date}`, LANG)
  await openHydrated(first, address)
  await begun(first, 'background-')
  const form = (page) => page.locator('form[action="/bookings"]')
  const typed = async (page) => [
    await form(page).locator('[name="time"]').last().isChecked(),
    await form(page).locator('[name="name"]').inputValue(),
    await form(page).locator('[name="phone"]').inputValue(),
    await form(page).locator('[name="comment"]').inputValue(),
  ]
  await form(first).locator('[name="time"]:not([disabled])').last().check()
  await form(first).locator('[name="name"]').fill('Айгүл')
  await form(first).locator('[name="phone"]').fill('+7 701 000 00 93')
  await form(first).locator('[name="comment"]').fill('Терезе жанында')
  const before = await typed(first)
  await first.close()

  const page = await context.newPage()
  await openHydrated(page, address)
  await untilTrue(async () => isDeepStrictEqual(await typed(page), before), PATIENCE, 'it is there again')
  await form(page)
    .getByRole('button', { name: text(LANG, 'booking.confirm') })
    .click()
  await page.getByText(text(LANG, 'booking.done')).waitFor()
  await openHydrated(page, address)
  await begun(page, 'background-')
  assert.equal(await form(page).locator('[name="comment"]').inputValue(), '')
  assert.deepEqual(problems, [])
  await context.close()
})

test('what a guest has typed and searched is not there for the next one, in no tab of the browser', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await signIn(opened, { phone: PHONE })
  await openHydrated(page, inLang('/', LANG))
  await begun(page, 'background-')
  await page.getByRole('combobox').fill('plov')
  await page.getByRole('combobox').press('Enter')
  await atUrl(page, (url) => url.pathname === '/search')
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const address = inLang(`/brands/booking?filial=${table.filial_id}&date=${date}`, LANG)
  const comment = (at) => at.locator('form[action="/bookings"] [name="comment"]')
  await openHydrated(page, address)
  await begun(page, 'background-')
  await comment(page).fill('By the window')
  const other = await context.newPage()
  await openHydrated(other, inLang('/profile', LANG))
  await other.locator('form[action="/session/sign-out"] button').first().click()
  await atUrl(other, (url) => url.pathname !== '/profile')
  await begun(other, 'background-')
  // The tab that is open still shows what was typed there; from now on nothing of it is kept.
  await comment(page).pressSequentially('!')

  await other.locator('main').getByRole('combobox').focus()
  assert.equal(await other.getByText('plov', { exact: true }).count(), 0)
  for (const at of [other, page]) {
    await openHydrated(at, address)
    await begun(at, 'background-')
    assert.equal(await comment(at).inputValue(), '')
  }
  assert.deepEqual(problems, [])
  await context.close()
})
