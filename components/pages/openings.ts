/** What is known of a page before its code is there: which overlays it opens, and whether it is made of the cart. */

import type { PageId, PageOverlay } from '../lib/page/pages.ts'
import { openings, traits } from './browser.gen.ts'
import type { OverlayId } from './overlays.ts'

/** The overlays of a page with what it says of them. Its data fits by construction, which the types can't follow. */
export function overlaysOf(page: PageId): [OverlayId, PageOverlay<PageId>][] {
  return Object.entries(openings[page] ?? {}) as [OverlayId, PageOverlay<PageId>][]
}

/** Whether the data of a page are made of the cart. */
export function isOfCart(page: PageId): boolean {
  return traits[page]?.ofCart === true
}
