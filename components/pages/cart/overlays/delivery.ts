/** Who brings an order, and for how much: a part of a cart with delivery alone. */

import type { PageOverlay } from '../../../lib/page/pages.ts'

export const overlay: PageOverlay<'cart'> = {
  isIn: () => false,
  isShown: ({ delivery }) => delivery !== null,
  closed: () => null,
  opened: () => null,
  lost: () => null,
}
