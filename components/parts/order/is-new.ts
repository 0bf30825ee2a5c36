import type { OrderPage } from '../../lib/page-data.ts'

/** So long its guest is thanked for an order, milliseconds: whoever pays at the bank takes their time. */
const THANKED_FOR = 900_000

/** Whether an order was placed just now: its kitchen has not begun, and nothing is late. */
export function isNew({ status, createdAt, dueAt, readAt }: OrderPage): boolean {
  if (status !== 'created' || (dueAt !== null && dueAt <= readAt)) return false
  return createdAt === null || readAt - createdAt < THANKED_FOR
}
