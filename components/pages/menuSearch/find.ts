/** Finds products of a menu that is at hand: the same rules as the server's (`server/features/finding/`). */

import { fold, isNoise, words } from '../../lib/find/fold.ts'
import { layouts } from '../../lib/find/keyboards.ts'
import { INSIDE } from '../../lib/find/marks.ts'
import { alike } from './forms.ts'
import { nearest } from './nearest.ts'

/** `section`: the names of those that it stands in. */
export type Named = { name: string; section?: string; text?: string }

/**
 * `shown`: the spelling that was looked for instead, when the query itself finds nothing. `nearest`: one that may be meant,
 * where nothing was found.
 */
export type Found<T> = { items: T[]; shown: string | null; nearest: string | null }

/** Words that are written as one, or one that is written as several, must be this long together. */
const JOINED = 4

/** How well an item may fit: another form of a word, its section and its text count as well. */
const ANY = 6
/** A word of it begins so: three letters that another keyboard writes are inside of some name by chance. */
const BEGINS = 1

/** `exact`: as it is written and no other. */
export function find<T extends Named>(all: readonly T[], query: string, exact = false): Found<T> {
  const items = matching(all, query, ANY)
  if (items.length > 0 || words(query).length === 0) return { items, shown: null, nearest: null }
  for (const spelling of exact ? [] : layouts(query)) {
    const found = matching(all, spelling, BEGINS)
    if (found.length > 0) return { items: found, shown: spelling, nearest: null }
  }
  const near = isNoise(query)
    ? null
    : nearest(
        all.map(({ name }) => name),
        query,
      )
  if (near?.certain && !exact)
    return { items: matching(all, near.written, ANY), shown: near.spelling, nearest: null }
  return { items: [], shown: null, nearest: near?.spelling ?? null }
}

function matching<T extends Named>(all: readonly T[], query: string, worst: number): T[] {
  const wanted = isNoise(query) ? [] : words(query)
  if (wanted.length === 0) return []
  return all
    .flatMap((item) => {
      const rank = rankOf(item, wanted)
      return rank === null || rank > worst ? [] : [{ item, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

/**
 * How well an item fits, 0 the best; null when it does not. As it is written comes before another form of it, and a name
 * before a section and a text.
 */
function rankOf({ name, section = '', text = '' }: Named, query: readonly string[]): number | null {
  const folded = fold(name)
  const named = (word: string) => begins(folded, word) || (word.length >= INSIDE && folded.includes(word))
  if (query.every((word) => begins(folded, word))) return folded.startsWith(query[0] ?? '') ? 0 : 1
  if (query.every(named) || isJoined(folded, query.join(''))) return 2
  if (query.every((word) => named(word) || formed(folded, word))) return 3
  // `супы и салаты`: what is short must stand there by itself, beside something longer.
  if (query.every((word) => word.length < INSIDE)) return null
  const placed = `${folded} ${fold(section)}`
  if (query.every((word) => asWritten(placed, word) || formed(placed, word))) return 4
  const whole = `${placed} ${fold(text)}`
  if (query.every((word) => asWritten(whole, word))) return 5
  return query.every((word) => asWritten(whole, word) || formed(whole, word)) ? 6 : null
}

const begins = (whole: string, word: string) => ` ${whole} `.includes(` ${word}`)

const asWritten = (whole: string, word: string) => begins(whole, word.length < INSIDE ? `${word} ` : word)

const formed = (whole: string, word: string) => whole.split(' ').some((own) => alike(own, word))

/** Whether a word of the name and those behind it, written as one, begin so: `кокакола`. */
function isJoined(name: string, query: string): boolean {
  if (query.length < JOINED) return false
  const own = name.split(' ')
  return own.some((_, first) => own.slice(first).join('').startsWith(query))
}
