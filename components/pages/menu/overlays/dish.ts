/** The dish over a menu: what of a navigation between dishes needs nothing but the menu that is shown. */

import type { PageOverlay } from '../../../lib/page/pages.ts'
import type { DishSheet, MenuPage, PageData, Product } from '../../../lib/page-data.ts'

type MenuData = PageData & { page: { route: 'menu'; data: MenuPage } }

export const overlay: PageOverlay<'menu'> = {
  isIn: (search) => dishIn(search) !== null,
  isShown: ({ dish }) => dish !== null,
  closed: withoutDish,
  opened: withDish,
  lost: dishLost,
}

/** Dishes that were open, by venue and dish: without a network they open as they were. */
const seen = new Map<string, DishSheet>()

/** The dish that an address opens. */
function dishIn(search: string): number | null {
  return Number(new URLSearchParams(search).get('item')) || null
}

/** Closing a dish needs nothing from the server: the menu under it is here. */
export function withoutDish(shown: PageData, pathname: string, search: string): PageData | null {
  if (!isMenu(shown) || dishIn(search) !== null || openDish(shown) === null) return null
  return isSameMenu(shown, pathname, search) ? over(shown, pathname + search) : null
}

/** A dish of the menu that is shown opens with what the menu knows of it. */
export function withDish(shown: PageData, pathname: string, search: string): PageData | null {
  const id = dishIn(search)
  if (!isMenu(shown) || id === null || id === openDish(shown)) return null
  return isSameMenu(shown, pathname, search) && find(shown, id) ? over(shown, pathname + search) : null
}

/**
 * Stands in for an answer about the open dish that is no menu: the menu stays, and everything that was typed. Options
 * that did not come can be asked for again (AT-11), a dish that the menu lost is sold out (MN-18).
 */
export function dishLost(shown: PageData, url: string, next: PageData): PageData | null {
  if (next.page.route !== 'error' && next.page.route !== 'notFound') return null
  if (!isMenu(shown) || shown.shell.url !== url) return null
  const id = openDish(shown)
  const product = id === null ? undefined : find(shown, id)
  if (!product) return null
  const { data } = shown.page
  if (next.page.route === 'notFound') {
    const categories = data.categories.map((category) => ({
      ...category,
      products: category.products.map((one) => (one.id === id ? { ...one, out: true as const } : one)),
    }))
    return { ...shown, page: { route: 'menu', data: { ...data, categories } } }
  }
  // What is there already is better than nothing.
  const dish =
    data.dish && !data.dish.failed ? data.dish : (seen.get(keyOf(data, product)) ?? asListed(product))
  return { ...shown, page: { route: 'menu', data: { ...data, dish } } }
}

/** What the menu knows of a dish: all of one without choices. */
function asListed(product: Product): DishSheet {
  return {
    product,
    sizes: null,
    groups: [],
    selected: {},
    selectedSize: null,
    minutes: null,
    line: null,
    failed: product.options === true,
  }
}

function keyOf({ venue }: MenuPage, { id }: Product): string {
  return `${venue.id} ${id}`
}

function isMenu(shown: PageData): shown is MenuData {
  return shown.page.route === 'menu'
}

function openDish({ shell }: MenuData): number | null {
  return dishIn(shell.url.split('?')[1] ?? '')
}

function find({ page }: MenuData, id: number): Product | undefined {
  return page.data.categories.flatMap(({ products }) => products).find((product) => product.id === id)
}

/** The same but for the dish. A line of the cart that is changed is known to the server alone. */
function isSameMenu({ shell }: MenuData, pathname: string, search: string): boolean {
  const before = new URL(shell.url, location.origin)
  const after = new URLSearchParams(search)
  if (before.pathname !== pathname || after.has('line')) return false
  // Links of a page go without the language that it is in.
  if ((after.get('lang') ?? shell.lang) !== shell.lang) return false
  for (const name of ['item', 'line', 'fav', 'lang']) {
    before.searchParams.delete(name)
    after.delete(name)
  }
  return before.searchParams.toString() === after.toString()
}

function over({ shell, page, status }: MenuData, url: string): PageData {
  const { dish } = page.data
  if (dish && !dish.failed && !dish.line) seen.set(keyOf(page.data, dish.product), dish)
  return {
    shell: { ...shell, url, flash: null },
    page: { route: 'menu', data: { ...page.data, dish: null } },
    status,
  }
}
