/** From the table's QR link to the order's status when the scripts never come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderWithoutScripts } from './flows.mjs'
import { openPage } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

setStage()

test("with the scripts blocked a table's QR link becomes an order that cooks", async () => {
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
