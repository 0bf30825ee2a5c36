/** Full loads that stand in for a navigation in the browser. */

import { outward } from '../browser/address.ts'
import { readStored, writeStored } from '../browser/storage.ts'

/** Targets that this page load has reloaded for already: the guard where storage is blocked. */
const tried = new Set<string>()

/**
 * Loads `target` from the server because a part of its code did not come (RT-12). Once per target and session:
 * false means that it was tried before.
 */
export function reloadOnce(target: string): boolean {
  const stored = readStored('reloaded')
  const before = Array.isArray(stored) ? stored : []
  if (tried.has(target) || before.includes(target)) return false
  tried.add(target)
  writeStored('reloaded', [...before.slice(-20), target])
  load(target)
  return true
}

/** Leaves the page for `target`, of the app or of another site; an address that is open already is loaded anew. */
export function load(target: string): void {
  const to = target[0] === '/' ? outward(target) : target
  if (to === location.pathname + location.search + location.hash) location.reload()
  else location.assign(to)
}
