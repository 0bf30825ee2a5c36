import type { BillChoice, BillPage } from '../../lib/page-data.ts'
import { coinOf, typedSum } from './typed-sum.ts'

/** What is in the fields now. */
export type Typed = { of: string; pay: string; sum: string; tip: string; ownTip: string; bonus: string }

export type Counted = Pick<
  BillChoice,
  'amount' | 'base' | 'tips' | 'bonuses' | 'mostBonus' | 'due' | 'problem'
>

/** Fewest and most people that a bill is divided among. */
export const LEAST_PEOPLE = 2
export const MOST_PEOPLE = 50
/** Tips that the guest types. */
export const OWN_TIP = 'own'

export const typedOf = ({ typedOf, typedPay, sum, tip, ownTip, bonus }: BillChoice): Typed => ({
  of: typedOf,
  pay: typedPay,
  sum,
  tip: tip === null ? OWN_TIP : String(tip),
  ownTip,
  bonus,
})

/**
 * What is typed comes to, at once: the same arithmetic as the server's (`server/features/bills/{choice,split}.rs`), which
 * counts anew when it is paid. How dishes are divided only the server knows. A test holds both to the same.
 */
export function counted(bill: BillPage, choice: BillChoice, typed: Typed): Counted {
  const { goods, total, left, money, tipPercents } = bill
  const { split, allBonus } = choice
  const coin = coinOf(money.fractionDigits)
  const own = coins(typed.sum, coin)
  const isTyped = split === 'sum' || (split === 'equal' && !isCounted(choice, typed))
  const amount = !isTyped ? choice.amount : split === 'sum' ? (own ?? 0) : equal(bill, choice, typed, coin)
  const base = !isTyped ? choice.base : amount >= total ? goods : portion(amount, goods, total, coin)
  const percent = tipPercents.find((one) => String(one) === typed.tip) ?? 0
  const isOwnTip = typed.tip === OWN_TIP
  const typedTips = typed.ownTip === '' ? 0 : coins(typed.ownTip, coin)
  const wrongTips = isOwnTip && (typedTips === null || typedTips > total)
  const tips = wrongTips ? 0 : isOwnTip ? (typedTips ?? 0) : portion(base, percent, 100, coin)
  const mostBonus = isTyped ? Math.min(portion(allBonus, amount, total, coin), amount) : choice.mostBonus
  const typedBonus = typed.bonus === '' ? 0 : coins(typed.bonus, coin)
  const wrongBonus = typedBonus === null || typedBonus > mostBonus
  const bonuses = wrongBonus ? 0 : typedBonus
  const problem =
    shareProblem(choice, typed, own, left, amount) ?? (wrongTips ? 'badTips' : wrongBonus ? 'badBonus' : null)
  return { amount, base, tips, bonuses, mostBonus, due: amount + tips - bonuses, problem }
}

function shareProblem(
  choice: BillChoice,
  typed: Typed,
  own: number | null,
  left: number,
  amount: number,
): Counted['problem'] {
  const { split, problem } = choice
  if (left === 0) return 'nothing'
  if (split === 'equal') return peopleProblem(choice, typed) ?? (amount === 0 ? 'nothing' : null)
  if (split !== 'sum') return problem === 'noDish' || problem === 'nothing' ? problem : null
  if (own === null) return 'badSum'
  return own === 0 ? 'zeroSum' : own > left ? 'tooMuch' : null
}

/** What is typed is wrong; what the server has counted of it, it knows best. */
function peopleProblem(choice: BillChoice, typed: Typed): Counted['problem'] {
  const { problem } = choice
  if (isCounted(choice, typed)) return problem === 'badPeople' || problem === 'badPay' ? problem : null
  const of = people(typed.of)
  if (of < LEAST_PEOPLE || of > MOST_PEOPLE) return 'badPeople'
  const pay = people(typed.pay)
  return pay < 1 || pay > mostPay(choice, typed) ? 'badPay' : null
}

/** What the typed number of people pays; all people left pay all that is left. Nothing for an impossible number. */
function equal({ left }: BillPage, choice: BillChoice, typed: Typed, coin: number): number {
  if (peopleProblem(choice, typed)) return 0
  const [paying, of] = [people(typed.pay), mostPay(choice, typed)]
  return paying >= of ? left : portion(left, paying, of, coin)
}

/** How many have not paid yet. */
export function mostPay({ of, peopleLeft }: BillChoice, typed: Typed): number {
  return Math.max(1, people(typed.of) - of + peopleLeft)
}

/** Whether it is known what the numbers of people that are typed come to: where one is left, more may have paid than there are. */
export function isKnown(choice: BillChoice, typed: Typed): boolean {
  return choice.split !== 'equal' || choice.peopleLeft > 1 || isCounted(choice, typed)
}

/** Whether the server has counted with the numbers of people that are typed. */
export function isCounted({ typedOf, typedPay }: BillChoice, { of, pay }: Typed): boolean {
  return of.trim() === typedOf && pay.trim() === typedPay
}

/** Whether a text is no possible number of people. */
export function isNoNumber(text: string): boolean {
  return people(text) < 1 || people(text) > MOST_PEOPLE
}

/** A number of people as typed; 0 for another text. */
export function people(text: string): number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0
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
