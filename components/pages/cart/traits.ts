import type { PageTraits } from '../../lib/page/pages.ts'

/** Totals and obstacles are the server's. */
export const traits: PageTraits = { ofCart: true }
