/**
 * What has changed at a venue since its page was made, as the rows and lines show it (beyond.md, 9). It is empty on the
 * server and during hydration; what fills it comes in a script of its own (`live-menu.ts`).
 */

import { createContext, useContext, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { OpenState, Product, Venue } from '../page-data.ts'
import { createLive, type LiveState, type LiveStore, NOTHING, productNow } from './live-store.ts'

/** After hydration, so that it delays nothing. */
const SOON = 1500

/** The context's own value serves each page load: only effects write into it, so never the server. */
const LiveContext = createContext(createLive())

/** One part of it. Only what it changes is drawn anew. */
export function useLive<T>(read: (live: LiveState) => T): T {
  const live = useContext(LiveContext)
  return useSyncExternalStore(
    live.subscribe,
    () => read(live.state()),
    () => read(NOTHING),
  )
}

/** A product with its price and stock of now. */
export function useLiveProduct<P extends Product | undefined>(product: P, venueId: number): P {
  const now = useLive((live) =>
    product && live.venueId === venueId ? live.products.get(product.id) : undefined,
  )
  return product && now ? productNow(product, now) : product
}

/** Whether the venue takes orders now. */
export function useLiveOpen({ id, open }: Pick<Venue, 'id' | 'open'>): OpenState {
  return useLive((live) => (live.venueId === id ? live.open : null)) ?? open
}

/** The same for each of many rows: they are drawn anew when it opens or closes, not when its hours are told. */
export function useLiveIsOpen({ id, open }: Pick<Venue, 'id' | 'open'>): boolean {
  return useLive((live) => ((live.venueId === id && live.open) || open).open)
}

/** Follows a venue by `begin` for as long as `key` stays the same; null follows nothing. */
export function useFollowing(
  key: string | null,
  begin: (script: typeof import('./live-menu.ts'), live: LiveStore) => () => void,
): void {
  const live = useContext(LiveContext)
  const start = useEffectEvent(begin)
  // The stream is outside of React, and its script comes when the page has nothing else to do.
  useEffect(() => {
    if (key === null) return
    let stop: (() => void) | null | undefined
    const timer = setTimeout(() => {
      import('./live-menu.ts')
        .then((script) => {
          if (stop === undefined) stop = start(script, live)
        })
        // Without it the page stays as it is: what has changed is told at the order.
        .catch(() => {})
    }, SOON)
    return () => {
      clearTimeout(timer)
      stop?.()
      stop = null
    }
  }, [key, live])
}
