/**
 * What a page that has been open for a while can do without the network, and over a full load. Fetched at rest, so that it
 * is no part of a first visit.
 */

import { paths } from '../../paths.ts'
import { keepMenu, keptMenu } from '../find/kept-menu.ts'
import type { PageData } from '../page-data.ts'
import type { Navigation } from '../router/navigation.ts'
import { keepPlace } from './place.ts'

/** The made-up category of popular dishes (MN-08). */
const POPULAR = -3

/** So long after its own load the first page rests, and each of the next ones after it was shown, milliseconds. */
const REST = 3000

/** `fetchNext` is called whenever another page has come to rest. */
export function begin(
  shown: { readonly current: PageData },
  navigation: Navigation,
  fetchNext: () => void,
): void {
  seePage(shown.current)
  let resting: ReturnType<typeof setTimeout>
  navigation.subscribe(() => {
    clearTimeout(resting)
    resting = setTimeout(fetchNext, REST)
  })
  addEventListener('pagehide', keepPlace)
  // Nobody waits for it, and where it is blocked nobody misses it.
  void import('../insight/begin.ts').then((script) => script.begin(() => shown.current)).catch(() => {})
  void import('../motion/motion.ts').then((script) => script.begin(navigation)).catch(() => {})
  // Most read what the page speaks, and fetch nothing of it.
  if (!navigator.language?.startsWith(shown.current.shell.lang))
    void import('./other-language.ts').then((script) => script.offerLanguage(shown)).catch(() => {})
}

/** Each page that is shown from now on. */
export function seePage(shown: PageData): void {
  keepMenu(shown)
  offline ??= isOfOffline(shown) ? import('../offline/begin.ts').catch(() => null) : undefined
  void offline?.then((script) => script?.look(shown))
}

let offline: Promise<typeof import('../offline/begin.ts') | null> | undefined

/** Times without a network are seen to after an order, and where that was begun before: a first visit installs nothing. */
function isOfOffline({ page, shell }: PageData): boolean {
  if (!('serviceWorker' in navigator) || shell.kiosk) return false
  const ofOrder = shell.activeOrder !== null || ['order', 'orderInfo', 'thankYou'].includes(page.route)
  return ofOrder || navigator.serviceWorker.controller !== null
}

/** The menu that was shown last, and the search in it: pages that a lost network does not take away. */
export function atHand(url: string, { shell }: PageData): PageData | null {
  const menu = keptMenu()
  if (!menu) return null
  const { pathname, searchParams } = new URL(url, location.origin)
  const { venue, lists, categories } = menu.page.data
  const around = { ...shell, url, flash: null }
  if (pathname === paths.menu(venue.id) && !searchParams.has('line') && !searchParams.has('table_id')) {
    const data = { ...menu.page.data, item: null }
    return { ...menu, shell: { ...around, layout: menu.shell.layout }, page: { route: 'menu', data } }
  }
  if (pathname !== paths.menuSearch(venue.id)) return null
  const popular = lists.find(({ id }) => id === POPULAR)?.products ?? []
  const data = {
    venue,
    query: searchParams.get('q')?.trim() ?? '',
    shown: null,
    ...(searchParams.has('exact') ? ({ exact: true } as const) : {}),
    products: [],
    popular: categories.flatMap(({ products }) => products).filter(({ id }) => popular.includes(id)),
    failed: false,
  }
  const layout = { frame: 'search', navbar: false, balance: false } as const
  return { shell: { ...around, layout }, page: { route: 'menuSearch', data }, status: 200 }
}
