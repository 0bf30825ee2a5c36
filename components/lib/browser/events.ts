/**
 * What guests do, for analytics. Nothing leaves the browser by itself: the channel of the analytics listens here, and gets
 * what happened before it came. No texts of guests among the details.
 */

import type { Service } from '../page-data.ts'
import { createListeners } from './listeners.ts'

export type GuestEvent =
  /** A session of the analytics began (AN-01). */
  | { name: 'appOpened' }
  /** The guest is at another venue than before. */
  | { name: 'venueSelected'; venue: number }
  | { name: 'menuOpened'; venue: number }
  | { name: 'basketOpened' }
  | { name: 'searchConfirmed'; via: 'submit' | 'history' | 'suggestion' }
  /** With both services (SV-06). */
  | { name: 'serviceChanged'; from: Service; to: Service }

/** How many events wait for a channel; older ones are dropped. */
const MOST = 50

const waiting: GuestEvent[] = []
const listeners = createListeners<[event: GuestEvent]>()
let isHeard = false

export function track(event: GuestEvent): void {
  const { name, ...detail } = event
  // Also a mark on the browser's own timeline, for its tools and our tests. Old browsers know marks without details.
  globalThis.performance?.mark?.(name, { detail })
  if (!isHeard) {
    waiting.push(event)
    waiting.splice(0, waiting.length - MOST)
  }
  listeners.tell(event)
}

/** The listener gets the events that waited and all later ones. Returns how to stop. */
export function onTrack(listener: (event: GuestEvent) => void): () => void {
  isHeard = true
  for (const event of waiting.splice(0)) listener(event)
  return listeners.subscribe(listener)
}
