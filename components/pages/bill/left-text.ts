import type { BillPage } from '../../lib/page-data.ts'
import type { Text } from '../../lib/text/text.tsx'
import { payingOwn } from './paying-own.ts'

/** What the rest is called: as long as money is only at a bank, what is free to be chosen is not all that is left to pay. */
export function leftText(t: Text, bill: BillPage): string {
  return t(bill.paying + payingOwn(bill) > 0 ? 'bill.leftToChoose' : 'bill.left')
}
