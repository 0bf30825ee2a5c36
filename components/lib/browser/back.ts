/** The header's way back (RT-17, RT-18). The browser's own button is the browser's. */

/** A step back that has led nowhere by then leads to the root. */
const TIMEOUT = 500

let fromPayment = false

/** The document was opened from a payment page: one step back would pay again. */
export function noteArrival(arrivedFromPayment: boolean): void {
  fromPayment = arrivedFromPayment
}

export type Ways = {
  /** The front. */
  root: () => void
  /** The page above, in the place of this one. */
  up: () => void
}

/** Steps back where the app has a page to step back to, else up. */
export function goBack({ root, up }: Ways): void {
  if (fromPayment) root()
  else if (hasHistory()) stepBack(root)
  else up()
}

/** The router numbers the entries that it made. What is before them is another site's, or nothing. */
function hasHistory(): boolean {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'idx' in state && Number(state.idx) > 0
}

/**
 * One step back in the history. Some webviews swallow it. Whether it has led anywhere is told by the browser, not by the
 * address alone: two entries may have the same one, and a step may change no more than its hash.
 */
function stepBack(root: () => void): void {
  const before = location.href
  const stop = new AbortController()
  const timer = setTimeout(() => {
    stop.abort()
    if (location.href === before) root()
  }, TIMEOUT)
  function moved(): void {
    clearTimeout(timer)
    stop.abort()
  }
  addEventListener('popstate', moved, { signal: stop.signal })
  // A page that comes back to life would go on counting.
  addEventListener('pagehide', moved, { signal: stop.signal })
  window.history.back()
}
