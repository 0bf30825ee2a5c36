import type { BillChoice, ChoiceProblem } from '../../lib/page-data.ts'

/** What is wrong with the fields, in words. */
export type Wrong = { of?: string; pay?: string; sum?: string; tip?: string; bonus?: string }

/** No field is the one that is wrong. */
const WITHOUT: readonly ChoiceProblem[] = ['noDish', 'nothing']

/** Whether a field says why a choice can't be paid: then nothing else has to. */
export function isSaidByField(choice: BillChoice | null): boolean {
  return Boolean(choice?.problem && !WITHOUT.includes(choice.problem))
}
