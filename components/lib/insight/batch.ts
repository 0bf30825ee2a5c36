/** Gathers what is told, and sends it together: a while after the first of it, or when the page hides (AN-02, AN-05). */

/** Milliseconds from the first that waits until all are sent. */
export const PAUSE = 10_000
/** How many wait at most; the oldest are dropped. */
const MOST = 50

export type Vital = { name: string; value: number }
export type Batch = {
  session: string
  events: ({ name: string; ago: number } & Record<string, unknown>)[]
  faults: object[]
  vitals: Vital[]
  /** The answer shall tell what the server has seen. */
  ask?: true
}

type Options = {
  now: () => number
  /** The session as it is when something is sent. */
  session: () => string
  send: (batch: Batch) => void
}

export function createBatch({ now, session, send }: Options) {
  const events: { at: number; event: { name: string } }[] = []
  const faults: object[] = []
  const vitals: Vital[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let asks = false

  function begin() {
    timer ??= setTimeout(() => flush(asks), PAUSE)
  }
  function add<T>(list: T[], item: T) {
    list.push(item)
    list.splice(0, list.length - MOST)
    begin()
  }
  function flush(ask = false) {
    clearTimeout(timer)
    timer = undefined
    if (ask) asks = false
    if (!ask && events.length + faults.length + vitals.length === 0) return
    const at = now()
    send({
      session: session(),
      events: events.splice(0).map((one) => ({ ...one.event, ago: Math.max(0, at - one.at) })),
      faults: faults.splice(0),
      vitals: vitals.splice(0),
      ...(ask ? { ask } : {}),
    })
  }
  return {
    event: (event: { name: string }) => add(events, { at: now(), event }),
    fault: (fault: object) => add(faults, fault),
    vital: (vital: Vital) => add(vitals, vital),
    /** What is sent next asks what the server has seen; so does nothing that is sent while the page goes away. */
    ask() {
      asks = true
      begin()
    },
    flush: () => flush(),
  }
}
