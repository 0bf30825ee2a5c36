/** Page data ahead of time: what a link will need is asked for when the guest reaches for it. */

import { takePosition } from '../browser/known-position.ts'
import { fetchPage, type PageAnswer } from './fetch-page.ts'

const FRESH = 5000
const MOST = 8

/** Another epoch means that something changed since: what was fetched before may be wrong. */
type Prefetched = { at: number; epoch: number; answer: Promise<PageAnswer>; stop: AbortController }

export type PageSource = {
  /** The data of `url`, asked for now or a moment ago. `epoch` is the cart's when it was asked for. */
  get: (url: string, signal: AbortSignal) => { answer: Promise<PageAnswer>; epoch: number }
  /** Asks for the data of `url`, to be there when it is opened. */
  prefetch: (url: string) => void
  /** Asks for the data of `url`; whether they arrive within that many milliseconds. */
  soon: (url: string, ms: number) => Promise<boolean>
}

export function createPageSource(epoch: () => number): PageSource {
  const prefetched = new Map<string, Prefetched>()
  function prefetch(url: string): Prefetched {
    const ready = prefetched.get(url)
    if (ready && Date.now() - ready.at < FRESH && ready.epoch === epoch()) return ready
    for (const old of [...prefetched.keys()].slice(0, Math.max(0, prefetched.size - MOST + 1)))
      prefetched.delete(old)
    const stop = new AbortController()
    const answer = fetchPage(url, { prefetch: true, signal: stop.signal })
    // Opening the link tells of the failure; a prefetch does not.
    answer.catch(() => prefetched.delete(url))
    const request = { at: Date.now(), epoch: epoch(), answer, stop }
    prefetched.set(url, request)
    return request
  }

  return {
    get(url, signal) {
      const position = takePosition()
      const ready = prefetched.get(url)
      prefetched.delete(url)
      if (ready && Date.now() - ready.at < FRESH && ready.epoch === epoch()) {
        // The guest has gone on to something newer: this one is given up without a word.
        signal.addEventListener('abort', () => ready.stop.abort())
        return ready
      }
      const near = isTableLink(url) ? position : undefined
      return { answer: fetchPage(url, { signal, ...(near ? { near } : {}) }), epoch: epoch() }
    },
    prefetch,
    soon(url, ms) {
      const late = new Promise<boolean>((resolve) => setTimeout(resolve, ms, false))
      return Promise.race([
        late,
        prefetch(url).answer.then(
          () => true,
          () => false,
        ),
      ])
    },
  }
}

/** The branch is checked with where the guest is, when that is known (RT-10). No other page is about it. */
function isTableLink(url: string): boolean {
  const [, query] = url.split('?')
  return new URLSearchParams(query).has('table_id')
}
