/** Which errors are faults of the app (not network failures or aborts), and what is reported (HT-11, AN-06). */

export type Fault = {
  kind: 'error' | 'rejection' | 'hydration' | 'start' | 'reload'
  name: string
  message: string
  /** File of ours, line and column, where they can be told. */
  place: string
}

/** What was thrown and not caught. */
export type Thrown = { kind: 'error' | 'rejection' | 'hydration'; error: unknown }

/** What browsers call a request that did not come through, in whichever words. */
const NETWORK =
  /failed to fetch|load failed|networkerror|network request failed|dynamically imported module|importing a module script|connection was lost|cancelled/i

/** A script of ours in a stack. */
const PLACE = /\/assets\/([\w.-]+\.js:\d+:\d+)/

/** Null for what is no fault of the app. */
export function faultOf(kind: Fault['kind'], error: unknown): Fault | null {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  const message = error instanceof Error || error instanceof DOMException ? error.message : String(error)
  if (name === 'AbortError' || name === 'TimeoutError' || NETWORK.test(message)) return null
  // A script of another origin: it says nothing, and none is ours.
  if (message === 'Script error.') return null
  // What a browser says when sizes settle a frame later: nothing was thrown.
  if (message.startsWith('ResizeObserver loop')) return null
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return { kind, name, message: message.slice(0, 300), place: PLACE.exec(stack)?.[1] ?? '' }
}
