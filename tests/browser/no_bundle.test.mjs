/** From the table's QR link to the order's status when the scripts never come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderWithoutScripts } from './flows.mjs'
import {
  addPlain,
  atUrl,
  dataOf,
  fillCart,
  inLang,
  open,
  openPage,
  pause,
  putOff,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

setStage()

/** A page whose scripts never come. */
async function bare() {
  const opened = await openPage(browser, product)
  await opened.page.route(/\/assets\/[^/]+\.js$/, (route) => route.abort())
  return opened
}

test('with the scripts blocked the cart holds what was tapped the moment before it was opened', async () => {
  const opened = await bare()
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  // The tap does not go by itself.
  await putOff(page, [2000])
  await open(page, inLang(table.qr, 'kk'))
  await addPlain(page, table.plain[1])
  await page.locator('a[href="/cart"]:not(.skip):visible').last().click()
  await atUrl(page, /\/cart$/)
  assert.equal((await dataOf(page)).shell.cart.count, 2)
  await context.close()
})

test('with the scripts blocked the maps say what there is instead, and the scanner promises no question', async () => {
  const { page, context } = await bare()
  await open(page, inLang('/map', 'ru'))
  await page.locator('.map').getByText(text('ru', 'map.noScript')).waitFor()
  await open(page, '/address-map')
  await page.locator('.map').getByText(text('ru', 'addressMap.noScript')).waitFor()
  await open(page, `/filials/${table.filial_id}/barcode-scanner`)
  await page.locator('.scanner a.button:visible').waitFor()
  assert.equal(await page.getByText(text('ru', 'scan.idle')).isVisible(), false)
  await open(page, `/filials/${table.filial_id}/barcode-scanner?table=1`)
  await page.getByText(text('ru', 'bill.rescanHow')).waitFor()
  assert.equal(await page.getByText(text('ru', 'scan.tableIdle')).isVisible(), false)
  await context.close()
})

test('with the scripts blocked the sheet of a dish has a number that is typed, and no buttons that do nothing', async () => {
  const { page, context } = await bare()
  await open(page, inLang(`/filials/${table.filial_id}?item=${table.plain[0].id}`, 'kk'))
  const sheet = page.locator('dialog.sheet form[action="/cart/lines"]')
  const number = sheet.locator('input[name="delta"]')
  await number.waitFor()
  for (const button of ['.minus', '.plus'])
    assert.equal(await sheet.locator(`.cta ${button}`).isVisible(), false, button)
  assert.notEqual(await number.evaluate((node) => getComputedStyle(node).borderTopWidth), '0px')
  await number.fill('3')
  await sheet.locator('button[type="submit"]').click()
  await page.locator('a.bar').waitFor()
  assert.equal((await dataOf(page)).shell.cart.count, 3)
  await context.close()
})

test("with the scripts blocked a table's QR link becomes an order that cooks", async () => {
  const opened = await openPage(browser, product)
  let aborted = 0
  await opened.page.route(/\/assets\/[^/]+\.js$/, (route) => {
    aborted++
    return route.abort()
  })
  await orderWithoutScripts(product, opened, table, 'kk')
  assert.ok(aborted > 0, 'no script was asked for')
  await opened.context.close()
})

test('with the scripts blocked the page of an order stays while there is no network, and is anew once there is one', async () => {
  const opened = await bare()
  const { page, context } = opened
  await page.clock.install()
  await orderWithoutScripts(product, opened, table, 'kk')
  const order = page.url()
  await page.evaluate(() => {
    window.sameDocument = true
  })
  // While another document comes it can't be asked.
  const isSame = () => page.evaluate(() => window.sameDocument === true).catch(() => false)
  await context.setOffline(true)
  for (let turn = 0; turn < 3; turn++) {
    await page.clock.runFor(11_000)
    await pause(300)
  }
  assert.deepEqual([page.url(), await isSame()], [order, true])
  await context.setOffline(false)
  await untilTrue(async () => {
    await page.clock.runFor(11_000)
    return !(await isSame())
  })
  await page.locator('h1').waitFor()
  await context.close()
})
