/**
 * What the browser keeps, and the only module that names it (ST-01, ST-06): a note is never written under one name and
 * read under another. Storage that never throws: it may be blocked, full, or hold what another version wrote (ST-10).
 */

/** For this tab; all other names are kept for good. */
const OF_THE_TAB = ['early', 'place', 'reloaded', 'reloadsTold', 'scroll', 'silent', 'typed'] as const

/** Cookies that the server reads for the first render, mirrored for scripts under the specification's names (ST-01). */
export const MIRRORED = ['townId', 'service', 'lang', 'platform', 'deviceId'] as const

/** Changes of the cart without an answer, of one document each. */
const TAPS = 'taps '
export type TapsKey = `${typeof TAPS}${string}`

export type Key =
  | TapsKey
  | (typeof OF_THE_TAB)[number]
  | (typeof MIRRORED)[number]
  | 'version'
  | 'searchHistory'
  /** The guest does not want the page in the language of the browser. */
  | 'languageOffered'
  /** What was begun of dishes and is not in the cart yet. */
  | 'drafts'
  /** What was typed into forms that are not sent yet: orders, bookings, addresses, reviews. */
  | 'forms'
  /** A name of what the guest does in one go, and when it was last continued (AN-01). */
  | 'analyticsSession'
  /** The device that notifications were turned on for. */
  | 'push'
  /** When a tablet was last touched. */
  | 'touched'
  /** Menus that were opened in this browser. The session's `tempTerminals` are the venues of a scanned code (ST-03). */
  | 'temporaryTerminals'

/** What a guest has typed, searched and begun. */
const OF_A_GUEST = ['drafts', 'forms', 'searchHistory', 'typed'] as const

/** The version of what is kept; another one is dropped. */
const VERSION = 1

export function readStored(key: Exclude<Key, 'early'>): unknown {
  try {
    const record: unknown = JSON.parse(areaOf(key).getItem(key) ?? 'null')
    return isRecord(record) && record.version === VERSION ? record.value : undefined
  } catch {
    return undefined
  }
}

/** Whether it is kept. */
export function writeStored(key: Exclude<Key, 'early'>, value: unknown): boolean {
  return writeRaw(key, JSON.stringify({ version: VERSION, value }))
}

/** Without the version: the early-tap script shares the key `early` and has no room for one, and mirrors are plain. */
export function writeRaw(key: Key, text: string): boolean {
  try {
    areaOf(key).setItem(key, text)
    return true
  } catch {
    return false
  }
}

export function dropStored(key: Key): void {
  try {
    areaOf(key).removeItem(key)
  } catch {
    // Blocked storage holds nothing.
  }
}

/** Those of all documents. */
export function keysOfTaps(): TapsKey[] {
  try {
    return Object.keys(localStorage).filter((key): key is TapsKey => key.startsWith(TAPS))
  } catch {
    return []
  }
}

/** A sign-out, here or in another tab, makes this another device: what was typed and tapped is not the next guest's (S-16). */
export function forgetLastGuest(): void {
  try {
    const last = localStorage.getItem('deviceId')
    if (last && last !== readCookie('deviceId'))
      for (const key of [...OF_A_GUEST, ...keysOfTaps()]) dropStored(key)
  } catch {
    // Blocked storage holds nothing.
  }
}

/** Removes all that is stored (ST-15). */
export function clearStored(): void {
  try {
    localStorage.clear()
    sessionStorage.clear()
  } catch {
    // Blocked storage holds nothing.
  }
}

/** The value of a cookie that scripts may read. */
export function readCookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}

let owner: string | undefined

/** Whose document this is: an anonymous visitor becomes a guest in it. */
export function ownDevice(): string | undefined {
  owner ??= readCookie('deviceId')
  return owner
}

/** Whether a device is that of the guest of now: in another tab they may have signed out (S-16). */
export const isOwn = (device: unknown) => !device || device === readCookie('deviceId')

/** Throws where storage is blocked. */
function areaOf(key: Key): Storage {
  const names: readonly string[] = OF_THE_TAB
  return names.includes(key) ? sessionStorage : localStorage
}

function isRecord(value: unknown): value is { version?: unknown; value?: unknown } {
  return typeof value === 'object' && value !== null
}
