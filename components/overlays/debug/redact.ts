/**
 * What a panel for developers may show of a guest: nothing (DB-08, S-21). It is taken out before it is kept: by the name of
 * what holds it, in objects and in texts alike, or by its form. Files of ours are the same for everybody.
 */

export const HIDDEN = '[hidden]'

/** Parts of names, and whole names, of what tells who a guest is, where, or by which key. */
const PARTS =
  'authori|cookie|token|secret|passw|verifier|challenge|track|phone|address|comment|birth|mail|coord'
const NAMES = 'code|(?:auth|sms|pin|login)[_-]?code|otp|pin|key|tel|lat|latitude|lon|lng|longitude|user'

/** How secrets are known: by a name, and by a name with a value in a text. Some values of a `code` tell nothing. */
type Rule = { name: RegExp; pair: RegExp; word: RegExp }

const REQUEST = rule(`${PARTS}|near|user`, `${NAMES}|[\\w-]*state|name|m`, /^$/)
/**
 * What a dish is called may be read, and the state that something is in; the code of a currency or an error, too: one that
 * confirms something has digits.
 */
const RESPONSE = rule(PARTS, NAMES, /^[A-Za-z]*$/)

function rule(parts: string, names: string, word: RegExp): Rule {
  const name = `[\\w.-]{0,40}(?:${parts})[\\w.-]{0,40}|${names}`
  const opening = `(?:\\b|%[0-9a-f]{2})(${name})[\\\\"']*\\s*(?:[:=]|%3[ad])\\s*`
  return {
    name: new RegExp(`^(?:${name})$`, 'i'),
    pair: new RegExp(`(${opening})(?:(\\\\*["'])([^"'\\\\]*)|([^\\s&"'<>,;}\\])\\\\]+))`, 'gi'),
    word,
  }
}

/** Headers whose value has parts. */
const HEADER = /\b((?:cookie|authorization)\s*[:=]\s*)(?!["'])[^\r\n]+/gi
const BEARER = /\b(bearer)\s+[^\s"']+/gi
/** Written as people write phone numbers. */
const PHONE = /\+?\d(?:[\s()-]?\d){9,14}/g
/** A piece of a path that only its guest knows; of ours are files, and names in small letters. */
const CAPABILITY = /\/assets\/[\w.-]+|[\w-]{20,}/g
const OURS = /^(?:\/assets\/.*|[a-z_-]+)$/

export function redactText(text: string, { pair, word }: Rule = REQUEST): string {
  return text
    .replace(HEADER, `$1${HIDDEN}`)
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(pair, (whole, opening, name, quote = '', quoted, plain) =>
      name === 'code' && word.test(quoted ?? plain) ? whole : opening + quote + HIDDEN,
    )
    .replace(CAPABILITY, (one) => (OURS.test(one) ? one : HIDDEN))
    .replace(PHONE, HIDDEN)
}

/** Pairs of a header list, a form or a query. Empty ones are dropped: 0 and false are not empty (DB-04). */
export function redactPairs(pairs: Iterable<[string, unknown]>): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === '') continue
    shown[name] = REQUEST.name.test(name) ? HIDDEN : redactText(String(value))
  }
  return shown
}

/** A text that may be JSON or a form. */
export function redactBody(text: string, isAnswer: boolean): unknown {
  const rule = isAnswer ? RESPONSE : REQUEST
  try {
    return redactValue(JSON.parse(text), rule)
  } catch {
    if (!isAnswer && /^[\w.%+-]+=/.test(text)) return redactPairs(new URLSearchParams(text))
    return redactText(text, rule)
  }
}

function redactValue(value: unknown, rule: Rule): unknown {
  if (typeof value === 'string') return redactText(value, rule)
  if (Array.isArray(value)) return value.map((one) => redactValue(one, rule))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isSecret(name, one, rule) ? HIDDEN : redactValue(one, rule),
    ]),
  )
}

/** Whether something is there says nothing. */
export function isSecret(name: string, value: unknown, rule: Rule = REQUEST): boolean {
  if (value === null || typeof value === 'boolean') return false
  return rule.name.test(name) && !(name === 'code' && rule.word.test(String(value)))
}
