/** The sum of a text as the server reads it, hundredths: `1 200`, `12,50`, `12,`. Null: no sum, or nothing is typed. */
export function typedSum(text: string): number | null {
  const found = /^(\d{1,13})(?:[.,](\d{0,2}))?$/.exec(text.replace(/\s/g, ''))
  return found ? Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : null
}

/** Whether a sum is typed that has more digits after its sign than the coins of its currency. */
export function isBroken(text: string, fractionDigits: number): boolean {
  return (typedSum(text) ?? 0) % coinOf(fractionDigits) > 0
}

/** The smallest coin, hundredths. */
export function coinOf(fractionDigits: number): number {
  return 10 ** Math.max(0, 2 - fractionDigits)
}
