import { formatDate } from '../../lib/format/format.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Fact } from './Fact.tsx'
import type { Care } from './OrderView.tsx'

type Props = { order: OrderPage; care: Care }

/** When and how it was ordered, and what was paid by what (OR-20, PY-11). */
export function OrderFacts({ order, care: Care }: Props) {
  const t = useText()
  const { createdAt, createdWords, utcOffset } = order
  const created = createdAt === null ? createdWords : formatDate(createdAt, utcOffset, t.lang)
  return (
    <dl className="facts">
      <Fact name={t('order.created')} value={created} num />
      <Fact name={t('order.payment')} value={order.personal && t(`payment.${order.payment}`)} />
      {order.care ? <Care part="paid" order={order} /> : null}
      <Fact name={t('order.comment')} value={order.comment} />
    </dl>
  )
}
