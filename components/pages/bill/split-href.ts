import type { BillPage } from '../../lib/page-data.ts'
import { withQuery } from '../../paths.ts'

/** The address of a way to pay, with the tips that are chosen. */
export function splitHref({ href, choice }: BillPage, split: string): string {
  if (!choice) return withQuery(href, { split })
  const { tip, ownTip } = choice
  return withQuery(href, {
    split,
    tip: tip === null ? 'own' : tip || null,
    tip_sum: tip === null ? ownTip : null,
  })
}
