import type { BillPage } from '../../lib/page-data.ts'
import { payingOwn } from './paying-own.ts'

/** Whether the lines of the bill stand where they are chosen: also while others pay all that this guest has chosen. */
export function choosesDishes(bill: BillPage): boolean {
  const { choice, ways, left, heldUntil } = bill
  return (
    choice?.split === 'dishes' && ways.length > 0 && payingOwn(bill) === 0 && (left > 0 || heldUntil !== null)
  )
}
