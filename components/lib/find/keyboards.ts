/** A text typed with the wrong keyboard layout switched on. */

import { plain } from './plain.ts'

const KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
const RUSSIAN = 'йцукенгшщзхъфывапролджэячсмитьбю'
const KAZAKH_KEYS = '234589-=0'
const KAZAKH = 'әіңғүұөһқ'
const GEORGIAN_KEYS = 'abgdevzTikljmnopJrstufqRySCcZwWxh'
const GEORGIAN = 'აბგდევზთიკლჯმნოპჟრსტუფქღყშჩცძწჭხჰ'
const LETTER = /[\p{L}\p{N}]/u

/** What the same keys write with another layout; nothing that is the text itself. */
export function layouts(text: string): string[] {
  const typed = plain(text).trim().toLowerCase()
  const keys = keysOf(typed)
  if (keys === null) return []
  const russian = swapped(keys.toLowerCase(), KEYS, RUSSIAN)
  const other = [
    russian,
    swapped(russian, KAZAKH_KEYS, KAZAKH),
    keys.toLowerCase(),
    swapped(keys, GEORGIAN_KEYS, GEORGIAN),
  ]
  return [...new Set(other)].filter((spelling) => spelling !== typed && !hasSigns(typed, spelling))
}

/** Whether letters became signs, which is never meant. */
function hasSigns(typed: string, spelling: string): boolean {
  const meant = [...spelling]
  return [...typed].some((letter, at) => LETTER.test(letter) && !LETTER.test(meant[at] ?? ''))
}

function keysOf(typed: string): string | null {
  if (/[а-ұ]/.test(typed)) return swapped(swapped(typed, RUSSIAN, KEYS), KAZAKH, KAZAKH_KEYS)
  if (/[ა-ჰ]/.test(typed)) return swapped(typed, GEORGIAN, GEORGIAN_KEYS)
  return /[a-z]/.test(typed) ? typed : null
}

function swapped(text: string, from: string, to: string): string {
  return [...text].map((letter) => to[from.indexOf(letter)] ?? letter).join('')
}
