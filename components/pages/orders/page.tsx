import { formatDate, formatMoney } from '../../lib/format/format.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { NextTable, OrderedAhead, OrderRow, OrdersPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useAsking } from '../../lib/router/use-asking.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { RepeatOrder } from '../../parts/cart/RepeatOrder.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { OrderPad } from '../../parts/message/OrderPad.tsx'
import { OrderSum } from '../../parts/order/OrderSum.tsx'
import { PlacedHere } from '../../parts/order/PlacedHere.tsx'
import { Refunded } from '../../parts/order/Refunded.tsx'
import { headerOf, STATUS_ICONS } from '../../parts/order/status-labels.ts'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'
import '../../ui/chip.css'
import '../../frame/nav.css'
import './orders.css'

export const title: PageTitle<'orders'> = (_, t) => t('head.orders.title')

export const frame: PageFrame<'orders'> = { back: null, bar: true }

type Props = { data: OrdersPage }

/** An order on its way moves within minutes; milliseconds. */
const INTERVAL = 20_000

/** What the guest has ordered: what is on its way first, then by its time. */
export function Page({ data }: Props) {
  const t = useText()
  const { service, services, orders, here, page, lastPage } = data
  useAsking(orders.some((order) => !order.final) || data.tables.some(({ ahead }) => ahead?.waits), INTERVAL)
  return (
    <div className="orders">
      <h1>{t('head.orders.title')}</h1>
      {services.length > 1 && !(isBare(data) && service === null) ? (
        <nav className="chips" aria-label={t('orders.filter')}>
          <Link className="chip" to={paths.orders()} aria-current={service === null || undefined}>
            {t('orders.all')}
          </Link>
          {services.map((one) => (
            <Link
              key={one}
              className="chip"
              to={paths.orders({ type: one })}
              aria-current={one === service || undefined}
            >
              {t(`service.${one}`)}
            </Link>
          ))}
        </nav>
      ) : null}
      <Tables tables={data.tables} />
      {data.failed ? (
        <Failed data={data} />
      ) : orders.length > 0 ? (
        <ul>
          {orders.map((order) => (
            <Row key={order.id} order={order} />
          ))}
        </ul>
      ) : here.length > 0 || (data.tables.length > 0 && service === null) ? null : (
        // A guest who has booked, and perhaps ordered ahead, is not told that there is nothing.
        <Nothing data={data} />
      )}
      {lastPage > 1 ? (
        <nav className="more" aria-label={t('orders.pages')}>
          {page > 1 ? (
            <Link className="button" data-quiet to={paths.orders({ type: service, page: page - 1 })}>
              {t('orders.previous')}
            </Link>
          ) : null}
          {page < lastPage ? (
            <Link className="button" data-quiet to={paths.orders({ type: service, page: page + 1 })}>
              {t('orders.more')}
            </Link>
          ) : null}
        </nav>
      ) : null}
      {here.length > 0 ? (
        <section aria-labelledby="here">
          <h2 id="here">{t('orders.here')}</h2>
          <PlacedHere orders={here} />
        </section>
      ) : null}
    </div>
  )
}

/** A guest who looks for a booking looks here first. */
function Tables({ tables }: Pick<OrdersPage, 'tables'>) {
  const t = useText()
  if (tables.length === 0) return null
  return (
    <ul className="note" data-info>
      {tables.map((table) => (
        <li key={table.id}>
          <Link className="link" to={paths.booking({ booking: table.id })}>
            {t(table.canceled ? 'orders.tableCanceled' : 'orders.table', {
              venue: table.venue,
              at: formatDate(table.at, table.utcOffset, t.lang),
            })}
          </Link>
          {table.bill ? (
            <Link className="link num" to={table.bill}>
              {aheadText(t, table)}
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** What was ordered ahead with a table: its sum, and what of it is to be paid by when. */
function aheadText(t: Text, { ahead, canceled, utcOffset }: NextTable): string {
  if (!ahead) return t('orders.ahead')
  if (canceled) return backText(t, ahead)
  const [sum, left] = [formatMoney(ahead.sum, ahead.money), formatMoney(ahead.left, ahead.money)]
  if (ahead.left === 0) return t('orders.aheadPaid', { sum })
  if (ahead.payUntil === null) return t('orders.aheadLeft', { sum, left })
  const at = formatDate(ahead.payUntil, utcOffset, t.lang)
  return ahead.left === ahead.sum
    ? t('orders.aheadUnpaid', { sum, at })
    : t('orders.aheadToPay', { sum, left, at })
}

/** What becomes of the money for a table that was given back; what only bonuses have paid its bill tells. */
function backText(t: Text, { charged, refund, money }: OrderedAhead): string {
  if (refund > 0) return t('orders.refund', { sum: formatMoney(refund, money) })
  return charged > 0 ? t('orders.aheadWaits', { sum: formatMoney(charged, money) }) : t('orders.ahead')
}

const isBare = ({ orders, failed }: OrdersPage) => orders.length === 0 && !failed

function Row({ order }: { order: OrderRow }) {
  const t = useText()
  const { id, number, status, sum, uncharged, refund, venue, town, at, words, utcOffset, money } = order
  const time = at === null ? words : formatDate(at, utcOffset, t.lang)
  return (
    <li className="card" data-status={status}>
      <Link to={paths.orderInfo(id)}>
        <Icon name={STATUS_ICONS[status]} />
        <span>
          <b>{headerOf(t, order)}</b>
          <span className="soft">{t('orders.numbered', { number })}</span>
          <span className="soft">{venue}</span>
          <span className="soft num">{town && time ? `${time}, ${town}` : time}</span>
          {refund ? <Refunded sum={refund} money={money} /> : null}
          {uncharged ? <span className="soft">{t('order.noCharge')}</span> : null}
        </span>
        <OrderSum sum={sum} money={money} uncharged={uncharged} />
      </Link>
      {/* What has no service was taken out of a fridge. */}
      {order.final && order.service ? <RepeatOrder order={id} quiet /> : null}
    </li>
  )
}

function Failed({ data: { service, page } }: Props) {
  const t = useText()
  return (
    <NoAnswer
      title={t('orders.failed')}
      text={t('orders.failedText')}
      href={paths.orders({ type: service, page })}
    />
  )
}

function Nothing({ data: { service } }: Props) {
  const t = useText()
  const { home } = useShell()
  if (service !== null) {
    return (
      <Empty scene={<OrderPad />} title={t('orders.noneOf')}>
        <Link className="button" to={paths.orders()}>
          {t('orders.showAll')}
        </Link>
      </Empty>
    )
  }
  return (
    <Empty scene={<OrderPad />} title={t('orders.emptyTitle')} text={t('orders.emptyText')}>
      <Link className="button" to={home}>
        {t('app.toHome')}
      </Link>
    </Empty>
  )
}
