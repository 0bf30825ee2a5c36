/** The sum of a text as the server reads it, hundredths: `1 200`, `12,50`. Null: it is none, or nothing is typed. */
export function typedSum(text: string): number | null {
  const found = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.replace(/\s/g, ''))
  return found ? Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : null
}
