/** What most browser tests act with. A file runs in a process of its own, so each of these exists once. */
import { after, before } from 'node:test'
import { findTable, launch, startProduct } from './harness.mjs'

export let product, browser, table

/**
 * Starts the product, the browser and finds a table before the first test of a file; stops both after the last.
 * `prepare` is what a file needs besides, when they are there: Node does not let a second `before` wait for the first.
 */
export function setStage({ args, withTable = true, prepare } = {}) {
  before(async () => {
    product = await startProduct({ args })
    browser = await launch()
    if (withTable) table = await findTable(product)
    await prepare?.()
  })
  after(async () => {
    await browser?.close()
    await product?.stop()
  })
}
