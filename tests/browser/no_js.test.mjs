/** From the table's QR link to the order's status without JavaScript. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderWithoutScripts } from './flows.mjs'
import { atUrl, findTable, inLang, open, openPage } from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

setStage({ withTable: false })

for (const country of ['kz', 'ge']) {
  test(`with JavaScript off a table's QR link becomes an order that cooks (${country})`, async () => {
    const table = await findTable(product, { country })
    const opened = await openPage(browser, product, { javaScriptEnabled: false })
    await orderWithoutScripts(product, opened, table, country === 'ge' ? 'ka' : 'kk')
    await opened.context.close()
  })
}

test('with JavaScript off a guest who adds a dish from far down a menu stays in its category', async () => {
  const table = await findTable(product, { country: 'kz' })
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, inLang(table.qr, 'ru'))
  const form = page.locator('.menu form.step').last()
  const section = await form.evaluate((node) => node.closest('section').id)
  await form.locator('.plus').click()
  await atUrl(page, ({ hash }) => hash === `#${section}`)
  const heading = page.locator(`#${section} > h2`)
  assert.ok(await heading.evaluate((node) => scrollY > innerHeight && node.getBoundingClientRect().top >= 0))
  assert.equal(await page.locator(`#${section} form.step`).last().locator('b').innerText(), '1')
  // What can be brought back is offered at the top of the page, and is seen there.
  await page.locator(`#${section} form.step`).last().locator('.minus').click()
  await atUrl(page, ({ hash }) => hash === '')
  assert.ok(await page.locator('.notes form').isVisible())
  await context.close()
})

test("with JavaScript off the header's Back of a dish leads to its menu", async () => {
  const table = await findTable(product, { country: 'kz' })
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, table.qr)
  await page.locator(`main a[href*="item=${table.plain[0].id}"]`).first().click()
  await page.locator('#dish-name').waitFor()
  await page.locator('.head .back').click()
  await atUrl(page, ({ pathname, search }) => pathname === `/filials/${table.filial_id}` && !search)
  await page.locator('.menu').waitFor()
  await context.close()
})
