/** The channel for what only the browser knows (SE-05): to our own server, which counts. */

import { actions } from '../../paths.ts'
import { type GuestEvent, onTrack } from './events.ts'

export function tellServer(): void {
  onTrack((event) => {
    // The server has seen it itself.
    if (event.name !== 'serviceChanged') send(event)
  })
}

function send(event: Exclude<GuestEvent, { name: 'serviceChanged' }>): void {
  // It outlives the page, and its loss is no matter.
  navigator.sendBeacon?.(actions.events(), new URLSearchParams(event))
}
