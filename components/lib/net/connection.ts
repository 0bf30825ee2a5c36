/** `fetch` that notes whether the network carries: one poor stretch is told once, however many requests fail in it. */

import { createListeners } from '../browser/listeners.ts'

/**
 * `slow`: our own limit of time ran out. The cause can't be known here, so the guest's network is not blamed.
 * `lost`: what was pressed needs a network, and none is reachable.
 */
export type Connection = 'fine' | 'poor' | 'slow' | 'lost' | 'offline'

/** First pause before the server is asked again, and the longest. */
const PAUSE = 2000
const LONGEST_PAUSE = 15_000
/** An answer that has not come by then may never come: the line that was asked over is dead. */
const LIMIT = 10_000
/** The same of a page or a change, which may take the server a while. */
const ANSWER_LIMIT = 15_000
/** Any small answer of the server that no cache gives. */
const PROBE = '/robots.txt'

const listeners = createListeners()
let state: Exclude<Connection, 'offline'> = 'fine'

export function note(now: typeof state): void {
  if (now === state || (state === 'lost' && now !== 'fine')) return
  state = now
  listeners.tell()
}

/** The guest has pressed something else: that the last one needs a network makes way for what becomes of this one. */
export function forgetLost(): void {
  if (state !== 'lost') return
  state = 'poor'
  listeners.tell()
}

/** Fetches. A request that was given up says nothing of the network. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init)
    note('fine')
    return response
  } catch (error) {
    if (!init.signal?.aborted) note('poor')
    throw error
  }
}

/** What was asked for has not come in time. As with a lost network, it may be asked for again. */
export class Late extends TypeError {}

/** Gives `ask` up after a while, counted anew by `restart`, and then fails with `Late`. `given` is the guest's own stop. */
export async function within<T>(
  ask: (signal: AbortSignal, restart: () => void) => Promise<T>,
  given?: AbortSignal,
): Promise<T> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  let timer = setTimeout(abort, ANSWER_LIMIT)
  given?.addEventListener('abort', abort)
  if (given?.aborted) abort()
  try {
    return await ask(stop.signal, () => {
      clearTimeout(timer)
      timer = setTimeout(abort, ANSWER_LIMIT)
    })
  } catch (error) {
    throw stop.signal.aborted && !given?.aborted ? new Late() : error
  } finally {
    clearTimeout(timer)
    given?.removeEventListener('abort', abort)
  }
}

export function connection(): Connection {
  return navigator.onLine || state === 'lost' ? state : 'offline'
}

export const isPoor = () => connection() !== 'fine'

/** Whether the server answers now: rejects if it does not. */
export const probe = () => reach(PROBE, { cache: 'no-store', signal: timeoutSignal(LIMIT) })

/** Resolves when the server answers again: true if it does at once. `away` is told as long as it does not. */
export async function answering(away?: () => void): Promise<boolean> {
  for (let pause = PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    away?.()
    await rest(pause)
    try {
      await probe()
      return pause === PAUSE
    } catch {
      // Not yet.
    }
  }
}

/** Ends what takes longer; `AbortSignal.timeout` is newer than some browsers. */
export function timeoutSignal(ms: number): AbortSignal {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), ms)
  return stop.signal
}

/** Waits, or less when the device says that it is online again or `signal` aborts. */
export function rest(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    function done() {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    signal?.addEventListener('abort', done)
  })
}

export function watchConnection(listener: () => void): () => void {
  function online() {
    state = 'fine'
    listener()
  }
  const unsubscribe = listeners.subscribe(listener)
  addEventListener('online', online)
  addEventListener('offline', listener)
  return () => {
    unsubscribe()
    removeEventListener('online', online)
    removeEventListener('offline', listener)
  }
}
