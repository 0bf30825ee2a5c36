/** What a status is called. */

import type { OrderPage, OrderStatus, Service } from '../../lib/page-data.ts'
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

/**
 * What the page of an order and the lists that lead there call it. These are other words than the labels of the steps
 * (OR-02, ZZ-10).
 */
export function headerOf(t: Text, order: Known & { service: Service | null }): string {
  return isAwaiting(order) ? t('order.awaiting') : statusHeader(t, order)
}

/** The same of an order of which it is known whether it waits for its payment. */
export function statusHeader(
  t: Text,
  { status, service }: Pick<OrderPage, 'status'> & { service: Service | null },
): string {
  // Without a service nothing is brought: it is taken out of a fridge.
  return status === 'completed'
    ? t('order.header.completed', { service: service ?? '' })
    : t(`order.header.${status}`)
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
