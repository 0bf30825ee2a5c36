import { formatMoney } from '../../lib/format/format.ts'
import type { BillPage, BillProblem } from '../../lib/page-data.ts'
import type { Text } from '../../lib/text/text.tsx'
import { payingOwn } from './paying-own.ts'
import { isSaidByField } from './wrong-field.ts'

/** Problems that are about what others pay, as news of the bill are. */
const OF_SUMS: readonly (BillProblem | null)[] = ['less', 'changed', 'taken', 'calledOff']

/** Whether what came in the way says what news of the bill would say beside it. */
export function saysNews(t: Text, bill: BillPage): boolean {
  return OF_SUMS.includes(bill.problem) && problemOf(t, bill) !== null
}

/** Whether what came in the way is about a payment: a waiter who was not reached explains nothing of what is left to pay. */
export function isOfPaying(problem: BillProblem | null): boolean {
  return problem !== 'waiter' && problem !== 'often'
}

/** What came in the way of a payment, in words; null where something else on the page says it, or it has ended since. */
export function problemOf(t: Text, bill: BillPage): string | null {
  const { choice, problem, left, total, waiterIn, mine } = bill
  if (problem === null) return null
  // Its button says it.
  if (problem === 'check') return null
  if ((problem === 'waiter' || problem === 'often') && waiterIn > 0) return null
  // It has ended since.
  if (problem === 'stillPaying' && mine.every((part) => part.paid)) return null
  // Nothing can be chosen or pressed again: that others pay it all says more.
  if (left === 0 && total > 0) {
    if (problem === 'taken') return null
    if (problem === 'calledOff' || problem === 'changed') return nothingText(t, bill)
  }
  if (problem !== 'less' && problem !== 'changed') return t(`bill.problem.${problem}`)
  // Where it is mended it is said, once.
  if (isSaidByField(choice)) return null
  if (problem === 'changed') return t('bill.problem.changed')
  return left > 0 ? lessText(t, bill) : nothingText(t, bill)
}

/** Money that is only at a bank may come back: it is not said to be paid. What the guest pays is not others' doing. */
const whoseOf = (bill: BillPage): 'Own' | 'Paying' | '' =>
  payingOwn(bill) > 0 ? 'Own' : bill.paying > 0 ? 'Paying' : ''

export function lessText(t: Text, bill: BillPage): string {
  return t(`bill.problem.less${whoseOf(bill)}`, { left: formatMoney(bill.left, bill.money) })
}

const nothingText = (t: Text, bill: BillPage): string => t(`bill.problem.nothing${whoseOf(bill)}`)
