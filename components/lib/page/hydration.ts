/** Parts of a page that are hydrated by themselves, and whether all of them are. */

import { createListeners } from '../browser/listeners.ts'

const { subscribe, tell } = createListeners()
let pending = 0

/** A part adds one when it is mounted, and takes it back when its content is hydrated. Returns how to undo it. */
export function addPending(by: 1 | -1): () => void {
  pending += by
  if (pending === 0) tell()
  return () => void addPending(by === 1 ? -1 : 1)
}

/** Whether all of the page is hydrated. */
export const isHydrated = () => pending === 0

/** Tells when it is. */
export const onHydrated = subscribe
