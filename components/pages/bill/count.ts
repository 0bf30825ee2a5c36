import type { BillChoice, BillPage } from '../../lib/page-data.ts'
import { typedSum } from './typed-sum.ts'

/** What is in the fields now. */
export type Typed = { sum: string; tip: string; ownTip: string; bonus: string }

export type Counted = Pick<
  BillChoice,
  'amount' | 'base' | 'tips' | 'bonuses' | 'mostBonus' | 'due' | 'problem'
>

/** Tips that the guest types. */
export const OWN_TIP = 'own'

export const typedOf = ({ sum, tip, ownTip, bonus }: BillChoice): Typed => ({
  sum,
  tip: tip === null ? OWN_TIP : String(tip),
  ownTip,
  bonus,
})

/**
 * What is typed comes to, at once: the same arithmetic as the server's (`server/features/bills/{choice,split}.rs`), which
 * counts anew when it is paid. How dishes and people are divided only the server knows. A test holds both to the same.
 */
export function counted(bill: BillPage, choice: BillChoice, typed: Typed): Counted {
  const { goods, total, left, money, tipPercents } = bill
  const { split, allBonus } = choice
  const coin = 10 ** Math.max(0, 2 - money.fractionDigits)
  const own = coins(typed.sum, coin)
  const amount = split === 'sum' ? (own ?? 0) : choice.amount
  const base = split !== 'sum' ? choice.base : amount >= total ? goods : portion(amount, goods, total, coin)
  const percent = tipPercents.find((one) => String(one) === typed.tip) ?? 0
  const isOwnTip = typed.tip === OWN_TIP
  const typedTips = typed.ownTip === '' ? 0 : coins(typed.ownTip, coin)
  const wrongTips = isOwnTip && (typedTips === null || typedTips > total)
  const tips = wrongTips ? 0 : isOwnTip ? (typedTips ?? 0) : portion(base, percent, 100, coin)
  const mostBonus =
    split === 'sum' ? Math.min(portion(allBonus, amount, total, coin), amount) : choice.mostBonus
  const typedBonus = typed.bonus === '' ? 0 : coins(typed.bonus, coin)
  const wrongBonus = typedBonus === null || typedBonus > mostBonus
  const bonuses = wrongBonus ? 0 : typedBonus
  const problem = shareProblem(choice, own, left) ?? (wrongTips ? 'badTips' : wrongBonus ? 'badBonus' : null)
  return { amount, base, tips, bonuses, mostBonus, due: amount + tips - bonuses, problem }
}

function shareProblem({ split, problem }: BillChoice, own: number | null, left: number): Counted['problem'] {
  if (left === 0) return 'nothing'
  if (split !== 'sum') return problem === 'noDish' || problem === 'nothing' ? problem : null
  if (own === null) return 'badSum'
  return own === 0 ? 'zeroSum' : own > left ? 'tooMuch' : null
}

/** A typed sum, if it is one of whole coins. */
function coins(text: string, coin: number): number | null {
  const sum = typedSum(text)
  return sum === null || sum % coin > 0 ? null : sum
}

/** `part` of `whole` of a sum, in whole coins, rounded down; the product may have more digits than a number holds. */
function portion(sum: number, part: number, whole: number, coin: number): number {
  if (whole <= 0 || sum <= 0 || part <= 0) return 0
  const exact = Number((BigInt(sum) * BigInt(part)) / BigInt(whole))
  return exact - (exact % coin)
}
