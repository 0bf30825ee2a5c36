/**
 * Addresses of the window. In front of each can stand what the document says: `/kiosk` on a tablet (KS-01), `/~name` in a
 * frame whose browser keeps no cookies. The app knows nothing of it: it is taken off where an address comes in, and
 * written where one goes out.
 */

const prefix = () => document.documentElement.dataset.prefix ?? ''

/** An address as the app knows it. */
export const plain = (address: string): string =>
  address.startsWith(`${prefix()}/`) ? address.slice(prefix().length) : address

/** An address of the app as the window has it. */
export const outward = (address: string): string => prefix() + plain(address)

/** Path and query of the window. */
export const here = (): string => plain(location.pathname + location.search)

let written: string | null = null

/**
 * Puts another address into the entry of the history, past the router, because nothing has to be loaded for it; the entry
 * stays the router's.
 */
export function replaceAddress(address: string): void {
  history.replaceState(history.state, '', outward(address))
  written = here()
}

/** The address of the window when the router does not know it. */
export function ownAddress(): string | null {
  return written !== null && written === here() ? written : null
}
