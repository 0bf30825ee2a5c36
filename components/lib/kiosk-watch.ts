/**
 * Whether somebody is at the tablet (KS-02). Nobody for a while: it asks; no answer: the guest is forgotten; then it rests
 * until it is touched. The time of the last touch is kept, so that a page that was closed in between goes on counting.
 */

export type Phase =
  /** Somebody uses it. */
  | 'awake'
  /** Is anybody there? */
  | 'asking'
  /** The guest has gone, and the server has not forgotten them yet. */
  | 'leaving'
  /** Waits for the next guest. */
  | 'resting'

export type Watched = {
  phase: Phase
  /** Seconds until the guest is forgotten, while it asks. */
  left: number
}

type Options = {
  /** Milliseconds without a touch until it asks, on the page of the moment. */
  idle: () => number
  /** Milliseconds that it waits for an answer. */
  warning: number
  /** When it was last touched, as kept; undefined: it has been touched by nobody since it began. */
  touched: number | undefined
  /** Keeps when it was touched. */
  keep: (at: number) => void
  /** Forgets the guest and begins anew. False: it could not, and it is asked again later. */
  forget: () => Promise<boolean>
  now: () => number
}

/** Attempts to forget the guest are so many milliseconds apart. */
const AGAIN = 5000
/** Touches are written down no more often than this, milliseconds. */
const KEPT_EVERY = 1000

export type Watch = {
  snapshot: () => Watched
  subscribe: (listener: () => void) => () => void
  /** The tablet was touched. */
  touch: () => void
  /** The next guest is here. */
  wake: () => void
  /** The guest says to be done. */
  leave: () => void
  /** Looks at the clock: to be called every second, and when the page is seen again. */
  tick: () => void
}

export function createWatch({ idle, warning, touched, keep, forget, now }: Options): Watch {
  const listeners = new Set<() => void>()
  let last = touched ?? now()
  let kept = last
  let tried = 0
  let shown: Watched = { phase: begin(), left: 0 }

  function begin(): Phase {
    if (touched === undefined) return 'resting'
    // A clock that was set back tells nothing of how long nobody was here.
    const away = now() - touched
    return away < 0 || away >= idle() + warning ? 'leaving' : 'awake'
  }

  function show(phase: Phase, left = 0): void {
    if (phase === shown.phase && left === shown.left) return
    shown = { phase, left }
    for (const tell of listeners) tell()
  }

  function touch(): void {
    if (shown.phase !== 'awake' && shown.phase !== 'asking') return
    last = now()
    if (Math.abs(last - kept) >= KEPT_EVERY || shown.phase === 'asking') {
      kept = last
      keep(last)
    }
    show('awake')
  }

  function leave(): void {
    show('leaving')
    tried = now()
    // Where it works the document is left, and this with it.
    void forget()
  }

  function tick(): void {
    const at = now()
    if (shown.phase === 'resting') return
    if (shown.phase === 'leaving') {
      if (Math.abs(at - tried) >= AGAIN) leave()
      return
    }
    if (at < last) last = at
    const away = at - last
    if (away >= idle() + warning) leave()
    else if (away >= idle()) show('asking', Math.ceil((idle() + warning - away) / 1000))
  }

  return {
    snapshot: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    touch,
    wake() {
      last = now()
      kept = last
      keep(last)
      show('awake')
    },
    leave,
    tick,
  }
}
