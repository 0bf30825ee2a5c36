/**
 * The app on a tablet of a venue (UI-13, KS-02): it rests without a guest, and forgets each guest before the next.
 * A tree of its own over the app's, so that phones fetch nothing of it.
 */

import { here } from '../../lib/browser/address.ts'
import { keepPrefix } from '../../lib/browser/keep-prefix.ts'
import { clearStored, readStored, writeStored } from '../../lib/browser/storage.ts'
import { reach, timeoutSignal } from '../../lib/net/connection.ts'
import type { PageData } from '../../lib/page-data.ts'
import { actions, paths } from '../../paths.ts'
import type { KioskProps, RestingDish } from './overlay.tsx'
import { createWatch, type Watch } from './watch.ts'

/** How long the number of a new order is shown before the tablet asks, milliseconds (screens.md, 2.17). */
const ORDERED = 10_000
/** How often a resting tablet asks whether the server is there, milliseconds. */
const PULSE = 15_000
/** How often it reloads, for current menu, prices and release, milliseconds. */
const RENEWED = 600_000
/** Nothing is waited for longer than this, milliseconds. */
const LIMIT = 15_000
/** How many pictures it shows. */
const PICTURES = 6
/** Widths of a picture that the server makes, pixels. */
const WIDE = 1080
const WIDEST = 1620

/** What only a person does: a page scrolls by itself, too. A finger that scrolls has no pointer any more. */
const TOUCHES = ['pointerdown', 'pointermove', 'touchmove', 'keydown', 'wheel', 'input']

declare global {
  interface Window {
    /** When the watch last looked at its clock: without it `assets/tablet.js` sees to the tablet. */
    _watched?: number
  }
}

/** `shown` is the page of the moment; `over` lays what is shown over it and answers the element. */
export async function begin(
  shown: { readonly current: PageData },
  over: (id: 'kiosk', props: KioskProps) => Promise<Element>,
): Promise<void> {
  const { kiosk, lang, langs, fallback } = shown.current.shell
  if (!kiosk) return
  keepPrefix()
  const isOrdered = () => shown.current.page.route === 'order'
  // Not touched yet, so another page is one of the last guest's history.
  const home = new URL(kiosk.rest, location.origin).pathname
  if (touched() === undefined && location.pathname !== home) return location.replace(kiosk.rest)
  const watch = createWatch({
    idle: () => (isOrdered() ? ORDERED : kiosk.idle * 1000 + payingFor(shown.current)),
    warning: kiosk.warning * 1000,
    tells: isOrdered,
    touched,
    keep: (at) => writeStored('touched', at),
    forget: () => forget(kiosk.rest),
    now: () => Date.now(),
  })
  const box = await over('kiosk', {
    watch,
    isOrdered,
    rest: kiosk.rest,
    lang,
    langs,
    fallback,
    venue: venueOf(shown.current),
    dishes: dishesOf(shown.current),
  })
  followLetters()
  listen(watch, box)
  keepLit()
  renew(watch, kiosk.rest)
}

/**
 * Who pays with their phone touches nothing here: the tablet waits until the bank gives the payment up, and begins to count
 * then. Where nothing gets through it waits no longer than it was told last.
 */
function payingFor({ page }: PageData): number {
  if (page.route !== 'pay') return 0
  const { state, until, readAt } = page.data
  return state === 'waiting' && until !== null ? Math.max(0, until - readAt) : 0
}

function touched(): number | undefined {
  const at = readStored('touched')
  return typeof at === 'number' ? at : undefined
}

/** What the guest did is forgotten by the server and by this browser; then the document, and all that it holds. */
async function forget(rest: string): Promise<boolean> {
  try {
    const { ok } = await reach(actions.wipe(), {
      method: 'POST',
      headers: { Accept: 'application/json', 'X-Requested-With': 'dastarkhan' },
      signal: timeoutSignal(LIMIT),
    })
    if (!ok || !(await isThere(rest))) return false
  } catch {
    return false
  }
  // Last of all: other listeners keep what is unanswered, and that is the last guest's.
  addEventListener('pagehide', clearStored)
  clearStored()
  // In the place of this one: Back finds nothing of it.
  location.replace(rest)
  return true
}

