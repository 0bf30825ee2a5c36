/** `fetch` that notes whether the network carries: one poor stretch is told once, however many requests fail in it. */

const listeners = new Set<() => void>()
let lost = false

function note(now: boolean) {
  if (now === lost) return
  lost = now
  for (const tell of listeners) tell()
}

/** Fetches. A request that was given up on purpose says nothing of the network; a post is given up only by its limit. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init)
    note(false)
    return response
  } catch (error) {
    if (init.method || !init.signal?.aborted) note(true)
    throw error
  }
}

export const isPoor = () => lost || !navigator.onLine

export function watchConnection(listener: () => void): () => void {
  function online() {
    lost = false
    listener()
  }
  listeners.add(listener)
  addEventListener('online', online)
  addEventListener('offline', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('online', online)
    removeEventListener('offline', listener)
  }
}
