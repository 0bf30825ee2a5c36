/**
 * Addresses of the window. On a tablet `/kiosk` stands in front of each (KS-01), of which the app knows nothing: it is taken
 * off where an address comes in, and written where one goes out.
 */

/** An address as the app knows it. */
export const plain = (address: string): string => address.replace(/^\/kiosk(?=\/)/, '')

/** An address of the app as the window has it. */
export const outward = (address: string): string =>
  ('kiosk' in document.documentElement.dataset ? '/kiosk' : '') + plain(address)

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
