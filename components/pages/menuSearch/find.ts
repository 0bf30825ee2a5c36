/** Finds products of a menu that is at hand: the same rules as the server's (`server/features/finding/`). */

import { fold, isNoise, words } from '../../lib/find/fold.ts'
import { layouts } from '../../lib/find/keyboards.ts'
import { INSIDE } from '../../lib/find/marks.ts'
import { nearest } from './nearest.ts'

export type Named = { name: string; text?: string | undefined }

/**
 * `shown`: the spelling that was looked for instead, when the query itself finds nothing. `nearest`: one that may be meant,
 * where nothing was found.
 */
export type Found<T> = { items: T[]; shown: string | null; nearest: string | null }

/** How well a name may fit: what stands inside of it, or in its text, counts as well. */
const ANY = 3
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

/** How well an item fits, 0 the best; null when it does not. */
function rankOf({ name, text }: Named, query: readonly string[]): number | null {
  const folded = fold(name)
  const begins = (whole: string, word: string) => ` ${whole}`.includes(` ${word}`)
  if (query.every((word) => begins(folded, word))) return folded.startsWith(query[0] ?? '') ? 0 : 1
  if (query.every((word) => begins(folded, word) || (word.length >= INSIDE && folded.includes(word))))
    return 2
  const whole = text ? `${folded} ${fold(text)}` : folded
  return query.every((word) => word.length >= INSIDE && begins(whole, word)) ? 3 : null
}
