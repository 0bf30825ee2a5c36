/** What the page asks while its map is moved and its field is typed into. Nothing that fails throws. */

import { reach } from '../../lib/net/connection.ts'
import type { AddressAt, AddressSuggestions, Point } from '../../lib/page-data.ts'
import { paths } from '../../paths.ts'

/** How long the name of a place is waited for, milliseconds. */
const TIMEOUT = 6000

const UNKNOWN: AddressAt = { spot: null, failed: true, zone: 'unknown', ofCart: null, takeaway: null }

/** What is known of a place. It goes in a header: addresses are kept in histories and logs. */
export async function askPlace(at: Point, signal: AbortSignal): Promise<AddressAt> {
  const answer = await ask(paths.addressAt(), signal, { 'X-Near': `${degrees(at.lat)},${degrees(at.lon)}` })
  return isPlace(answer) ? answer : UNKNOWN
}

/** What a text may mean. */
export async function askText(q: string, city: string, signal: AbortSignal): Promise<AddressSuggestions> {
  const answer = await ask(paths.addressSuggest({ q, city }), signal, {})
  return isSuggestions(answer) ? answer : { query: q, items: null, partial: false }
}

/** With a decimal point in every language: about ten centimetres (DG-17). */
export function degrees(number: number): string {
  return number.toFixed(6)
}

async function ask(url: string, signal: AbortSignal, headers: Record<string, string>): Promise<unknown> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), TIMEOUT)
  const stop = () => late.abort()
  signal.addEventListener('abort', stop)
  try {
    const response = await reach(url, {
      headers: { Accept: 'application/json', 'X-Requested-With': 'dastarkhan', ...headers },
      signal: late.signal,
    })
    return response.ok ? await response.json() : null
  } catch {
    return null
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

function isPlace(value: unknown): value is AddressAt {
  return typeof value === 'object' && value !== null && 'zone' in value && 'spot' in value
}

function isSuggestions(value: unknown): value is AddressSuggestions {
  return typeof value === 'object' && value !== null && 'items' in value && 'query' in value
}
