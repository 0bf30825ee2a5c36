/** What is typed or pasted into the field of a birthday, as far as it goes, as dd/mm/yyyy (PR-02). */

const LENGTHS = [2, 2, 4]
/** What stands between the parts; anything else is overlooked. */
const MARKS = '/.,- \u00a0'
/** As browsers fill it in, and as it is copied from elsewhere. */
const YEAR_FIRST = /^\s*(\d{4})\D+(\d{1,2})\D+(\d{1,2})\s*$/

export function maskDate(text: string): string {
  const [, year, month = '', day = ''] = YEAR_FIRST.exec(text) ?? []
  if (year) return [twoDigits(day), twoDigits(month), year].join('/')
  const parts: string[] = []
  let part = ''
  // A part ends when it is full, or by any mark after it.
  for (const letter of text) {
    const isDigit = letter >= '0' && letter <= '9'
    const isFull = part.length >= (LENGTHS[parts.length] ?? 0)
    if (isDigit && !isFull) part += letter
    if (parts.length === 2 || part === '') continue
    if (MARKS.includes(letter) || part.length === LENGTHS[parts.length]) {
      parts.push(twoDigits(part))
      part = ''
    }
  }
  return [...parts, part].join('/')
}

const twoDigits = (part: string) => part.padStart(2, '0')
