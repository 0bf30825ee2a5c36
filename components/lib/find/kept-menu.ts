/** The menu that was shown last: what it knows needs no network. */

import type { MenuPage, PageData, Product } from '../page-data.ts'

type ShownMenu = PageData & { page: { route: 'menu'; data: MenuPage } }

let kept: ShownMenu | null = null

export function keepMenu(shown: PageData): void {
  if (isMenu(shown) && !shown.page.data.failed) kept = shown
}

export const keptMenu = () => kept

/** The products of a menu, each once; null when another one, or none, was shown. */
export function keptProducts(venueId: number): Product[] | null {
  return kept?.page.data.venue.id === venueId ? productsOf(kept.page.data) : null
}

export function productsOf({ categories }: MenuPage): Product[] {
  const products = categories.flatMap((category) => category.products)
  return [...new Map(products.map((product) => [product.id, product])).values()]
}

function isMenu(shown: PageData): shown is ShownMenu {
  return shown.page.route === 'menu'
}
