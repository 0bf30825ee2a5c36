/** What a panel for developers may show of a guest: nothing (DB-08, S-21). It is taken out before it is kept. */

const HIDDEN = '[hidden]'

/** Headers and fields that name a guest, a place or a key. */
const SECRET =
  /authori|cookie|token|secret|passw|verifier|challenge|^code$|state|track|^key$|phone|^name$|address|comment|birth|mail|^lat|^lon|coord|near|^m$|user/i
/** Fields of answers: what a dish is called may be read. */
const SECRET_IN_ANSWERS =
  /authori|cookie|token|secret|passw|^code$|track|^key$|phone|tel$|address|comment|birth|mail|^lat|^lon|coord|^user$/i
/** Written as people write phone numbers. */
const PHONE = /\+?\d(?:[\s()-]?\d){9,14}/g
/** A piece of a path that only its guest knows. */
const CAPABILITY = /[\w-]{20,}/g

export function redactText(text: string): string {
  return text
    .replace(/\b(bearer)\s+\S+/gi, `$1 ${HIDDEN}`)
    .replace(CAPABILITY, HIDDEN)
    .replace(PHONE, HIDDEN)
}

/** Pairs of a header list, a form or a query. Empty ones are dropped: 0 and false are not empty (DB-04). */
export function redactPairs(pairs: Iterable<[string, unknown]>): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === '') continue
    shown[name] = SECRET.test(name) ? HIDDEN : redactText(String(value))
  }
  return shown
}

/** A text that may be JSON or a form. */
export function redactBody(text: string, isAnswer: boolean): unknown {
  try {
    return redactValue(JSON.parse(text), isAnswer ? SECRET_IN_ANSWERS : SECRET)
  } catch {
    if (!isAnswer && /^[\w.%+-]+=/.test(text)) return redactPairs(new URLSearchParams(text))
    return redactText(text)
  }
}

function redactValue(value: unknown, secret: RegExp): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map((one) => redactValue(one, secret))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      secret.test(name) && one !== null ? HIDDEN : redactValue(one, secret),
    ]),
  )
}
