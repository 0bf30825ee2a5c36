import type { ReadingOrder } from '../../lib/page/pages.ts'
import type { OrderPage } from '../../lib/page-data.ts'

/** What the page of an order says at this moment; its stream may have brought more than its data. */
export const offlineOrder: ReadingOrder<OrderPage> = ({ number, venue, utcOffset }, said) => {
  const status = said('.now [role="status"]')
  const readAt = Number(document.querySelector<HTMLElement>('[data-read]')?.dataset.read)
  return status ? { number, venue: venue.name, status, utcOffset, readAt } : null
}
