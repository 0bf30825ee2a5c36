/** Web storage that never throws: it may be blocked, full, or hold what another version wrote (ST-10). */

export type Key = 'early' | 'reloaded' | 'townAsked'

/** The version of what is kept; another one is dropped. */
const VERSION = 1

export function readStored(key: Exclude<Key, 'early'>): unknown {
  try {
    const record: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isRecord(record) && record.version === VERSION ? record.value : undefined
  } catch {
    return undefined
  }
}

/** Whether it is kept. */
export function writeStored(key: Exclude<Key, 'early'>, value: unknown): boolean {
  return writeRaw(key, JSON.stringify({ version: VERSION, value }))
}

/** Without the version: the early-tap script shares the key `early` and has no room for one. */
export function writeRaw(key: Key, text: string): boolean {
  try {
    sessionStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

export function dropStored(key: Key): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Blocked storage holds nothing.
  }
}

function isRecord(value: unknown): value is { version?: unknown; value?: unknown } {
  return typeof value === 'object' && value !== null
}
