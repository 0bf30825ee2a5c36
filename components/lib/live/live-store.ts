/** What has changed at a venue, and who wants to hear of it. */

import { createListeners } from '../browser/listeners.ts'
import type { LiveProduct, OpenState, Product } from '../page-data.ts'

export type LiveState = {
  /** The venue that is followed; 0: none. */
  venueId: number
  /** Null: as the page says. */
  open: OpenState | null
  bill: boolean | null
  products: ReadonlyMap<number, LiveProduct>
  /** The last thing that the guest should hear of: a text's key with the name in it. */
  news: { key: string; name: string } | null
}

export type LiveStore = {
  subscribe: (listener: () => void) => () => void
  state: () => LiveState
  set: (next: LiveState) => void
}

export const NOTHING: LiveState = { venueId: 0, open: null, bill: null, products: new Map(), news: null }
export function createLive(): LiveStore {
  const listeners = createListeners()
  let state = NOTHING
  return {
    subscribe: listeners.subscribe,
    state: () => state,
    set(next) {
      state = next
      listeners.tell()
    },
  }
}

/** What the venue no longer says of it holds no more. */
export function productNow<P extends Product>(product: P, now: LiveProduct): P {
  const { promo, percent, from, unpriced, out, limit, ...rest } = product
  return { ...rest, ...now } as P
}
