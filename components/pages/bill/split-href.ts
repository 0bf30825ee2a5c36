import type { BillPage } from '../../lib/page-data.ts'
import { withQuery } from '../../paths.ts'

/** The address of a way to pay, with the tips and the way of paying that are chosen. */
export function splitHref({ href, choice }: BillPage, split: string): string {
  if (!choice) return withQuery(href, { split })
  const { tip, ownTip, way } = choice
  return withQuery(href, {
    split,
    tip: tip === null ? 'own' : tip || null,
    tip_sum: tip === null ? ownTip : null,
    payment: way,
  })
}
