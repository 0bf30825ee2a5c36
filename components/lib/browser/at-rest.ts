/**
 * What a page that has been open for a while can do without the network, and over a full load. Fetched at rest, so that it
 * is no part of a first visit.
 */

import { paths } from '../../paths.ts'
import { keepMenu, keptMenu } from '../find/kept-menu.ts'
import type { PageData } from '../page-data.ts'
import { keepPlace } from './place.ts'

/** The made-up category of popular dishes (MN-08). */
const POPULAR = -3

export function begin(shown: PageData): void {
  keepMenu(shown)
  addEventListener('pagehide', keepPlace)
}

export { keepMenu }

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
