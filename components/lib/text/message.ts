/**
 * The runtime of compiled ICU messages. The build turns each text of `locales/*.json` into a string (no placeholder)
 * or a list of parts, so no parser reaches the browser.
 */

import type { Lang } from '../page-data.ts'
import { pluralCategory } from './plural.ts'

export type Values = Record<string, string | number>

/** A literal; `0` is the `#` of a plural; the rest is [kind, name, …]: argument, number, plural, select. */
type Part =
  | string
  | 0
  | readonly ['a', string]
  | readonly ['n', string]
  | readonly ['p', string, Readonly<Record<string, Message>>, number?]
  | readonly ['s', string, Readonly<Record<string, Message>>]

export type Message = string | readonly Part[]
export type Catalogue = Readonly<Record<string, Message>>

export function formatMessage(message: Message, values: Values, lang: Lang, count?: number): string {
  if (typeof message === 'string') return message
  let text = ''
  for (const part of message) text += formatPart(part, values, lang, count)
  return text
}

function formatPart(part: Part, values: Values, lang: Lang, count: number | undefined): string {
  if (typeof part === 'string') return part
  if (part === 0) return count === undefined ? '' : formatNumber(count, lang)
  const value = values[part[1]]
  if (value === undefined) return ''
  switch (part[0]) {
    case 'a':
      return String(value)
    case 'n':
      return formatNumber(Number(value), lang)
    case 'p': {
      const [, , options, offset = 0] = part
      const rest = Number(value) - offset
      const chosen = options[`=${value}`] ?? options[pluralCategory(lang, rest)] ?? options.other
      return chosen === undefined ? '' : formatMessage(chosen, values, lang, rest)
    }
    case 's': {
      const chosen = part[2][value] ?? part[2].other
      // A text that its own language lacks is chosen by the name of another one.
      return chosen === undefined
        ? ''
        : formatMessage(chosen, values, part[1] ? lang : (value as Lang), count)
    }
  }
}

/** A whole or decimal number as the language writes it. Groups are parted by a no-break space. */
export function formatNumber(value: number, lang: Lang): string {
  const [whole = '0', fraction] = String(Math.abs(value)).split('.')
  const sign = value < 0 ? '\u2212' : ''
  const end = fraction ? decimalSign(lang) + fraction : ''
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0') + end
}

/** Sums have the sign of their town's money instead. */
export const decimalSign = (lang: Lang) => (lang === 'en' ? '.' : ',')
