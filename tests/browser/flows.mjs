/** Ways through the product that several tests take. */
import assert from 'node:assert/strict'
import { atUrl, inLang, open, PATIENCE, pause, plainSpaces, text, untilTrue } from './harness.mjs'

const ORDER = /\/filials\/\d+\/order\/([^/?#]+)/

/** QR link, a dish with a required choice (first wrong, then right), cart, order in cash, "cooking". */
export async function orderWithoutScripts({ sandboxApi }, { page }, table, lang) {
  const ordersBefore = (await sandboxApi.orders()).length
  const answer = await open(page, inLang(table.qr, lang))
  assert.equal(answer.status(), 200)
  await chooseDish(page, table, lang)
  await open(page, '/cart')
  assert.ok(plainSpaces(await page.locator('main').innerText()).includes(plainSpaces(table.withGroup.name)))
  await payInCash(page)
  await pressOrder(page)
  await atUrl(page, ORDER)
  // The status waits for the page: on a slow machine one that passes by itself is over before it is seen.
  const [, id] = ORDER.exec(page.url())
  await sandboxApi.set('order/status', { order_id: id, status: 'cooking' })
  await showsStatus(page, lang, 'cooking')
  assert.equal((await sandboxApi.orders()).length, ordersBefore + 1)
}

/** Adds the table's dish with choices: first wrongly, and is told why, then rightly. */
export async function chooseDish(page, table, lang) {
  const { withGroup } = table
  const { group, sheet, wrong } = withGroup
  await page.locator(`main a[href*="item=${withGroup.id}"]`).first().click()
  await atUrl(page, new RegExp(`item=${withGroup.id}`))
  await page.locator('input[name="note"]').waitFor()
  if (wrong) {
    if (wrong === 'max') await chooseInGroup(page, group, group.options.length)
    await submitItem(page)
    await page
      .getByText(text(lang, `errors.${wrong}`, { count: group[wrong] }))
      .first()
      .waitFor()
    // Without scripts the page is still on its way.
    await page.locator('input[name="note"]').waitFor()
    if (wrong === 'max') await chooseInGroup(page, group, group.options.length, false)
  }
  for (const one of sheet.groups) await chooseInGroup(page, one, one.min)
  await submitItem(page)
  await atUrl(page, (url) => !url.searchParams.has('item'))
}

export const submitItem = (page) =>
  page
    .locator('form[action="/cart/lines"]')
    .filter({ has: page.locator('input[name="note"]') })
    .locator('button[type="submit"]')
    .last()
    .click()

async function chooseInGroup(page, group, count, checked = true) {
  const single = await page.locator(`input[name="group.${group.id}"]`).count()
  for (const option of group.options.filter((one) => !one.out).slice(0, count)) {
    const field = single
      ? page.locator(`input[name="group.${group.id}"][value="${option.id}"]`)
      : page.locator(`input[name="option.${option.id}"]`)
    if (single || (await field.getAttribute('type')) === 'checkbox') await field.setChecked(checked)
    else await field.fill(checked ? '1' : '0')
  }
}

/** Chooses how to pay. */
/** Types into a field of the cart that stands behind a row, which it opens first. */
export async function fillRow(page, name, value) {
  const field = page.locator(`.checkout [name="${name}"]`)
  const row = page.locator('.checkout details').filter({ has: page.locator(`[name="${name}"]`) })
  await row.locator('summary').waitFor()
  if (!(await field.isVisible())) await row.locator('summary').click()
  await field.fill(value)
}

/** Opens a line of the cart: what is done seldom stands in it. */
export const openLine = (page, at = 0) => page.locator('.lines .line summary').nth(at).click()

/** Chooses how to pay; a single way is told, not chosen. */
export async function chooseWay(page, way) {
  const one = page.locator(`input[name="payment"][value="${way}"]`)
  if ((await one.getAttribute('type')) !== 'hidden') await one.check()
}

export const payInCash = (page) => chooseWay(page, 'cash')

/** Ends the payment on the bank's page, which is open: `succeeded`, `declined`, `abandoned` or `timed_out`. */
export async function endPayment(page, outcome) {
  await atUrl(page, /\/pay\/(card|qr)\//)
  await page.locator(`button[name="outcome"][value="${outcome}"]`).click()
}

export const pressOrder = (page) =>
  page.locator('form[action$="/orders"] button[type="submit"]').first().click()

/** Waits until the open order page says the status by its own means. */
export async function showsStatus(page, lang, status) {
  const header = text(lang, `order.header.${status}`, { service: 'express' })
  let shown
  const check = async () => {
    shown = await page
      .locator('main')
      .innerText({ timeout: 1_000 })
      .catch(() => '')
    return plainSpaces(shown).includes(header) && (await currentStep(page)) === status
  }
  await untilTrue(check, PATIENCE, `the page says ${header}`).catch((error) => {
    throw new Error(`${error.message}; it shows: ${shown}`)
  })
}

/** The status that the page marks as the current one. */
async function currentStep(page) {
  return page
    .locator('[data-status]')
    .first()
    .getAttribute('data-status', { timeout: 500 })
    .catch(() => pause(0))
}

/** Signs the browser of a page in, which itself goes nowhere; `lands` is where that leads. */
export async function signIn({ context, web }, { phone = '+77010000031', lands = '/profile' } = {}) {
  const there = new URL((await context.request.get(`${web}/profile`)).url())
  const form = { ...Object.fromEntries(there.searchParams), phone, code: '1234' }
  const back = await context.request.post(there.origin + there.pathname, { form })
  assert.equal(new URL(back.url()).pathname, lands)
}

async function post(sandbox, path, body, more = {}) {
  const headers = { 'content-type': 'application/json', ...more }
  const answer = await fetch(`${sandbox}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.json()
}

/** The bearer of a phone, elsewhere. */
async function bearerOf(sandbox, phone) {
  const track = await post(sandbox, '/api/v1/oauth2/tracks', { phone, code: '1234' })
  const grant = { client_id: 'web', grant_type: 'authorization_track_id', track_id: track.data.id }
  const token = await post(sandbox, '/api/v2/oauth2/tokens', grant)
  return { authorization: `Bearer ${token.access_token}` }
}

/** What is bought there. */
export const DISH = { product_id: 1004, count: 2, price: 5400 }
export const SECOND_DISH = { product_id: 1003, count: 1, price: 6900 }

/** Venues of the sandbox that are open around the clock, with a dish of theirs. */
export const SHOPS = {
  takeaway: { filial_id: 1021, transport_type: null },
  delivery: { filial_id: 1024, transport_type: 'CAR' },
}

/** Places an order of a phone elsewhere, to be fetched or brought. What the upstream says of it. */
export async function buy({ web, sandbox }, phone, kind, payment = 'cash', items = [DISH]) {
  const body = {
    ...SHOPS[kind],
    payment_type: payment,
    items,
    ...(kind === 'delivery' && {
      address: {
        street: 'Абай даңғылы',
        building: '10',
        apartment: '14',
        latitude: 43.238,
        longitude: 76.95,
      },
    }),
    ...(payment === 'online' && {
      payment_method: 'card',
      success_url: `${web}/orders`,
      failure_url: `${web}/cart`,
    }),
  }
  const headers = { ...(await bearerOf(sandbox, phone)), 'x-idempotency-key': crypto.randomUUID() }
  const answer = await post(sandbox, `/takeaway/v1/${kind}/order`, body, headers)
  assert.ok(answer.data, JSON.stringify(answer))
  return answer.data
}

/** Deletes the account of a phone, elsewhere. */
export async function deleteAccount({ sandbox }, phone) {
  const headers = await bearerOf(sandbox, phone)
  const answer = await fetch(`${sandbox}/api/v3/user`, { method: 'DELETE', headers })
  assert.equal(answer.status, 200)
}

/** Types phone and code into the sandbox's sign-in page, which is open. */
export async function typePhoneAndCode(page) {
  await atUrl(page, /\/oauth2\/authorize/)
  await page.locator('input[name="phone"]').fill('+7 701 000 00 31')
  await page.locator('button').first().click()
  await page.locator('input[name="code"]').fill('1234')
  await page.locator('button').first().click()
}
