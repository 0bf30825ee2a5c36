/** How a navigation gets what it shows: one request to the server, code and data together. */

import { here } from '../lib/browser/address.ts'
import type { CartStore } from '../lib/cart/store.ts'
import type { Mutations } from '../lib/mutations/mutations.ts'
import { isPoor, note, rest } from '../lib/net/connection.ts'
import type { PageAnswer } from '../lib/net/fetch-page.ts'
import type { PageSource } from '../lib/net/page-source.ts'
import { load, reloadOnce } from '../lib/net/reload.ts'
import type { PageId } from '../lib/page/pages.ts'
import type { PageData } from '../lib/page-data.ts'
import { routeTable } from '../lib/page-routes.ts'
import type { Outcome } from '../lib/router/navigation.ts'
import { loadPatiently, loadView } from './loader.ts'
import { isOfCart, overlaysOf } from './openings.ts'
import type { ViewId } from './overlays.ts'

type Links = {
  source: PageSource
  cart: CartStore
  mutations: Mutations
  /** Build that made the document. */
  build: string | undefined
  /** The page that is shown. */
  shown: { current: PageData }
  /** A page that needs nothing from the server, if what has been shown so far is enough for it. */
  atHand: (url: string) => PageData | null
  /** The hash of where the guest goes: what is asked of the server has none. */
  hash: () => string
}

/** How long an overlay waits for what it needs, milliseconds; later pieces follow it. */
const SOON = 60

/** How long what was pressed is asked for again while the network is poor: milliseconds between two requests. */
const TIMEOUT = 4000

/** First pause before a page is asked for again, and the longest. */
const PAUSE = 1000
const LONGEST_PAUSE = 15_000

/** How long a page of the cart waits for what is on its way into it, milliseconds. */
const LATE = 2000

function lost(): Outcome {
  note('lost')
  return { kind: 'lost' }
}

/** A navigation waits for this while the document is being left for a full load. */
const NEVER = new Promise<never>(() => {})

export function createLoad({
  source,
  cart,
  mutations,
  build,
  shown,
  atHand,
  hash,
}: Links): (url: string, signal: AbortSignal, waits: boolean) => Promise<Outcome> {
  async function answerFor(address: string, signal: AbortSignal, waits: boolean): Promise<Outcome> {
    const { pathname, search } = new URL(address, location.origin)
    // As the server does (RT-07); the query is not touched.
    const single = pathname.replace(/\/{2,}/g, '/')
    if (single !== pathname) return follow(single + search + hash())
    const url = pathname + search
    const overlays = overlaysOf(shown.current.page.route).map(([, overlay]) => overlay)
    const under = first(overlays, ({ closed }) => closed(shown.current, pathname, search))
    if (under) return show(under)
    const over = first(overlays, ({ opened }) => opened(shown.current, pathname, search))
    // The code of the page that the address promises comes beside the data.
    const isHere = Promise.all(expectedViews(pathname, search).map(loadView)).then(
      () => true,
      () => false,
    )
    // An overlay asks for what is missing as soon as it is shown. Without its code that helps only where the server answers.
    if (over && !(await source.soon(url, SOON))) {
      const helps = waits || (await isHere) || (await source.soon(url, TIMEOUT))
      // The guest has gone on: this is not shown, and nothing is said of a network.
      if (signal.aborted) return { kind: 'lost' }
      return helps ? show(over) : lost()
    }

    const ofCart = isOfCart(expectedPage(pathname))
    // Without a network nothing comes: the guest is told at once.
    if (ofCart && navigator.onLine) await cart.rest(LATE)
    const asked = await ask(url, signal, waits)
    if (!asked) return lost()
    const { answer, epoch } = asked
    if (answer.kind === 'redirect') return follow(answer.to)
    // A cart that was changed on the way would be shown as it was before: it is asked for again.
    if (ofCart && epoch !== null && epoch !== cart.epoch()) return answerFor(url, signal, waits)
    const next = answer.kind === 'page' ? answer.data : unavailable(shown.current)
    const data = first(overlays, ({ lost }) => lost(shown.current, url, next)) ?? next
    if (answer.kind === 'page' && epoch !== null) {
      // A tablet takes another build while it rests, never under a guest (PW-05).
      if ((!data.shell.kiosk && isSkewed(answer, build)) || data.shell.lang !== shown.current.shell.lang) {
        load(url + hash())
        return NEVER
      }
    }
    keepSame(shown.current, next)
    await isHere
    try {
      await Promise.all(shownViews(data).map(waits ? loadPatiently : loadView))
    } catch (error) {
      if (!waits && isPoor()) return lost()
      if (!signal.aborted && reloadOnce(url + hash())) return NEVER
      return { kind: 'failed', error }
    }
    // The code was waited for until there was a network: it has the page, too.
    if (epoch === null && !isPoor()) return answerFor(url, signal, waits)
    if (answer.kind === 'page' && epoch !== null) cart.adopt(data.shell.cart, epoch)
    return show(data)
  }

  /**
   * The answer about a page. Without a network it is made of what is at hand (then it has no epoch), if possible.
   * Who waits asks again until it is there, or the guest has gone on to something else.
   */
  async function ask(
    url: string,
    signal: AbortSignal,
    waits: boolean,
  ): Promise<{ answer: PageAnswer; epoch: number | null } | null> {
    for (let pause = PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const { answer, epoch } = source.get(url, signal)
      try {
        return { answer: await answer, epoch }
      } catch (error) {
        // An abort is the navigation's own doing and stays one; what can't be read is no lost network.
        if (signal.aborted) throw error
        if (!(error instanceof TypeError)) return { answer: { kind: 'none' }, epoch }
      }
      const overlays = overlaysOf(shown.current.page.route).map(([, overlay]) => overlay)
      const nothing = unavailable(shown.current)
      const data = first(overlays, ({ lost }) => lost(shown.current, url, nothing)) ?? atHand(url)
      if (data) return { answer: { kind: 'page', data, build: null }, epoch: null }
      if (!waits && (pause > TIMEOUT || !navigator.onLine)) return null
      await rest(pause, signal)
    }
  }

  function show(data: PageData): Outcome {
    // What an answer had to say belongs to the page on which it came, or to the one that it leads to.
    const path = pathOf(data)
    if (path !== pathOf(shown.current)) mutations.dismiss(path)
    shown.current = data
    return { kind: 'page', data }
  }

  return answerFor
}

