/** The nearest spelling among known names. */

import { fold, words } from './fold.ts'

/** The query with each unknown word replaced by the nearest word of the names; null when one is near nothing. */
export function nearest(names: readonly string[], query: string): string | null {
  const vocabulary = new Map<string, string>()
  for (const name of names) {
    for (const word of name.split(/[^\p{L}\p{N}]+/u)) {
      const folded = fold(word)
      if (folded.length > 2 && !vocabulary.has(folded)) vocabulary.set(folded, word.toLowerCase())
    }
  }
  let changed = false
  const found: string[] = []
  for (const word of words(query)) {
    const known = [...vocabulary].find(([folded]) => folded.startsWith(word))
    if (known) {
      found.push(known[1])
      continue
    }
    const near = word.length < 3 ? null : closest(vocabulary, word, word.length < 5 ? 1 : 2)
    if (near === null) return null
    found.push(near)
    changed = true
  }
  return changed ? found.join(' ') : null
}

function closest(vocabulary: ReadonlyMap<string, string>, word: string, most: number): string | null {
  let best: string | null = null
  let least = most + 1
  for (const [folded, written] of vocabulary) {
    const steps = distance(word, folded)
    if (steps >= least) continue
    least = steps
    best = written
  }
  return best
}

/** How many letters must be put in, left out, changed or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(at(last, j - 1) + (same ? 0 : 1), at(last, j) + 1, at(row, j - 1) + 1)
      const crossed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (crossed) least = Math.min(least, at(before, j - 2) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY
