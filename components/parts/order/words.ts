/** What a status is called. */

import type { OrderPage, OrderStatus } from '../../lib/page-data.ts'
import type { Text } from '../../lib/text/text.tsx'

type Known = Pick<OrderPage, 'status' | 'payment' | 'paid'>

/** Ordered to be paid online, and not paid yet: the kitchen waits. */
export function isAwaiting({ status, payment, paid }: Known): boolean {
  return status === 'created' && payment === 'online' && !paid
}

/** The label of a status: "Paid" for a created order that was paid online, "Accepted" for cash (ZZ-09). */
export function labelOf(t: Text, status: OrderStatus, order: Known): string {
  if (status !== 'created') return t(`order.label.${status}`)
  const { payment, paid } = order
  const state = isAwaiting(order) ? 'awaiting' : payment === 'online' && paid ? 'paid' : 'accepted'
  return t('order.label.created', { state })
}

export const STATUS_ICONS: Record<OrderStatus, string> = {
  created: 'receipt-text',
  cooking: 'utensils',
  ready: 'shopping-bag',
  delivery: 'bike',
  completed: 'circle-check',
  canceled: 'circle-x',
  unknown: 'clock',
}
