/** Keeps an open page up to date: server-sent events, else polling. A hidden page asks nothing (HT-19). */

export type Watched<T> = {
  /** The address of the stream, asked for each time that it is opened. */
  address: () => string
  /** Reads an event; null for anything else. */
  read: (data: unknown) => T | null
  /** Asks for the state of now without the stream; null when it can't be had. */
  ask: () => Promise<T | null>
  /** Takes a state. True: that was the last one. */
  heard: (value: T) => boolean
  /** How soon a state is told to be another one by itself, in milliseconds. */
  due?: (value: T) => number
  /** For a long time nothing could be heard. */
  silent: () => void
}

const IDLE_TIMEOUT = 50_000
/** A line that is dead may never answer. */
const LATE = 20_000
const POLL_EVERY = 5000
const POLLS_BETWEEN = 12
/** Phones that wake together do not come back together. */
const WAKING = 1000
/** How long a page may take to leave. If it is still there, the link was a telephone number or was cancelled. */
const LEAVING = 10_000
const PRESSES = ['pointerdown', 'keydown']
/** A stream that a proxy holds back says nothing at all: the snapshot comes first, and is waited for this long. */
const FIRST_EVENT_TIMEOUT = 4000

const isHidden = () => document.visibilityState === 'hidden'

/** Follows until the last state or until the returned function is called. */
export function watchStream<T>(watched: Watched<T>): () => void {
  let stream: EventSource | null = null
  /** Polls to go before the stream gets another chance. */
  let polls = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  let over = false

  function heard(value: T) {
    const last = watched.heard(value)
    expectWord(watched.due?.(value))
    if (last) stop()
  }

  const ask = () => Promise.race([watched.ask(), new Promise<null>((late) => setTimeout(late, LATE, null))])

  /**
   * A stream may be open with nothing to say: ask once before what is shown is called old, and when it is due. One question
   * serves both.
   */
  function expectWord(due = Infinity, idle = IDLE_TIMEOUT) {
    clearTimeout(idleTimer)
    if (isHidden()) return
    // Polls come soon enough.
    const wait = stream ? Math.min(due, idle) : idle
    idleTimer = setTimeout(async () => {
      const mine = idleTimer
      const value = await ask()
      // It may have said something meanwhile.
      if (over || idleTimer !== mine) return
      if (value) return heard(value)
      // What is due is not old yet.
      if (wait < idle) return expectWord(Infinity, idle - wait)
      watched.silent()
      if (!stream) return
      closeStream()
      timer = setTimeout(open, POLL_EVERY + Math.random() * WAKING)
    }, wait)
  }

  function open() {
    if (over || stream || isHidden()) return
    if (polls > 0 || typeof EventSource === 'undefined') {
      polls -= 1
      void poll()
      return
    }
    stream = new EventSource(watched.address())
    stream.onmessage = (event) => {
      clearTimeout(timer)
      const value = watched.read(event.data)
      if (value) heard(value)
    }
    stream.onerror = giveUpStream
    clearTimeout(timer)
    timer = setTimeout(giveUpStream, FIRST_EVENT_TIMEOUT)
  }

  function giveUpStream() {
    closeStream()
    polls = POLLS_BETWEEN
    void poll()
  }

  async function poll() {
    clearTimeout(timer)
    const value = await ask()
    if (over || isHidden()) return
    if (value) heard(value)
    if (!over) timer = setTimeout(open, POLL_EVERY + Math.random() * WAKING)
  }

  function closeStream() {
    clearTimeout(timer)
    stream?.close()
    stream = null
  }

  // A sleeping phone kills the stream without a word, so it is closed on hidden and opened anew with a snapshot.
  function followVisibility() {
    closeStream()
    clearTimeout(idleTimer)
    if (!isHidden()) timer = setTimeout(resume, Math.random() * WAKING)
  }

  function resume() {
    expectWord()
    open()
  }

  /**
   * Firefox keeps no page in its memory that has a stream open when it begins to be left, and `beforeunload` is too
   * late: the finger on a link that leads out of the app is not.
   */
  function leave({ target }: Event) {
    const link = target instanceof Element ? target.closest('a') : null
    if (!link?.href || (link.origin === location.origin && !link.hreflang)) return
    closeStream()
    timer = setTimeout(resume, LEAVING)
  }

  function stop() {
    over = true
    closeStream()
    clearTimeout(idleTimer)
    document.removeEventListener('visibilitychange', followVisibility)
    removeEventListener('pageshow', comeBack)
    for (const type of PRESSES) removeEventListener(type, leave)
  }

  /** From the browser's memory of pages. The first show of a page is not. */
  function comeBack(event: PageTransitionEvent) {
    if (event.persisted) followVisibility()
  }

  document.addEventListener('visibilitychange', followVisibility)
  addEventListener('pageshow', comeBack)
  for (const type of PRESSES) addEventListener(type, leave)
  resume()
  return stop
}

/** The JSON of an event, if `is` takes it for one. */
export function readJson<T>(data: unknown, is: (value: unknown) => value is T): T | null {
  if (typeof data !== 'string') return null
  try {
    const value: unknown = JSON.parse(data)
    return is(value) ? value : null
  } catch {
    return null
  }
}
