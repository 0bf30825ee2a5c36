/** The open order page keeps itself up to date: server-sent events, else polling. */

import { useEffect, useState } from 'react'
import { fetchPage } from './fetch-page.ts'
import type { OrderPage } from './page-data.ts'

export type LiveOrder = {
  order: OrderPage
  /** Nothing was heard for 60 s: say that the status may be old. */
  stale: boolean
}

const SILENCE = 50_000
const POLL_EVERY = 5000
const POLLS_BETWEEN = 12
/** Phones that wake together do not come back together. */
const WAKING = 1000
/** A stream that a proxy holds back says nothing at all: the snapshot comes first, so silence tells. */
const FIRST_WORD = 4000

/** The newest reading of the order. Progress never runs backwards (OR-03). */
export function useLiveOrder(first: OrderPage): LiveOrder {
  const [live, setLive] = useState<LiveOrder>({ order: first, stale: false })
  const { id, events, final } = first

  // The stream, the timers and the state of visibility are outside of React.
  useEffect(() => {
    if (final) return
    return watchOrder(
      events,
      {
        read: (next) =>
          setLive((now) => ({ order: now.order.id === id ? laterOf(now.order, next) : next, stale: false })),
        silent: () => setLive((now) => ({ ...now, stale: true })),
      },
      id,
    )
  }, [id, events, final])
  return live.order.id === first.id
    ? { order: laterOf(live.order, first), stale: live.stale }
    : { order: first, stale: false }
}

/** The one that is further; of two with the same rank the one that was read later. */
export function laterOf(now: OrderPage, next: OrderPage): OrderPage {
  if (next.rank !== now.rank) return next.rank > now.rank ? next : now
  return next.readAt >= now.readAt ? next : now
}

type Listener = { read: (order: OrderPage) => void; silent: () => void }

const isHidden = () => document.visibilityState === 'hidden'

/** Follows one order until it is final or the returned function is called. */
export function watchOrder(events: string, listener: Listener, id: string): () => void {
  let stream: EventSource | null = null
  /** Polls to go before the stream gets another chance. */
  let polls = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let over = false

  function heard(order: OrderPage) {
    listener.read(order)
    expectWord()
    if (order.final) stop()
  }

  /** A stream may be alive with nothing to say: ask once before the status is called old. */
  function expectWord() {
    clearTimeout(silence)
    if (isHidden()) return
    silence = setTimeout(async () => {
      const order = await ask(id)
      if (over) return
      if (order) heard(order)
      else listener.silent()
    }, SILENCE)
  }

  function open() {
    if (over || stream || isHidden()) return
    if (polls > 0 || typeof EventSource === 'undefined') {
      polls -= 1
      void poll()
      return
    }
    stream = new EventSource(events)
    stream.onmessage = (event) => {
      clearTimeout(timer)
      const order = readOrder(event.data, id)
      if (order) heard(order)
    }
    stream.onerror = giveUpStream
    clearTimeout(timer)
    timer = setTimeout(giveUpStream, FIRST_WORD)
  }

  function giveUpStream() {
    closeStream()
    polls = POLLS_BETWEEN
    void poll()
  }

  async function poll() {
    clearTimeout(timer)
    const order = await ask(id)
    if (over || isHidden()) return
    if (order) heard(order)
    if (!over) timer = setTimeout(open, POLL_EVERY + Math.random() * WAKING)
  }

  function closeStream() {
    clearTimeout(timer)
    stream?.close()
    stream = null
  }

  // A sleeping phone kills the stream without a word, so it is closed on hidden and opened anew with a snapshot.
  // Nothing is asked while nobody looks.
  function followVisibility() {
    closeStream()
    clearTimeout(silence)
    if (!isHidden()) timer = setTimeout(resume, Math.random() * WAKING)
  }

  function resume() {
    expectWord()
    open()
  }

  function stop() {
    over = true
    closeStream()
    clearTimeout(silence)
    document.removeEventListener('visibilitychange', followVisibility)
    removeEventListener('pageshow', comeBack)
  }

  /** From the browser's memory of pages. The first show of a page is none. */
  function comeBack(event: PageTransitionEvent) {
    if (event.persisted) followVisibility()
  }

  document.addEventListener('visibilitychange', followVisibility)
  addEventListener('pageshow', comeBack)
  resume()
  return stop
}

/** The order as the page's own data tells it now, or null. */
async function ask(id: string): Promise<OrderPage | null> {
  const answer = await fetchPage(location.pathname + location.search).catch(() => null)
  if (answer?.kind !== 'page' || answer.data.page.route !== 'order') return null
  return answer.data.page.data.id === id ? answer.data.page.data : null
}

function readOrder(text: unknown, id: string): OrderPage | null {
  if (typeof text !== 'string') return null
  try {
    const value: unknown = JSON.parse(text)
    return isOrder(value) && value.id === id ? value : null
  } catch {
    return null
  }
}

function isOrder(value: unknown): value is OrderPage {
  return typeof value === 'object' && value !== null && 'rank' in value && 'readAt' in value && 'id' in value
}
