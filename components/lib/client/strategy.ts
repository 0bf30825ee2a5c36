/** How the router gets its data in the browser: one request to the server for a navigation, code and data together. */

import { type DataStrategyFunction, type DataStrategyResult, matchRoutes, redirect } from 'react-router'
import { ROOT, routeTable } from '../../routes.tsx'
import type { CartStore } from '../cart-store.ts'
import { isPoor, rest } from '../connection.ts'
import type { PageAnswer } from '../fetch-page.ts'
import type { PageData } from '../page-data.ts'
import type { CodeId, RouteId } from '../screens.tsx'
import { itemIn, itemLost, withItem, withoutItem } from './open-item.ts'
import type { PageSource } from './page-source.ts'
import { load, reloadOnce } from './reload.ts'
import { loadPatiently, loadScreen } from './screen-loader.ts'

type Links = {
  source: PageSource
  cart: CartStore
  /** Build that made the document. */
  build: string | undefined
  /** The page that is shown. */
  shown: { current: PageData }
  /** A page that needs nothing from the server, if what has been shown so far is enough for it. */
  atHand: (url: string) => PageData | null
}

/** Options that are here within so many milliseconds come with their sheet, later ones follow it. */
const SOON = 60

/** First pause before a page is asked for again, and the longest. */
const PAUSE = 1000
const LONGEST_PAUSE = 15_000

/** The router waits for this while the document is being left for a full load. */
const NEVER = new Promise<never>(() => {})

export function createDataStrategy({ source, cart, build, shown, atHand }: Links): DataStrategyFunction {
  async function answerFor(request: Request): Promise<DataStrategyResult> {
    const { pathname, search, hash } = new URL(request.url)
    const url = pathname + search
    const under = withoutItem(shown.current, pathname, search)
    if (under) return show(under)
    const over = withItem(shown.current, pathname, search)
    // The sheet asks for its options as soon as it is shown (see `OpenItem`).
    if (over && !(await source.soon(url, SOON))) return show(over)

    // The code of the screen that the address promises comes beside the data.
    const expected = Promise.allSettled(expectedCode(pathname, search).map(loadScreen))
    const { answer, epoch } = await ask(url, request.signal)
    if (answer.kind === 'redirect') return follow(answer.to)
    const told = answer.kind === 'page' ? answer.data : unavailable(shown.current)
    const data = itemLost(shown.current, url, told) ?? told
    if (answer.kind === 'page' && epoch !== null) {
      if (isSkewed(answer, build) || data.shell.lang !== shown.current.shell.lang) {
        load(url + hash)
        return NEVER
      }
    }
    await expected
    try {
      await Promise.all(shownCode(data).map(loadPatiently))
    } catch (error) {
      if (!request.signal.aborted && reloadOnce(url + hash)) return NEVER
      return { type: 'error', result: error }
    }
    // The code was waited for until there was a network: it has the page, too.
    if (epoch === null && !isPoor()) return answerFor(request)
    if (answer.kind === 'page' && epoch !== null) cart.adopt(data.shell.cart, epoch)
    return show(data)
  }

  /**
   * The answer about a page. Without a network the page that is shown stays, and this one is asked for again until it is
   * there, can be made of what is at hand (then it has no epoch), or the guest has gone on to something else.
   */
  async function ask(
    url: string,
    signal: AbortSignal,
  ): Promise<{ answer: PageAnswer; epoch: number | null }> {
    for (let pause = PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const { answer, epoch } = source.get(url, signal)
      try {
        return { answer: await answer, epoch }
      } catch (error) {
        // An abort is the router's own doing and stays one; what can't be read is no lost network.
        if (signal.aborted) throw error
        if (!(error instanceof TypeError)) return { answer: { kind: 'none' }, epoch }
      }
      const data = itemLost(shown.current, url, unavailable(shown.current)) ?? atHand(url)
      if (data) return { answer: { kind: 'page', data, build: null }, epoch: null }
      await rest(pause, signal)
    }
  }

  function show(data: PageData): DataStrategyResult {
    // What an answer had to say belongs to the page on which it came.
    if (pathOf(data) !== pathOf(shown.current)) cart.snapshot().dismiss()
    shown.current = data
    return { type: 'data', result: data }
  }

  return async ({ request }) => ({ [ROOT]: await answerFor(request) })
}

/** The route that an address is expected to show. */
function expectedRoute(pathname: string): RouteId {
  const path = matchRoutes([...routeTable.map((route) => ({ path: route.path }))], pathname)?.[0]?.route.path
  return routeTable.find((route) => route.path === path)?.id ?? 'notFound'
}

/** What an address is expected to show. */
export function expectedCode(pathname: string, search: string): CodeId[] {
  const route = expectedRoute(pathname)
  return route === 'menu' && itemIn(search) !== null ? [route, 'item'] : [route]
}

/** What a page shows. */
export function shownCode({ page }: PageData): CodeId[] {
  return page.route === 'menu' && page.data.item ? [page.route, 'item'] : [page.route]
}

function pathOf({ shell }: PageData): string {
  return shell.url.split('?', 1)[0] ?? ''
}

function isSkewed(answer: Extract<PageAnswer, { kind: 'page' }>, build: string | undefined): boolean {
  return answer.build !== null && build !== undefined && answer.build !== build
}

/** The server names paths of its own; anything else leaves the app. */
function follow(to: string): DataStrategyResult | Promise<never> {
  if (/^\/(?![/\\])/.test(to)) return { type: 'data', result: redirect(to) }
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
