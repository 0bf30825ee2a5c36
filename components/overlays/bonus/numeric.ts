/** Sums as people type them (UI-09). Nothing here guesses: what can't be read is left out, the server has the last word. */

/** What may stand in the field: digits and one decimal point. A comma becomes the point, spaces go. */
export function typedNumber(text: string): string {
  const signs = text.replace(/,/g, '.').replace(/[^\d.]/g, '')
  const point = signs.indexOf('.')
  return point < 0
    ? signs
    : signs.slice(0, point + 1) +
        signs
          .slice(point + 1)
          .replace(/\./g, '')
          .slice(0, 2)
}

/** Hundredths of what was typed; 0 for nothing. */
export function hundredthsOf(text: string): number {
  return Math.round((Number(typedNumber(text)) || 0) * 100)
}

/** Hundredths as they stand in the field. */
export function numberText(hundredths: number): string {
  return String(hundredths / 100)
}
