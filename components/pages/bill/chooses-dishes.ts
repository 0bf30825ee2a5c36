import type { BillPage } from '../../lib/page-data.ts'

/** Whether the lines of the bill stand where they are chosen: also while others pay all that this guest has chosen. */
export function choosesDishes({ choice, ways, left, heldUntil }: BillPage): boolean {
  return choice?.split === 'dishes' && ways.length > 0 && (left > 0 || heldUntil !== null)
}
