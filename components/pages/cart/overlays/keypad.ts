/** The keys of a tablet for the number of the table: a part of the cart, not an address of its own. */

import type { PageOverlay } from '../../../lib/page/pages.ts'

export const overlay: PageOverlay<'cart'> = {
  isIn: () => false,
  isShown: ({ keypad }) => keypad,
  closed: () => null,
  opened: () => null,
  lost: () => null,
}
