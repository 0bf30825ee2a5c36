/** How the router gets its data in the browser: one request to the server for a navigation, code and data together. */

import { type DataStrategyFunction, type DataStrategyResult, matchRoutes, redirect } from 'react-router'
import type { CartStore } from '../lib/cart/store.ts'
import type { PageAnswer } from '../lib/net/fetch-page.ts'
import type { PageSource } from '../lib/net/page-source.ts'
import { load, reloadOnce } from '../lib/net/reload.ts'
import type { PageId } from '../lib/page/pages.ts'
import { ROOT } from '../lib/page/root-id.ts'
import type { PageData } from '../lib/page-data.ts'
import { routeTable } from '../lib/page-routes.ts'
import { loadView } from './loader.ts'
import { overlaysOf } from './openings.ts'
import type { ViewId } from './overlays.ts'

type Links = {
  source: PageSource
  cart: CartStore
  /** Build that made the document. */
  build: string | undefined
  /** The page that is shown. */
  shown: { current: PageData }
}

/** What an overlay needs comes with it when it is here within so many milliseconds, and follows it otherwise. */
const SOON = 60

/** The router waits for this while the document is being left for a full load. */
const NEVER = new Promise<never>(() => {})

export function createDataStrategy({ source, cart, build, shown }: Links): DataStrategyFunction {
  async function answerFor(request: Request): Promise<DataStrategyResult> {
    const { pathname, search, hash } = new URL(request.url)
    const url = pathname + search
    const overlays = overlaysOf(shown.current.page.route).map(([, overlay]) => overlay)
    const under = first(overlays, ({ closed }) => closed(shown.current, pathname, search))
    if (under) return show(under)
    const over = first(overlays, ({ opened }) => opened(shown.current, pathname, search))
    // An overlay asks for what is missing as soon as it is shown.
    if (over && !(await source.soon(url, SOON))) return show(over)

    // The code of the page that the address promises comes beside the data.
    const expected = Promise.allSettled(expectedViews(pathname, search).map(loadView))
    const asked = source.get(url, request.signal)
    const answer = await asked.answer.catch((error: unknown) => lost(error, request.signal))
    if (answer.kind === 'redirect') return follow(answer.to)
    // A cart that was changed on the way would be shown as it was before: it is asked for again.
    if (asked.epoch !== cart.epoch() && expectedPage(pathname) === 'cart') return answerFor(request)
    const told = answer.kind === 'page' ? answer.data : unavailable(shown.current)
    const data = first(overlays, ({ lost }) => lost(shown.current, url, told)) ?? told
    if (answer.kind === 'page') {
      if (isSkewed(answer, build) || data.shell.lang !== shown.current.shell.lang) {
        load(url + hash)
        return NEVER
      }
      cart.adopt(data.shell.cart, asked.epoch)
    }
    await expected
    try {
      await Promise.all(shownViews(data).map(loadView))
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

/** The page that an address is expected to show. */
function expectedPage(pathname: string): PageId {
  const path = matchRoutes([...routeTable.map((route) => ({ path: route.path }))], pathname)?.[0]?.route.path
  return routeTable.find((route) => route.path === path)?.id ?? 'notFound'
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
