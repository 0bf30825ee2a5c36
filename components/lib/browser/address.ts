/** Addresses that a page writes past the router, because nothing has to be loaded for them. */

let written: string | null = null

/** Puts another address into the entry of the history; the entry stays the router's. */
export function replaceAddress(address: string): void {
  history.replaceState(history.state, '', address)
  written = location.pathname + location.search
}

/** The address of the window when the router does not know it. */
export function ownAddress(): string | null {
  return written !== null && written === location.pathname + location.search ? written : null
}
