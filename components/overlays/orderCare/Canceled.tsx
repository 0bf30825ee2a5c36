import { formatMoney } from '../../lib/format/format.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { VenueContact } from '../../parts/order/VenueContact.tsx'

/** Two promises: what is called off comes back at once, what came too late within a day (PY-12). */
const REFUNDS = {
  nothing: 'order.noCharge',
  minutes: 'order.refund',
  day: 'order.refundDay',
} as const

/** Why there will be no order, what becomes of the money, and whom to ask (OR-04). */
export function Canceled({ order }: { order: OrderPage }) {
  const t = useText()
  const { reason, refund, money, totals } = order
  // They are told as what comes off the sum.
  const bonus = totals.find(({ kind }) => kind === 'bonus')
  return (
    <>
      {reason ? <p>{t('order.reason', { reason })}</p> : null}
      <p>{t(REFUNDS[refund?.promise ?? 'nothing'])}</p>
      {refund?.sum ? <p>{t('order.refundSum', { sum: formatMoney(refund.sum, money) })}</p> : null}
      {bonus ? <p>{t('care.bonusBack', { sum: formatMoney(-bonus.sum, money) })}</p> : null}
      <VenueContact order={order} />
    </>
  )
}
