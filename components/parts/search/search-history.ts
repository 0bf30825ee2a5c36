/** The last searches of this browser (ST-09, SE-07): three, the newest first, each once, never an empty one. */

import { dropStored, forgetLastGuest, readStored, writeStored } from '../../lib/browser/storage.ts'

const MOST = 3

/** Storage may be blocked or hold anything: then there is no history. */
export function readHistory(): string[] {
  forgetLastGuest()
  const stored = readStored('searchHistory')
  if (!Array.isArray(stored)) return []
  return stored.filter((one) => typeof one === 'string' && one.trim() !== '').slice(0, MOST)
}

/** Puts a query in front. Returns what the history is then, kept or not. */
export function remember(query: string): string[] {
  const text = query.trim()
  const before = readHistory()
  if (text === '') return before
  const same = (one: string) => one.toLowerCase() === text.toLowerCase()
  return write([text, ...before.filter((one) => !same(one))].slice(0, MOST))
}

export function forget(query: string): string[] {
  return write(readHistory().filter((one) => one !== query))
}

/** All of it, from the storage too (SE-08). */
export function forgetAll(): string[] {
  dropStored('searchHistory')
  return []
}

function write(value: string[]): string[] {
  if (value.length === 0) return forgetAll()
  // What can't be kept is shown until the page goes.
  writeStored('searchHistory', value)
  return value
}
