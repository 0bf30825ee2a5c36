/** From the table's QR link to the order's status without JavaScript. */
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

for (const country of ['kz', 'ge']) {
  test(`with JavaScript off a table's QR link becomes an order that cooks (${country})`, async () => {
    const table = await findTable(product, { country })
    const opened = await openPage(browser, product, { javaScriptEnabled: false })
    await orderWithoutScripts(product, opened, table, country === 'ge' ? 'ka' : 'kk')
    await opened.context.close()
  })
}
