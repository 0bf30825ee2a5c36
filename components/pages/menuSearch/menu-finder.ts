/** The menu of a venue in the browser, to be looked through without the network. */

import { productsOf } from '../../lib/find/last-menu.ts'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import type { MenuSearchPage, Product } from '../../lib/page-data.ts'
import { paths } from '../../paths.ts'
import { find } from './find.ts'

/** As the server does it. */
const MOST = 60

/** The products of a menu, each once; null when it did not come. */
export async function fetchMenu(venueId: number, signal: AbortSignal): Promise<Product[] | null> {
  try {
    const answer = await fetchPage(paths.menu(venueId), { signal, prefetch: true })
    if (answer.kind !== 'page' || answer.data.page.route !== 'menu' || answer.data.page.data.failed)
      return null
    return productsOf(answer.data.page.data)
  } catch {
    return null
  }
}

/** What the server finds, such as by barcode; null when it does not answer. */
export async function fetchFound(
  venueId: number,
  query: string,
  signal: AbortSignal,
): Promise<MenuSearchPage | null> {
  try {
    const answer = await fetchPage(paths.menuSearch(venueId, { q: query }), { signal })
    if (answer.kind !== 'page' || answer.data.page.route !== 'menuSearch') return null
    return answer.data.page.data.query === query ? answer.data.page.data : null
  } catch {
    return null
  }
}

type Results = { products: Product[]; shown: string | null; nearest: string | null }

/** Results of a query: out of the menu at hand, with what only the server knew; null while neither is there. */
export function resultsOf(
  query: string,
  menu: readonly Product[] | null,
  answer: MenuSearchPage,
): Results | null {
  const own = answer.query === query ? answer : null
  if (query === '') return { products: [], shown: null, nearest: null }
  if (!menu) return own && { ...own, nearest: own.nearest ?? null }
  const { items, shown, nearest } = find(menu, query, own?.exact)
  const known = new Set(items.map(({ id }) => id))
  const more = own?.products.filter(({ id }) => !known.has(id)) ?? []
  return { products: [...more, ...items].slice(0, MOST), shown, nearest }
}
