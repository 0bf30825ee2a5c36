/** A text as it is compared: the same as the server's `Text` (`server/finding/src/text.rs`). */

import { type Written, writtenWords } from '../../lib/find/fold.ts'

/** `folded`: its words with single spaces between them. */
export type Text = { folded: string; words: readonly Written[] }

export function textOf(text: string): Text {
  const words = writtenWords(text)
  return { folded: words.map(({ folded }) => folded).join(' '), words }
}

/** Whether it has a word, or several in a row, as a whole. */
export const hasWhole = ({ folded }: Text, words: string) => ` ${folded} `.includes(` ${words} `)

/** Whether one of its words begins so. */
export const begins = ({ folded }: Text, word: string) => ` ${folded}`.includes(` ${word}`)

/**
 * Small words of the four languages, folded: they stand between what is wanted, and are not wanted themselves. No `без` and
 * no `no`, which say what is not.
 */
const SMALL = new Set(
  'a an and ben bi da dlia do for from i in iz jane k ko men na o of on ot pen po pod s so the to u v vith vo za'.split(
    ' ',
  ),
)

/** All but the small ones; those, too, where there are no others. */
export function withoutSmall(words: readonly Written[]): readonly Written[] {
  const left = words.filter(({ folded }) => !SMALL.has(folded))
  return left.length > 0 ? left : words
}

const WITHOUT = new Set('bez garewe jok no not vithout'.split(' '))

/** Whether it says that what stands beside it is not wanted. */
export const saysWithout = (folded: string) => WITHOUT.has(folded)

/** What stands between the things that a section is named after. */
const BETWEEN = new Set('i and men ben pen da jane'.split(' '))

/** A section: its words without small ones, and of them those of each of the things that it is named after. */
export type Section = { words: Text; parts: Text[] }

export function sectionOf(name: string): Section {
  const things: Written[][] = [[]]
  for (const piece of name.split(/[,;&+/|]/)) {
    if (things.at(-1)?.length) things.push([])
    for (const word of writtenWords(piece)) {
      if (BETWEEN.has(word.folded)) things.push([])
      else if (!SMALL.has(word.folded)) things.at(-1)?.push(word)
    }
  }
  const parts = things.filter((words) => words.length > 0)
  const of = (words: readonly Written[]) => ({ folded: words.map(({ folded }) => folded).join(' '), words })
  return { words: of(parts.flat()), parts: parts.map(of) }
}
