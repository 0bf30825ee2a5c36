/** Phone numbers as people of the country write them (FM-12). */

/** By the country's code: how the digits after it are grouped. */
const GROUPS = { '+7': [3, 3, 2, 2], '+995': [3, 2, 2, 2] }

/** "+7 701 000 00 31", "+995 599 12 34 56" of a number in international writing; of other countries as it is. */
export function formatPhone(number: string): string {
  for (const [code, groups] of Object.entries(GROUPS)) {
    const rest = number.startsWith(code) ? number.slice(code.length) : ''
    if (!/^\d+$/.test(rest) || rest.length !== groups.reduce((sum, length) => sum + length)) continue
    let at = 0
    const parts = groups.map((length) => {
      at += length
      return rest.slice(at - length, at)
    })
    return [code, ...parts].join(' ')
  }
  return number
}
