/**
 * The modal sheets that are open, the last one on top. Whatever must be seen and heard above a sheet has to stand
 * inside of it: everything else is inert and under it (UI-15).
 */

import { useSyncExternalStore } from 'react'

const open: HTMLElement[] = []
const listeners = new Set<() => void>()

/** Puts a sheet on top until the answer is called. */
export function raise(sheet: HTMLElement): () => void {
  open.push(sheet)
  tell()
  return () => {
    open.splice(open.indexOf(sheet), 1)
    tell()
  }
}

/** The sheet on top; null when there is none, and on the server. */
export function useTopSheet(): HTMLElement | null {
  return useSyncExternalStore(
    subscribe,
    () => open.at(-1) ?? null,
    () => null,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}
