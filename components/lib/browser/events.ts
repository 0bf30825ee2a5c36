/**
 * What guests do, for whoever counts it. Nothing leaves the browser by itself: the channel of the analytics listens
 * here, and gets what happened before it came. No texts of guests among the details.
 */

import type { Service } from '../page-data.ts'

export type GuestEvent =
  /** A session of the analytics began (AN-01). */
  | { name: 'appOpened' }
  /** The guest is at another venue than before. */
  | { name: 'venueSelected'; venue: number }
  | { name: 'menuOpened'; venue: number }
  | { name: 'basketOpened' }
  | { name: 'searchConfirmed'; via: 'submit' | 'history' | 'suggestion' }
  /** Whoever listens learns both (SV-06). */
  | { name: 'serviceChanged'; from: Service; to: Service }

type Listener = (event: GuestEvent) => void

/** So many wait for a channel; older ones are dropped. */
const MOST = 50

const waiting: GuestEvent[] = []
const listeners = new Set<Listener>()

export function track(event: GuestEvent): void {
  const { name, ...detail } = event
  // Also a mark on the browser's own timeline, for its tools and our tests. Old browsers know marks without details.
  globalThis.performance?.mark?.(name, { detail })
  if (listeners.size === 0) {
    waiting.push(event)
    waiting.splice(0, waiting.length - MOST)
  }
  for (const listener of listeners) listener(event)
}

/** Hears all events from now on and those that nobody has heard. Returns how to stop. */
export function onTrack(listener: Listener): () => void {
  listeners.add(listener)
  for (const event of waiting.splice(0)) listener(event)
  return () => listeners.delete(listener)
}
