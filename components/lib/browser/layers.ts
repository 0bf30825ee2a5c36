/**
 * The modal sheets that are open, the last one on top. Whatever must be seen and heard above a sheet has to stand
 * inside of it: everything else is inert and under it (UI-15).
 */

import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

const open: HTMLElement[] = []
const listeners = createListeners()

/** Puts a sheet on top until the answer is called. */
export function raise(sheet: HTMLElement): () => void {
  open.push(sheet)
  listeners.tell()
  return () => {
    open.splice(open.indexOf(sheet), 1)
    listeners.tell()
  }
}

/** The sheet on top; null when there is none, and on the server. */
export function useTopSheet(): HTMLElement | null {
  return useSyncExternalStore(
    listeners.subscribe,
    () => open.at(-1) ?? null,
    () => null,
  )
}
