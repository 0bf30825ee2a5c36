/** An overlay that is a part of the cart, not an address of its own: its code comes when the page's data asks for it. */

import type { DataOf, PageOverlay } from '../../lib/page/pages.ts'

export const partOfCart = (isShown: (data: DataOf<'cart'>) => boolean): PageOverlay<'cart'> => ({
  isIn: () => false,
  isShown,
  closed: () => null,
  opened: () => null,
  lost: () => null,
})
