import type { BillPage } from '../../lib/page-data.ts'

/** What this guest has begun to pay and no bank has taken yet. */
export function payingOwn({ mine }: Pick<BillPage, 'mine'>): number {
  return mine.reduce((sum, part) => sum + (part.paid ? 0 : part.sum), 0)
}
