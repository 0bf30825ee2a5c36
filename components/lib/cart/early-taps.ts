/** Takes over from the inline script: what was tapped before hydration goes through the queue once. */

import { dropStored, writeRaw } from '../browser/storage.ts'
import type { CartStore, QueuedChange } from './store.ts'

declare global {
  interface Window {
    /** The taps that the inline script has taken. Without it the script is silent. Missing when it was blocked. */
    _early?: QueuedChange[] | undefined
  }
}

/** Sends them, and answers them. */
export function replayEarlyTaps(cart: CartStore): readonly QueuedChange[] {
  // Emptied, so that the script's own timer finds nothing to post.
  const taps = window._early?.splice(0) ?? []
  window._early = undefined
  dropStored('early')
  // No form waits for these: what is refused of them is told by the news.
  for (const { action, body } of taps) void cart.send(action, new URLSearchParams(body))
  clearBusy()
  return taps
}

/** What the script marked is not what the server rendered: gone before hydration compares, and once more after it. */
export function clearBusy(): void {
  for (const form of document.querySelectorAll('form[data-early][aria-busy]')) {
    form.removeAttribute('aria-busy')
  }
}

/**
 * A page that is closed with changes unanswered leaves them to the next one; the server takes each id once. Kept at each
 * change: a webview dies without a word, and Firefox forgets what is written while a page hides that may not be stored.
 */
export function keepUnanswered(cart: CartStore): void {
  const keep = () => {
    // Those that the inline script has kept are not in the cart's queue yet.
    if (window._early) return
    const changes = cart.unanswered()
    if (changes.length > 0) writeRaw('early', JSON.stringify(changes))
    else dropStored('early')
  }
  cart.subscribe(keep)
  addEventListener('visibilitychange', keep)
  addEventListener('pagehide', keep)
  // The page came back to life with its queue: so this document sends it.
  addEventListener('pageshow', (event) => {
    if (event.persisted) dropStored('early')
  })
}
