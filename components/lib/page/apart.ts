/** Parts of a page that are hydrated by themselves, and whether all of them are. */

import { createListeners } from '../browser/listeners.ts'

const { subscribe, tell } = createListeners()
let waiting = 0

/** A part adds one as its place is there, and takes it back as what is in it is hydrated. Undone by the answer. */
export function count(by: 1 | -1): () => void {
  waiting += by
  if (waiting === 0) tell()
  return () => void count(by === 1 ? -1 : 1)
}

/** Whether all of the page is hydrated. */
export const isWhole = () => waiting === 0

/** Tells when it is. */
export const onWhole = subscribe
