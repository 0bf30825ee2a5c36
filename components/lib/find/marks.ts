/** Which letters of a name a query has hit, to be marked. */

import { foldWithPlaces, isNoise, words } from './fold.ts'

/** A query word this long may stand inside of a word, shorter ones must begin it. */
export const INSIDE = 3

/** Pieces of `text` from start to before end, in order, none over another. */
export function marksOf(text: string, query: string): [start: number, end: number][] {
  const folded = foldWithPlaces(text)
  const hits: [number, number][] = []
  for (const word of isNoise(query) ? [] : words(query)) {
    const at = placeOf(folded.text, word)
    if (at < 0) continue
    const start = folded.from[at]
    const end = folded.to[at + word.length - 1]
    if (start !== undefined && end !== undefined) hits.push([start, end])
  }
  hits.sort(([a], [b]) => a - b)
  const marks: [number, number][] = []
  for (const [start, end] of hits) {
    const before = marks.at(-1)
    if (before && start <= before[1]) before[1] = Math.max(before[1], end)
    else marks.push([start, end])
  }
  return marks
}

/** The beginning of a word before its inside. */
function placeOf(text: string, word: string): number {
  if (text.startsWith(word)) return 0
  const begins = text.indexOf(` ${word}`)
  if (begins >= 0) return begins + 1
  return word.length >= INSIDE ? text.indexOf(word) : -1
}
