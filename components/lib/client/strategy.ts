/** How the router gets its data in the browser: one request to the server for a navigation, code and data together. */

import { type DataStrategyFunction, type DataStrategyResult, matchRoutes, redirect } from 'react-router'
import { ROOT, routeTable } from '../../routes.tsx'
import type { CartStore } from '../cart-store.ts'
import type { PageAnswer } from '../fetch-page.ts'
import type { PageData } from '../page-data.ts'
import type { CodeId, RouteId } from '../screens.tsx'
import { itemIn, itemLost, withItem, withoutItem } from './open-item.ts'
import type { PageSource } from './page-source.ts'
import { load, reloadOnce } from './reload.ts'
import { loadScreen } from './screen-loader.ts'

type Links = {
  source: PageSource
  cart: CartStore
  /** Build that made the document. */
  build: string | undefined
  /** The page that is shown. */
  shown: { current: PageData }
}

/** Options that are here within so many milliseconds come with their sheet, later ones follow it. */
const SOON = 60

/** The page of the cart waits so long for what is on its way into it, milliseconds. */
const LATE = 2000

/** The router waits for this while the document is being left for a full load. */
const NEVER = new Promise<never>(() => {})

export function createDataStrategy({ source, cart, build, shown }: Links): DataStrategyFunction {
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
    const isCart = expectedRoute(pathname) === 'cart'
    if (isCart) await cart.rest(LATE)
    const asked = source.get(url, request.signal)
    const answer = await asked.answer.catch((error: unknown) => lost(error, request.signal))
    if (answer.kind === 'redirect') return follow(answer.to)
    // A cart that was changed on the way would be shown as it was before: it is asked for again.
    if (isCart && asked.epoch !== cart.epoch()) return answerFor(request)
    const told = answer.kind === 'page' ? answer.data : unavailable(shown.current)
    const data = itemLost(shown.current, url, told) ?? told
    if (answer.kind === 'page') {
      if (isSkewed(answer, build) || data.shell.lang !== shown.current.shell.lang) {
        load(url + hash)
        return NEVER
      }
      cart.adopt(data.shell.cart, asked.epoch)
    }
    await expected
    try {
      await Promise.all(shownCode(data).map(loadScreen))
    } catch (error) {
      if (!request.signal.aborted && reloadOnce(url + hash)) return NEVER
      return { type: 'error', result: error }
    }
    return show(data)
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
  if (page.route === 'menu' && page.data.item) return [page.route, 'item']
  if (page.route !== 'cart') return [page.route]
  if (page.data.delivery) return [page.route, 'delivery']
  return page.data.keypad ? [page.route, 'keypad'] : [page.route]
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

/** An abort is the router's own doing and stays one; a lost network becomes the error page. */
function lost(error: unknown, signal: AbortSignal): PageAnswer {
  if (signal.aborted) throw error
  return { kind: 'none' }
}

function unavailable({ shell }: PageData): PageData {
  return {
    shell: { ...shell, flash: null },
    page: { route: 'error', data: { kind: 'unavailable', requestId: '' } },
    status: 503,
  }
}
