/**
 * Tabs of one browser have one cart. Each says which version of it the server has told; a tab with another one asks for its
 * page anew, at once while it is seen, else when it is.
 */

import type { CartStore } from './store.ts'

/** Quick taps are asked about once, milliseconds. */
const PAUSE = 150

/** What tells one state of a cart from another; of an empty one there is nothing to say. */
type Version = readonly [mark: number, version: number] | null

export function followTabs(cart: CartStore, revalidate: () => unknown): void {
  let channel: BroadcastChannel | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBehind = false
  let said = versionOf(cart)

  function open(): void {
    if (channel) return
    try {
      channel = new BroadcastChannel('cart')
    } catch {
      // A browser that lets a frame store nothing has none for it.
      return
    }
    channel.onmessage = ({ data }: MessageEvent<Version>) => {
      // An answer that is under way here brings what is newer.
      if (!isNews(data, versionOf(cart))) return
      isBehind = true
      catchUp()
    }
  }

  function catchUp(): void {
    if (!isBehind || document.hidden) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      isBehind = false
      void revalidate()
    }, PAUSE)
  }

  cart.subscribe(() => {
    const now = versionOf(cart)
    if (isSame(now, said)) return
    said = now
    channel?.postMessage(now)
  })
  document.addEventListener('visibilitychange', catchUp)
  // An open channel would end what the browser keeps of a page for Back. The page asks for itself when it is back.
  addEventListener('pagehide', () => {
    channel?.close()
    channel = undefined
  })
  addEventListener('pageshow', ({ persisted }) => persisted && open())
  open()
  // What was changed by a full load is known since then.
  channel?.postMessage(said)
}

function versionOf(store: CartStore): Version {
  const { cart } = store.snapshot()
  return cart && [cart.mark, cart.version]
}

const isSame = (one: Version, other: Version) => String(one) === String(other)

/** Whether a tab that shows `own` is behind one that shows `theirs`. Of two carts the server alone knows which it is. */
export function isNews(theirs: Version, own: Version): boolean {
  if (theirs && own && theirs[0] === own[0]) return theirs[1] > own[1]
  return !isSame(theirs, own)
}
