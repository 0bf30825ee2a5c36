import { formatDate } from '../../lib/format/format.ts'
import type { PlacedOrder } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { OrderSum } from './OrderSum.tsx'
import { Refunded } from './Refunded.tsx'
import { statusHeader } from './status-labels.ts'
import './placed-here.css'

/** Orders placed in this browser, which may open their pages. */
export function PlacedHere({ orders }: { orders: PlacedOrder[] }) {
  const t = useText()
  return (
    <ul className="placed">
      {orders.map((order) => (
        <li key={order.href}>
          <Link className="card" to={order.href}>
            <b>{order.unpaid ? t('order.awaiting') : statusHeader(t, order)}</b>
            <span className="soft">{t('head.order.title', { number: order.number })}</span>
            {order.venue ? <span className="soft">{order.venue}</span> : null}
            <span className="soft num">{formatDate(order.at, order.utcOffset, t.lang)}</span>
            <OrderSum sum={order.sum} money={order.money} uncharged={order.uncharged} />
            {order.uncharged ? <span className="soft">{t('order.noCharge')}</span> : null}
            {order.refund ? <Refunded sum={order.refund} money={order.money} /> : null}
          </Link>
        </li>
      ))}
    </ul>
  )
}
