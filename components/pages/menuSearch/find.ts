/** Finds products of a menu that is at hand: the same rules as the server's (`server/features/finding/`). */

import { fold, isNoise, words } from '../../lib/find/fold.ts'
import { layouts } from '../../lib/find/keyboards.ts'
import { INSIDE } from '../../lib/find/marks.ts'
import { alike, type Likeness } from './forms.ts'
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
      const rank = rankOf(foldedOf(item), wanted, worst)
      return rank === null ? [] : [{ item, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

/** An item as it is compared; `placed`: the name and the sections. */
type Folded = { name: string; placed(): string; text(): string }

/** Each is folded once for all that is typed, and what is said of it only if its name does not fit. */
const known = new WeakMap<Named, Folded>()

function foldedOf(item: Named): Folded {
  const before = known.get(item)
  if (before) return before
  const name = fold(item.name)
  let placed: string | undefined
  let text: string | undefined
  const folded: Folded = {
    name,
    placed: () => (placed ??= `${name} ${fold(item.section ?? '')}`),
    text: () => (text ??= fold(item.text ?? '')),
  }
  known.set(item, folded)
  return folded
}

/**
 * How well an item fits, 0 the best; null when it does not, or worse than wanted. As it is written comes before another
 * form of it, and a name before a section and a text.
 */
function rankOf(item: Folded, query: readonly string[], worst: number): number | null {
  const { name } = item
  if (query.every((word) => begins(name, word))) return name.startsWith(query[0] ?? '') ? 0 : 1
  if (worst <= BEGINS) return null
  const named = (word: string) => begins(name, word) || (word.length >= INSIDE && name.includes(word))
  if (query.every(named) || isJoined(name, query.join(''))) return 2
  if (query.every((word) => named(word) || formed(name, word, 'name'))) return 3
  // `супы и салаты`: what is short must stand there by itself, beside something longer.
  if (query.every((word) => word.length < INSIDE)) return null
  const placed = item.placed()
  const isPlaced = (word: string) => asWritten(placed, word) || formed(placed, word, 'name')
  if (query.every(isPlaced)) return 4
  const text = item.text()
  if (query.every((word) => asWritten(placed, word) || asWritten(text, word))) return 5
  const isSaid = (word: string) => isPlaced(word) || asWritten(text, word) || formed(text, word, 'text')
  return query.every(isSaid) ? 6 : null
}

const begins = (whole: string, word: string) => ` ${whole} `.includes(` ${word}`)

const asWritten = (whole: string, word: string) => begins(whole, word.length < INSIDE ? `${word} ` : word)

const formed = (whole: string, word: string, likeness: Likeness) =>
  whole.split(' ').some((own) => alike(own, word, likeness))

/** Whether a word of the name and those behind it, written as one, begin so: `кокакола`. */
function isJoined(name: string, query: string): boolean {
  if (query.length < JOINED) return false
  const own = name.split(' ')
  return own.some((_, first) => own.slice(first).join('').startsWith(query))
}
