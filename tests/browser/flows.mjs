/** Ways through the product that several tests take. */
import assert from 'node:assert/strict'
import { inLang, pause, plainSpaces, text, untilTrue } from './harness.mjs'

/** QR link, a dish with a required choice (first wrong, then right), cart, order in cash, "cooking". */
export async function orderWithoutScripts({ sandboxApi }, { page }, table, lang, { reload = false } = {}) {
  await sandboxApi.set('speed', { factor: 10 })
  const ordersBefore = (await sandboxApi.orders()).length
  const answer = await page.goto(inLang(table.qr, lang))
  assert.equal(answer.status(), 200)
  await chooseDish(page, table, lang)
  await page.goto('/cart')
  assert.ok(plainSpaces(await page.locator('main').innerText()).includes(plainSpaces(table.withGroup.name)))
  const cash = page.locator('input[name="payment"][value="cash"]')
  if ((await cash.getAttribute('type')) === 'radio') await cash.check({ force: true })
  await page.locator('form[action="/orders"] button[type="submit"]').first().click()
  await page.waitForURL(/\/filials\/\d+\/order\//)
  await showsStatus(page, lang, 'cooking', { reload })
  assert.equal((await sandboxApi.orders()).length, ordersBefore + 1)
}

async function chooseDish(page, table, lang) {
  const { withGroup } = table
  await page.locator(`a[href*="item=${withGroup.id}"]`).first().click()
  await page.waitForURL(new RegExp(`item=${withGroup.id}`))
  const form = page
    .locator('form[action="/cart/lines"]')
    .filter({ has: page.locator('[name^="group."], [name^="option."]') })
  await submit(form)
  const complaint = text(lang, 'errors.min', { count: withGroup.group.min })
  await page.getByText(complaint).first().waitFor()
  for (const group of withGroup.item.groups) await chooseInGroup(page, group)
  await submit(form)
  await page.waitForURL((url) => !url.searchParams.has('item'))
}

const submit = (form) => form.first().locator('button[type="submit"]').last().click()

async function chooseInGroup(page, group) {
  const free = group.options.filter((one) => !one.out)
  const radio = page.locator(`input[type="radio"][name="group.${group.id}"]`)
  for (const option of free.slice(0, group.min)) {
    if (await radio.count()) {
      await page.locator(`input[name="group.${group.id}"][value="${option.id}"]`).check({ force: true })
      continue
    }
    const field = page.locator(`input[name="option.${option.id}"]`)
    if ((await field.getAttribute('type')) === 'checkbox') await field.check({ force: true })
    else await field.fill('1')
  }
}

/** Waits until the open order page says the status by its own means, or, with `reload`, after a plain refresh. */
export async function showsStatus(page, lang, status, { timeout = 30_000, reload = false } = {}) {
  const header = text(lang, `order.header.${status}`, { service: 'express' })
  let shown
  const check = async () => {
    if (reload) await page.reload()
    shown = await page
      .locator('main')
      .innerText({ timeout: 1_000 })
      .catch(() => '')
    return plainSpaces(shown).includes(header) && (await currentStep(page)) === status
  }
  await untilTrue(check, timeout, `the page says ${header}`).catch((error) => {
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
