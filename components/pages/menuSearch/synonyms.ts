/**
 * Everyday words for one dish, in the languages of guests and of menus (`synonyms.json`, which the server reads as well).
 * A line has words that find each other (`same`), and words that they find as well and that do not find them (`kinds`): who
 * asks for potatoes wants the fries, too, who asks for fries wants no mash. Only what guests call alike stands there, each
 * word as a menu names it; other forms of words of five sounds and more are known, and so are other scripts: `doner` is
 * `дөнер`. A word that is another one in one of the languages does not belong there, such as `сыра`, which is beer in Kazakh
 * and cheese in Russian.
 */

import { fold } from '../../lib/find/fold.ts'
import { alike } from './forms.ts'
import table from './synonyms.json' with { type: 'json' }

/** From this length on a word of the table has other forms. Shorter ones are found as they are: `кока` is not `кок-чай`. */
const LONG = 5

type Group = { same: readonly string[]; kinds?: readonly string[] }

/** Other words for one, folded. */
export type Others = { same: string[]; kinds: string[] }

let groups: Others[] | undefined

export function othersOf(word: string): Others {
  groups ??= table.map(({ same, kinds = [] }: Group) => ({ same: same.map(fold), kinds: kinds.map(fold) }))
  const own = groups.filter(({ same }) => same.some((known) => isForm(word, known)))
  return { same: own.flatMap(({ same }) => same), kinds: own.flatMap(({ kinds }) => kinds) }
}

/** Whether another word for the same is among folded ones. */
export const areIn = ({ same }: Others, all: readonly string[]) => hasOne(all, same)

/** Whether a word for a kind of it is among folded ones. */
export const haveKindIn = ({ kinds }: Others, all: readonly string[]) => hasOne(all, kinds)

const hasOne = (all: readonly string[], words: readonly string[]) =>
  words.length > 0 && all.some((own) => words.some((word) => isForm(own, word)))

const isForm = (own: string, word: string) =>
  own === word || (word.length >= LONG && (own.startsWith(word) || alike(own, word, 'certain')))