/** A document that is left for an error page would be the end of the tablet: it is asked for first. */
async function isThere(rest: string): Promise<boolean> {
  const answer = await reach(rest, {
    headers: { Accept: 'text/html' },
    cache: 'no-store',
    signal: timeoutSignal(LIMIT),
  })
  return answer.ok && (await answer.text()).includes(' data-kiosk')
}

/** The switch of the letters stands outside of the app, which has gone on to other pages since. */
function followLetters(): void {
  const form = document.querySelector('form.letters')
  const back = form?.querySelector('input')
  form?.addEventListener('submit', () => {
    if (back) back.value = here()
  })
}

let place: string | undefined

/** What moves under a pointer that rests makes browsers tell its place once more. */
function hasMoved(event: Event): boolean {
  if (!(event instanceof PointerEvent)) return false
  const before = place
  place = `${event.screenX} ${event.screenY}`
  return before !== undefined && before !== place
}

function listen(watch: Watch, box: Element): void {
  for (const kind of TOUCHES) {
    // What the question itself is answered with is its own matter.
    const heard = (event: Event) => {
      const { target } = event
      if (event.type === 'pointermove' && !hasMoved(event)) return
      if (!(target instanceof Node && box.contains(target))) watch.touch()
    }
    addEventListener(kind, heard, { capture: true, passive: true })
  }
  addEventListener('contextmenu', (event) => event.preventDefault())
  setInterval(() => {
    watch.tick()
    window._watched = Date.now()
  }, 1000)
  document.addEventListener('visibilitychange', watch.tick)
  // What an earlier document shows may be another guest's: it is not seen before it was asked for anew.
  addEventListener('pagehide', ({ persisted }) => {
    document.body.hidden = persisted
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

/** Guests can't unlock the tablet: the screen stays lit. The system takes the lock with the page (KS-07). */
function keepLit(): void {
  const lock = () => {
    if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => {})
  }
  document.addEventListener('visibilitychange', lock)
  lock()
}

/** While it rests, and only then, it looks whether the server is there, and begins anew: from time to time, and for a new build. */
function renew(watch: Watch, rest: string): void {
  const began = performance.now()
  const rests = () => watch.snapshot().phase === 'resting'
  setInterval(async () => {
    if (!rests()) return
    try {
      const isOld = performance.now() - began >= RENEWED || (await isOtherBuild())
      if (isOld && (await isThere(rest)) && rests()) location.replace(rest)
    } catch {
      // The veil says that there is no connection.
    }
  }, PULSE)
}

/** Asks for the head of a page whose data need nothing of the upstream. */
async function isOtherBuild(): Promise<boolean> {
  const signal = timeoutSignal(LIMIT)
  const { headers } = await reach(`/_data${paths.language()}`, { method: 'HEAD', cache: 'no-store', signal })
  const build = headers.get('x-build')
  return build !== null && build !== document.documentElement.dataset.build
}

function venueOf({ page }: PageData): string | undefined {
  return page.route === 'menu' ? page.data.venue.name : undefined
}

/** One dish of each category before the second of any. */
function dishesOf({ page }: PageData): RestingDish[] {
  if (page.route !== 'menu') return []
  const rows = page.data.categories.map(({ products }) =>
    products.filter((dish) => dish.image && !dish.out && !dish.age),
  )
  const longest = Math.max(0, ...rows.map(({ length }) => length))
  // Upright a picture is as wide as the screen, else at most as high: 4:3, as photos are.
  const width = Math.min(screen.width, (screen.height * 4) / 3) * devicePixelRatio
  const found = new Map<number, RestingDish>()
  for (let at = 0; at < longest && found.size < PICTURES; at++) {
    for (const dish of rows.flatMap((row) => row[at] ?? [])) {
      if (found.size === PICTURES || !dish.image) break
      found.set(dish.id, {
        id: dish.id,
        name: dish.name,
        image: dish.image.replace('{w}', String(width > WIDE ? WIDEST : WIDE)),
      })
    }
  }
  return [...found.values()]
}
