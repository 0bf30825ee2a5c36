/** Which overlays a page opens. */

import type { PageId, PageOverlay } from '../lib/page/pages.ts'
import { openings } from './browser.gen.ts'
import type { OverlayId } from './overlays.ts'

/** The overlays of a page with what it says of them. Its data fits by construction, which the types can't follow. */
export function overlaysOf(page: PageId): [OverlayId, PageOverlay<PageId>][] {
  return Object.entries(openings[page] ?? {}) as [OverlayId, PageOverlay<PageId>][]
}
