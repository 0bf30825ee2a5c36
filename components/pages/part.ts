/** An overlay that is a part of its page, not an address of its own: its code comes when the page's data asks for it. */

import type { DataOf, PageId, PageOverlay } from '../lib/page/pages.ts'

export const partOf = <I extends PageId>(isShown: (data: DataOf<I>) => boolean): PageOverlay<I> => ({
  isIn: () => false,
  isShown,
  closed: () => null,
  opened: () => null,
  lost: () => null,
})
