/** From the table's QR link to the order's status when the scripts never come. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { orderWithoutScripts } from './flows.mjs'
import { findTable, launch, openPage, startProduct } from './harness.mjs'

let product, browser

before(async () => {
  product = await startProduct()
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await product?.stop()
})

test("with the scripts blocked a table's QR link becomes an order that cooks", async () => {
  const table = await findTable(product)
  const opened = await openPage(browser, product)
  let aborted = 0
  await opened.page.route(/\/assets\/[^/]+\.js$/, (route) => {
    aborted++
    return route.abort()
  })
  await orderWithoutScripts(product, opened, table, 'kk', { reload: true })
  assert.ok(aborted > 0, 'no script was asked for')
  await opened.context.close()
})
