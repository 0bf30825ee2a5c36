/** What a reading is worth: a barcode of a good, the code of a table, or neither (BC-01, BC-11, BC-12, FL-18, FL-19). */

/** Names of the formats as browsers have them. */
export const GOODS = ['ean_13', 'ean_8', 'code_128', 'code_39', 'code_93', 'itf', 'upc_a', 'upc_e'] as const
export type Format = (typeof GOODS)[number] | 'qr_code'

export type Read = { text: string; format: Format }

export type Scanned =
  /** Digits that a good may have. */
  | { kind: 'good'; code: string }
  /** Letters, or a number of digits that no good has. */
  | { kind: 'wrong'; code: string }
  /** The code of a table: a path of our own. */
  | { kind: 'table'; path: string }
  /** A QR code that is not ours. */
  | { kind: 'foreign' }

/** Such as `EAN-13`, `qr` and `org.iso.QRCode`: every scanner writes the names in its own way. */
const bare = (name: string) => name.toLowerCase().replace(/[^a-z\d]/g, '')

/** The format of what a host has read, by the name that it gives; without a known one what was read has to tell. */
export function formatOf(text: string, name = ''): Format {
  const given = bare(name)
  const known = GOODS.find((one) => given.endsWith(bare(one)))
  if (known) return known
  if (/qr(code)?$/.test(given) || /^https?:/i.test(text)) return 'qr_code'
  if (!/^\d{8}$/.test(text) || checks(text)) return 'code_128'
  return /^[01]/.test(text) && checks(longUpc(text)) ? 'upc_e' : 'code_128'
}

/** When the same code counts again, milliseconds. */
const QUIET = 1500

/** What is read; null for a misreading: the camera looks on. `origin` is our own. */
export function scannedOf({ text, format }: Read, origin: string): Scanned | null {
  if (format === 'qr_code') {
    const path = tableOf(text, origin)
    return path ? { kind: 'table', path } : { kind: 'foreign' }
  }
  const digits = /^\d+$/.test(text)
  const whole =
    format === 'upc_e' && text.length === 8 ? longUpc(text) : text.length === 12 ? `0${text}` : text
  const fits = digits && (whole.length === 8 || whole.length === 13)
  if (fits && checks(whole)) return { kind: 'good', code: whole }
  // These carry their check digit: without it they were read wrong. The others may hold anything.
  const sure = format.startsWith('ean') || format.startsWith('upc')
  return sure ? null : { kind: 'wrong', code: text }
}

/** Whether the last digit is the check digit of the others. */
export function checks(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((all, digit, index) => all + Number(digit) * (index % 2 ? 3 : 1), 0)
  return sum % 10 === 0
}

/** A UPC-E as the thirteen digits that it is short for. */
export function longUpc(short: string): string {
  const [system, a, b, c, d, e, last = '', check] = short
  const rest =
    last < '3'
      ? `${a}${b}${last}0000${c}${d}${e}`
      : last === '3'
        ? `${a}${b}${c}00000${d}${e}`
        : last === '4'
          ? `${a}${b}${c}${d}00000${e}`
          : `${a}${b}${c}${d}${e}0000${last}`
  return `0${system}${rest}${check}`
}

/**
 * The address of a table's code, made anew of its parts. Nothing of what was scanned is followed as it stands: another
 * host, another path, and anything that is no id lead nowhere.
 */
export function tableOf(text: string, origin: string): string | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  const venueId = /^\/filials\/(\d{1,16})\/?$/.exec(url.pathname)?.[1]
  if (url.origin !== origin || venueId === undefined) return null
  const parts = new URLSearchParams()
  for (const [name, shape] of PARTS) {
    const value = url.searchParams.get(name)
    if (value === null) continue
    if (!shape.test(value)) return null
    parts.set(name, value)
  }
  const query = parts.toString()
  return `/filials/${venueId}${query && `?${query}`}`
}

const ID = /^\d{1,16}$/
const PARTS = [
  ['filial_id', ID],
  // Of the venue's own making, such as t7.
  ['table_id', /^[\w-]{1,64}$/],
  ['main_terminal_id', ID],
  ['source', /^[A-Z]{2,16}$/],
] as const

export type Twice = {
  /** The reading if it counts. */
  pass: (read: Read | null) => Read | null
  /** The camera is back: what it has told before counts as seen just now. */
  resume: () => void
}

/** Lets a reading pass that came twice in a row, and not again as long as it is still in view. */
export function createTwice(now: () => number): Twice {
  let last = ''
  let reported = ''
  let seen = 0
  return {
    pass(read) {
      const name = read ? `${read.format} ${read.text}` : ''
      const twice = name !== '' && name === last
      last = name
      if (!read || !twice) return null
      const again = name === reported && now() - seen < QUIET
      seen = now()
      if (again) return null
      reported = name
      return read
    },
    resume() {
      last = ''
      seen = now()
    },
  }
}
