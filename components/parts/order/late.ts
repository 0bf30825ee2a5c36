import type { OrderPage } from '../../lib/page-data.ts'

/** When an order that is late should have been there. */
export function lateOf({ dueAt, readAt }: Pick<OrderPage, 'dueAt' | 'readAt'>): number | null {
  return dueAt !== null && dueAt <= readAt ? dueAt : null
}
