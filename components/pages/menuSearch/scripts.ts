/** One sound, several scripts: the same rules as the server's (`server/finding/src/scripts.rs`). */

import { fold } from '../../lib/find/fold.ts'

/** Folded letters and how each script writes them; `ts` is written as one letter where there is one. */
const SOUNDS = 'abvgdejziklmnoprstufhcw'
const CYRILLIC = 'абвгдежзиклмнопрстуфхчш'
const GEORGIAN = 'აბვგდეჯზიკლმნოპრსტუფხჭშ'
/** The sounds that Latin writes with two letters. */
const LATIN: Readonly<Record<string, string>> = { j: 'zh', h: 'kh', c: 'ch', w: 'sh' }

/** A known word in the script of what was typed. Where that is what was typed already, it stays as it is known. */
export function alike(typed: string, word: string): string {
  const script = scriptOf(typed)
  if (script === null || script === scriptOf(word)) return word
  const own = written(script, fold(word))
  return own === typed ? word : own
}

export function scriptOf(text: string): 'cyrillic' | 'georgian' | 'latin' | null {
  const letter = text.match(/\p{L}/u)?.[0] ?? ''
  if (letter === '') return null
  if (/[а-ө]/.test(letter)) return 'cyrillic'
  return /[ა-ჰ]/.test(letter) ? 'georgian' : 'latin'
}

function written(script: 'cyrillic' | 'georgian' | 'latin', folded: string): string {
  if (script === 'latin') return folded.replace(/[jhcw]/g, (sound) => LATIN[sound] ?? sound)
  const letters = script === 'cyrillic' ? CYRILLIC : GEORGIAN
  return folded
    .replaceAll('ts', script === 'cyrillic' ? 'ц' : 'ც')
    .replace(/[a-z]/g, (sound) => letters[SOUNDS.indexOf(sound)] ?? sound)
}
