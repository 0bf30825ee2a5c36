/** The menu that was shown last: what it knows needs no network. */

import type { MenuPage, PageData } from '../page-data.ts'

type ShownMenu = PageData & { page: { route: 'menu'; data: MenuPage } }

let last: ShownMenu | null = null

export function rememberMenu(shown: PageData): void {
  if (isMenu(shown) && !shown.page.data.failed) last = shown
}

export const lastMenu = () => last

function isMenu(shown: PageData): shown is ShownMenu {
  return shown.page.route === 'menu'
}
