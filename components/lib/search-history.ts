/** The last searches of this browser (ST-09, SE-07): three, the newest first, each once, never an empty one. */

const KEY = 'searchHistory'
const KEPT = 3
/** The version of what is kept; another one is dropped (ST-10). */
const VERSION = 1

/** Storage may be blocked or hold anything: then there is no history. */
export function readHistory(): string[] {
  try {
    const record: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (typeof record !== 'object' || record === null) return []
    if (!('version' in record) || record.version !== VERSION) return []
    if (!('value' in record) || !Array.isArray(record.value)) return []
    return record.value.filter((one) => typeof one === 'string' && one.trim() !== '').slice(0, KEPT)
  } catch {
    return []
  }
}

/** Puts a query in front. Returns what the history is then, kept or not. */
export function remember(query: string): string[] {
  const text = query.trim()
  const before = readHistory()
  if (text === '') return before
  const same = (one: string) => one.toLowerCase() === text.toLowerCase()
  return write([text, ...before.filter((one) => !same(one))].slice(0, KEPT))
}

export function forget(query: string): string[] {
  return write(readHistory().filter((one) => one !== query))
}

/** All of it, from the storage too (SE-08). */
export function forgetAll(): string[] {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Blocked storage holds nothing.
  }
  return []
}

function write(value: string[]): string[] {
  if (value.length === 0) return forgetAll()
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: VERSION, value }))
  } catch {
    // It is shown until the page goes.
  }
  return value
}
