/** The nearest spelling among known names: the same rules as the server's (`server/finding/src/nearest.rs`). */

import { writtenWords } from '../../lib/find/fold.ts'
import { alike as isForm } from './forms.ts'
import { alike } from './scripts.ts'
import { isEveryday } from './synonyms.ts'

/**
 * `spelling` is in the script that was typed, `written` the same as the names write it. `certain`: one slip of the finger,
 * and no other word is as near: it may be looked for without asking.
 */
export type Near = { spelling: string; written: string; certain: boolean }

/** A shorter word is near to too many others. */
const LEAST = 4
/** In words this long two slips are still near. */
const LONG = 7
/** In shorter words only two swapped neighbours are certainly a slip. */
const SURE = 5
/** Words whose first letters up to this number agree are forms of one word. */
const STEM = 4

/**
 * The query of who reads a language with each unknown word replaced by the nearest word of the names; null when one is near
 * nothing.
 */
export function nearest(names: readonly string[], query: string, lang: string): Near | null {
  const vocabulary = vocabularyOf(names)
  const spelling: string[] = []
  const asNamed: string[] = []
  let changed = false
  let certain = true
  const known = [...vocabulary.keys()]
  const typedWords = writtenWords(query).map((word) => ({
    ...word,
    isKnown: known.some((folded) => folded.startsWith(word.folded)),
  }))
  // An everyday word is spelt as it should be.
  if (typedWords.length === 1 && typedWords.some((word) => isEveryday(word, lang))) return null
  for (const { folded: word, written: typed, isKnown } of typedWords) {
    if (isKnown) {
      spelling.push(typed)
      asNamed.push(typed)
      continue
    }
    // `coca cola` where there is only a cola: one word is meant, which is there already.
    if (typedWords.some((other) => other.isKnown && isSlip(word, other.folded))) {
      changed = true
      certain = false
      continue
    }
    const near = closest(vocabulary, word)
    if (near === null) return null
    changed = true
    certain &&= near.certain
    spelling.push(alike(typed, near.written))
    asNamed.push(near.written)
  }
  return changed ? { spelling: spelling.join(' '), written: asNamed.join(' '), certain } : null
}

const vocabularies = new WeakMap<readonly string[], ReadonlyMap<string, string>>()

/** The words of the names, folded, and how the first of each is written. */
function vocabularyOf(names: readonly string[]): ReadonlyMap<string, string> {
  const known = vocabularies.get(names)
  if (known) return known
  const vocabulary = new Map<string, string>()
  for (const { folded, written } of names.flatMap(writtenWords))
    if (folded.length > 2 && !vocabulary.has(folded)) vocabulary.set(folded, written)
  vocabularies.set(names, vocabulary)
  return vocabulary
}

/**
 * Another form of the word that was typed, else the nearest that begins like it, the shorter the better, and whether it is
 * certainly meant.
 */
function closest(vocabulary: ReadonlyMap<string, string>, word: string): Omit<Near, 'spelling'> | null {
  const most = word.length < LEAST ? 0 : word.length < LONG ? 1 : 2
  // A form of a word begins as it does, too.
  const all = [...vocabulary]
    .filter(([folded]) => beginAlike(word, folded))
    .map(([folded, written]) => ({ folded, written, steps: distance(word, folded) }))
  all.sort((a, b) => a.steps - b.steps || a.folded.length - b.folded.length)
  const near = all.filter(({ steps }) => steps <= most)
  const form = all.find(({ folded }) => isForm(folded, word, 'name'))
  if (form) {
    // Another word that is as near may be meant as well.
    const only = near.every(({ steps, folded }) => steps > form.steps || isForm(folded, word, 'name'))
    return { written: form.written, certain: only && isForm(form.folded, word, 'certain') }
  }
  const [best] = near
  if (!best) return null
  const stem = (text: string) => text.slice(0, STEM)
  const alone = near.every(({ steps, folded }) => steps > best.steps || stem(folded) === stem(best.folded))
  const slip = best.steps === 1 && (word.length >= SURE || sorted(word) === sorted(best.folded))
  return { written: best.written, certain: slip && alone }
}

/** Whether one slip of the finger makes one word of the other. */
function isSlip(word: string, other: string): boolean {
  return word.length >= LEAST && beginAlike(word, other) && distance(word, other) === 1
}

/** The first letter is hardly ever mistyped, but for changing places with the second. */
function beginAlike(a: string, b: string): boolean {
  return a[0] === b[0] || (a[0] === b[1] && a[1] === b[0])
}

const sorted = (word: string) => [...word].sort().join('')

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
