/** From the table's QR link to the order's status without JavaScript. */
import { test } from 'node:test'
import { orderWithoutScripts } from './flows.mjs'
import { findTable, openPage } from './harness.mjs'
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
