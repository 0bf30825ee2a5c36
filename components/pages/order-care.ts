/** The overlay of the pages of an order: a part of them, whose code comes when their data asks for it. */

import type { PageOverlay } from '../lib/page/pages.ts'
import type { OrderPage } from '../lib/page-data.ts'

export const orderCare = {
  isIn: (search: string) => search.includes('step=cancel'),
  isShown: ({ care }: OrderPage) => care,
  closed: () => null,
  opened: () => null,
  lost: () => null,
} satisfies PageOverlay<'order'>
