/** What goes on beside the app and no page waits for. A script of its own, fetched when the app is alive. */

import { paths } from '../../paths.ts'
import { keepMenu, keptMenu } from '../kept-menu.ts'
import type { PageData } from '../page-data.ts'
import { rememberMenu } from '../recent-menus.ts'
import { dropStored, MIRRORED, readCookie, writeRaw } from '../storage.ts'
import { tellServer } from './analytics.ts'
import { listenToHost } from './host.ts'

/** The made-up category of popular dishes (MN-08). */
const POPULAR = -3

/** `shown` is the page of the moment. */
export function begin(shown: { readonly current: PageData }): void {
  tellServer()
  mirror(shown.current.shell.version)
  noteMenu(shown.current)
  addEventListener('pagehide', () => mirror(shown.current.shell.version))
  addEventListener('click', stay)
  addEventListener('submit', stay)

  const { hosts = [], langs, lang } = shown.current.shell
  listenToHost({
    hosts,
    langs,
    lang,
    // A full load of the same page, as by the guest's own choice. The cart is the server's; what is not there yet is
    // kept for the next page when this one goes.
    onLanguage: (wanted) =>
      location.replace(paths.inLang(location.pathname + location.search, wanted) + location.hash),
  })
}

/** Keeps the menu that a page shows. */
export function noteMenu(shown: PageData): void {
  if (shown.page.route === 'menu') rememberMenu(shown.page.data.venue)
  keepMenu(shown)
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
    products: [],
    popular: categories.flatMap(({ products }) => products).filter(({ id }) => popular.includes(id)),
    failed: false,
  }
  const layout = { frame: 'search', navbar: false, balance: false } as const
  return { shell: { ...around, layout }, page: { route: 'menuSearch', data }, status: 200 }
}

/** Offline a full load would lead to the browser's own error page: this one stays, and its line says why. */
function stay(event: Event): void {
  if (event.defaultPrevented || navigator.onLine) return
  const { target } = event
  const link = target instanceof Element ? target.closest('a') : null
  const here = link && link.pathname + link.search === location.pathname + location.search && link.hash
  if (event.type === 'submit' || (link?.origin === location.origin && !link.target && !here))
    event.preventDefault()
}

/** The specification's names in local storage hold what the cookies say (ST-01). Nothing is kept of a stranger. */
function mirror(version: string): void {
  let any = false
  for (const name of MIRRORED) {
    const value = readCookie(name)
    any ||= value !== undefined
    if (value === undefined) dropStored(name)
    else writeRaw(name, value)
  }
  if (any) writeRaw('version', version)
}
