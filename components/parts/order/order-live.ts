/** The open order page keeps itself up to date: server-sent events, else polling. */

import { useEffect, useState } from 'react'
import { readJson, watchStream } from '../../lib/live/stream.ts'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import type { OrderPage } from '../../lib/page-data.ts'

export type LiveOrder = {
  order: OrderPage
  /** Nothing was heard for 60 s: say that the status may be old. */
  stale: boolean
}

/** So long after a time that was told to come the order is asked for, milliseconds. */
const PASSED = 1000

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
        read: (next) => setLive(withReading(id, next)),
        silent: () => setLive((now) => ({ ...now, stale: true })),
      },
      id,
    )
  }, [id, events, final])
  return live.order.id === id
    ? { order: laterOf(live.order, first), stale: live.stale }
    : { order: first, stale: false }
}

/** What is known of an order after another reading of it. */
const withReading =
  (id: string, next: OrderPage) =>
  (now: LiveOrder): LiveOrder => ({
    order: now.order.id === id ? laterOf(now.order, next) : next,
    stale: false,
  })

/**
 * How long the times that are told to lie ahead do so. One that has come is told no more as one to come, though nothing of the
 * order has changed.
 */
function timeLeft({ readAt, nextAt, nextUntil, readyAt, dueAt, delivery }: OrderPage): number {
  const times = [nextAt, nextUntil, readyAt, dueAt, delivery?.promise?.until ?? null]
  const ahead = times.filter((at): at is number => at !== null && at > readAt)
  return Math.min(...ahead) - readAt + PASSED
}

/** The one that is further; of two with the same rank the one that was read later. */
export function laterOf(now: OrderPage, next: OrderPage): OrderPage {
  if (next.rank !== now.rank) return next.rank > now.rank ? next : now
  return next.readAt >= now.readAt ? next : now
}

type Listener = { read: (order: OrderPage) => void; silent: () => void }

/** Follows one order until it is final or the returned function is called. */
export function watchOrder(events: string, { read, silent }: Listener, id: string): () => void {
  return watchStream<OrderPage>({
    address: () => events,
    read: (data) => {
      const order = readJson(data, isOrder)
      return order?.id === id ? order : null
    },
    ask: () => ask(id),
    heard(order) {
      read(order)
      return order.final
    },
    due: timeLeft,
    silent,
  })
}

/** The order as the page's own data tells it now, or null. */
async function ask(id: string): Promise<OrderPage | null> {
  const answer = await fetchPage(location.pathname + location.search).catch(() => null)
  if (answer?.kind !== 'page') return null
  const { data } = answer.data.page
  return isOrder(data) && data.id === id ? data : null
}

function isOrder(value: unknown): value is OrderPage {
  return typeof value === 'object' && value !== null && 'rank' in value && 'readAt' in value && 'id' in value
}
