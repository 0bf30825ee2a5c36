/** The menu that was shown last: what it knows needs no network. */

import type { MenuPage, PageData, Product } from '../page-data.ts'

type ShownMenu = PageData & { page: { route: 'menu'; data: MenuPage } }

let last: ShownMenu | null = null

export function rememberMenu(shown: PageData): void {
  if (isMenu(shown) && !shown.page.data.failed) last = shown
}

export const lastMenu = () => last

/** The products of a menu, each once; null when another one, or none, was shown. */
export function lastMenuProducts(venueId: number): Product[] | null {
  return last?.page.data.venue.id === venueId ? productsOf(last.page.data) : null
}

export function productsOf({ categories }: MenuPage): Product[] {
  const products = categories.flatMap((category) => category.products)
  return [...new Map(products.map((product) => [product.id, product])).values()]
}

function isMenu(shown: PageData): shown is ShownMenu {
  return shown.page.route === 'menu'
}
