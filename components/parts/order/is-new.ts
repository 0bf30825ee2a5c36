import type { OrderPage } from '../../lib/page-data.ts'
import { lateOf } from './late.ts'

/** So long its guest is thanked for an order, milliseconds: whoever pays at the bank takes their time. */
const THANKED_FOR = 900_000

/** Whether an order was placed just now: its kitchen has not begun, and nothing is late. */
export function isNew(order: OrderPage): boolean {
  const { status, createdAt, readAt } = order
  if (status !== 'created' || lateOf(order) !== null) return false
  return createdAt === null || readAt - createdAt < THANKED_FOR
}
