/**
 * Whether a guest is at the tablet (KS-02). After a while without a touch it asks; without an answer it forgets the guest,
 * and rests until it is touched. The time of the last touch is kept, so that a page that was closed in between goes on counting.
 */

import { createListeners } from '../../lib/browser/listeners.ts'

type Phase =
  /** It is used. */
  | 'awake'
  /** Is the guest still there? */
  | 'asking'
  /** The guest has gone, and the server has not forgotten them yet. */
  | 'leaving'
  /** Waits for the next guest. */
  | 'resting'

type Watched = {
  phase: Phase
  /** Seconds until the guest is forgotten: while it asks, and before that where it is told. */
  left: number
}

type Options = {
  /** Milliseconds without a touch until it asks, on the page of the moment. */
  idle: () => number
  /** Milliseconds that it waits for an answer. */
  warning: number
  /** Whether the page of the moment tells all the time how long it stands. */
  tells: () => boolean
  /** When it was last touched, as stored, perhaps by another page; undefined: not since it began. */
  touched: () => number | undefined
  /** Keeps when it was touched. */
  keep: (at: number) => void
  /** Forgets the guest and begins anew. False: it could not, and it is asked again later. */
  forget: () => Promise<boolean>
  now: () => number
}

/** Pause between attempts to forget the guest, milliseconds. */
const AGAIN = 5000
/** How long the document for the next guest may take, milliseconds. */
const COMING = 30_000
/** Touches are written down no more often than this, milliseconds. */
const SAVE_EVERY = 1000

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

export function createWatch({ idle, warning, tells, touched, keep, forget, now }: Options): Watch {
  const listeners = createListeners()
  const began = touched()
  let last = began ?? now()
  let saved = last
  let span = idle()
  let busy = false
  let again = 0
  let shown: Watched = { phase: begin(), left: 0 }

  function begin(): Phase {
    if (began === undefined) return 'resting'
    // A clock that was set back can't tell how long the tablet was not touched.
    const away = now() - began
    return away < 0 || away >= idle() + warning ? 'leaving' : 'awake'
  }

  function show(phase: Phase, left = 0): void {
    if (phase === shown.phase && left === shown.left) return
    shown = { phase, left }
    listeners.tell()
  }

  function stay(at: number): void {
    show('awake', tells() ? Math.ceil((span + warning - (at - last)) / 1000) : 0)
  }

  function touch(): void {
    if (shown.phase !== 'awake' && shown.phase !== 'asking') return
    last = now()
    if (Math.abs(last - saved) >= SAVE_EVERY || shown.phase === 'asking') {
      saved = last
      keep(last)
    }
    stay(last)
  }

  async function leave(): Promise<void> {
    show('leaving')
    if (busy) return
    busy = true
    // Where it works the document is left, and this with it.
    const done = await forget()
    busy = false
    again = now() + (done ? COMING : AGAIN)
  }

  /** When another page was touched; a time that is not yet was written before the clock was set back. */
  function elsewhere(at: number): number {
    const there = touched()
    return there !== undefined && there <= at ? there : 0
  }

  function tick(): void {
    const at = now()
    if (shown.phase === 'resting') return
    if (shown.phase === 'leaving') {
      if (at >= again) void leave()
      return
    }
    // A page that asks sooner begins to count when it comes: what it tells has to be seen first.
    const wanted = idle()
    if (at < last || wanted < span) last = at
    span = wanted
    if (at - last >= span) last = Math.max(last, elsewhere(at))
    const away = at - last
    if (away >= span + warning) void leave()
    else if (away >= span) show('asking', Math.ceil((span + warning - away) / 1000))
    else stay(at)
  }

  return {
    snapshot: () => shown,
    subscribe: listeners.subscribe,
    touch,
    wake() {
      last = now()
      saved = last
      keep(last)
      stay(last)
    },
    leave: () => void leave(),
    tick,
  }
}
