/** The menu of a venue in the browser, to be looked through without the network. */

import { lastMenu } from '../../lib/find/last-menu.ts'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import type { MenuPage, MenuSearchPage, Product } from '../../lib/page-data.ts'
import { paths } from '../../paths.ts'
import { find } from './find.ts'

/** As the server does it. */
const MOST = 60

/** A product with the names of the sections that it stands in, one a line; `meatless`: it is marked so. */
export type Placed = Product & { section: string; meatless?: boolean }

/** The products of the menu that was shown last, each once; null when it was another one, or none. */
export function lastMenuProducts(venueId: number): Placed[] | null {
  const data = lastMenu()?.page.data
  return data?.venue.id === venueId ? productsOf(data) : null
}

function productsOf({ categories }: MenuPage): Placed[] {
  const all = new Map<number, Placed>()
  for (const { name, products } of categories) {
    for (const product of products) {
      const known = all.get(product.id)?.section
      all.set(product.id, { ...product, section: known === undefined ? name : `${known}\n${name}` })
    }
  }
  return [...all.values()]
}

/** The products of a menu, each once; null when it did not come. */
export async function fetchMenu(venueId: number, signal: AbortSignal): Promise<Placed[] | null> {
  try {
    const answer = await fetchPage(paths.menu(venueId), { signal, prefetch: true })
    if (answer.kind !== 'page' || answer.data.page.route !== 'menu' || answer.data.page.data.failed)
      return null
    return productsOf(answer.data.page.data)
  } catch {
    return null
  }
}

/** With the marks of those that have no meat, which the page of the search has: menus do without. */
export function withMarks(menu: readonly Placed[], meatless: MenuSearchPage['meatless']): Placed[] {
  const marked = new Set(meatless)
  return menu.map((product) => ({ ...product, meatless: marked.has(product.id) }))
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
    // The server leaves out what can't be seen, and pictures beside words: it is the answer to what was typed.
    return { ...answer.data.page.data, query }
  } catch {
    return null
  }
}

type Results = { products: Product[]; shown: string | null; nearest: string | null }

/**
 * Results of the query of who reads a language: out of the menu at hand, with what only the server knows, such as what is
 * said of a dish, in its order; null while neither is there.
 */
export function resultsOf(
  query: string,
  menu: readonly Placed[] | null,
  answer: MenuSearchPage,
  lang: string,
): Results | null {
  const own = answer.query === query ? answer : null
  if (query === '') return { products: [], shown: null, nearest: null }
  if (!menu) return own && { ...own, nearest: own.nearest ?? null }
  const { items, shown, nearest } = find(menu, query, lang, own?.exact)
  if (!own || own.products.length === 0) return { products: items.slice(0, MOST), shown, nearest }
  const known = new Map(items.map((product) => [product.id, product]))
  const products: Product[] = own.products.map((product) => known.get(product.id) ?? product)
  const listed = new Set(products.map(({ id }) => id))
  // What another spelling finds has no place beside what the query itself has found.
  const more = own.shown === shown ? items.filter(({ id }) => !listed.has(id)) : []
  return { products: [...products, ...more].slice(0, MOST), shown: own.shown, nearest: null }
}
