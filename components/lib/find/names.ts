import { fold, isNoise } from './fold.ts'
import { layouts } from './keyboards.ts'
import { plain } from './plain.ts'

/** A shorter text of another layout is in too many names. */
const LEAST = 3

/** Those whose names hold the text, in any spelling; when none does, those that another keyboard layout would find. */
export function named<T>(all: readonly T[], nameOf: (one: T) => string, text: string): T[] {
  const holding = (sought: string) => all.filter((one) => fold(nameOf(one)).includes(sought))
  const own = fold(text)
  const found = (own === '' && plain(text).trim() !== '') || isNoise(text) ? [] : holding(own)
  if (found.length > 0) return found
  for (const other of layouts(text).map(fold)) {
    // Inside of a name it stands by chance.
    const meant =
      other.length < LEAST ? [] : all.filter((one) => ` ${fold(nameOf(one))}`.includes(` ${other}`))
    if (meant.length > 0) return meant
  }
  return []
}