/** The page that an address is expected to show. No two of the table are alike. */
export function expectedPage(pathname: string): PageId {
  const isAt = (path: string) => RegExp(`^${path.replace(/:\w+|\*/g, '[^/]+')}/?$`, 'i').test(pathname)
  return routeTable.find(({ path }) => isAt(path))?.id ?? 'notFound'
}

/** What an address is expected to show. */
export function expectedViews(pathname: string, search: string): ViewId[] {
  const page = expectedPage(pathname)
  return [page, ...overlaysOf(page).flatMap(([id, overlay]) => (overlay.isIn(search) ? [id] : []))]
}

/** What a page shows. */
export function shownViews({ page }: PageData): ViewId[] {
  const { route, data } = page
  return [route, ...overlaysOf(route).flatMap(([id, overlay]) => (overlay.isShown(data) ? [id] : []))]
}

function first<T, R>(all: readonly T[], ask: (one: T) => R | null): R | null {
  for (const one of all) {
    const answer = ask(one)
    if (answer !== null) return answer
  }
  return null
}

/** A page that is asked for anew keeps what says the same as before, parts of a list as well: that is not drawn anew. */
function keepSame({ page: before }: PageData, { page }: PageData): void {
  if (before.route !== page.route) return
  const same = (old: unknown, now: unknown) => (JSON.stringify(old) === JSON.stringify(now) ? old : now)
  const known: { readonly [field: string]: unknown } = { ...before.data }
  for (const [field, value] of Object.entries(page.data)) {
    const old = known[field]
    const isList = Array.isArray(value) && Array.isArray(old)
    const merged = isList ? value.map((one, at) => same(old[at], one)) : same(old, value)
    Object.assign(page.data, { [field]: merged })
  }
}

function pathOf({ shell }: PageData): string {
  return shell.url.split('?', 1)[0] ?? ''
}

function isSkewed(answer: Extract<PageAnswer, { kind: 'page' }>, build: string | undefined): boolean {
  return answer.build !== null && build !== undefined && answer.build !== build
}

/** The server names paths of its own; anything else leaves the app. */
function follow(to: string): Outcome | Promise<never> {
  if (/^\/(?![/\\])/.test(to)) {
    // The guest shall stay: the history gets no second entry of the page (RT-21).
    const stays = to === here()
    return { kind: 'redirect', to, replace: stays }
  }
  load(to)
  return NEVER
}

function unavailable({ shell }: PageData): PageData {
  return {
    shell: { ...shell, flash: null },
    page: { route: 'error', data: { kind: 'unavailable', requestId: '' } },
    status: 503,
  }
}
