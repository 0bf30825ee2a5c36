import { formatDate, formatMoney } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BookedTable, OrderedAhead } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'

type Props = {
  table: BookedTable
  /** Its guest waits for the money: what becomes of it is heard. */
  waits?: boolean
}

/** When and where a table is booked, for how many, in whose name, with what request and which dishes. */
export function Facts({ table, waits }: Props) {
  const { venue, at, guests, name, comment, ahead } = table
  const t = useText()
  const shell = useShell()
  const offset = venue?.utcOffset ?? shell.utcOffset
  // 0 is Monday.
  const weekday = (new Date(at + offset * 60_000).getUTCDay() + 6) % 7
  return (
    <div className="facts">
      <p className="num">
        <b>
          {t.maybe(`booking.weekday${weekday}`)}, {formatDate(at, offset, t.lang)}
        </b>
      </p>
      {venue ? (
        <>
          <p>{venue.name}</p>
          <p className="soft">{venue.address}</p>
        </>
      ) : null}
      <p className="soft">{t('booking.for', { count: guests, name })}</p>
      {comment ? <p className="soft">{t('booking.asked', { comment })}</p> : null}
      {ahead ? (
        <p>
          {t('booking.ordered', { count: ahead.count, sum: formatMoney(ahead.sum, ahead.money) })}
          {table.canceled ? null : ` · ${paymentOf(t, ahead)}`}
        </p>
      ) : null}
      {ahead && table.canceled ? <p role={waits ? 'status' : undefined}>{moneyOf(t, ahead, waits)}</p> : null}
    </div>
  )
}

/** What became of the money, once the table was given back: just after it, it takes its minutes. */
function moneyOf(t: Text, { charged, refund, money }: OrderedAhead, waits = false): string {
  if (refund > 0) return t('orders.refund', { sum: formatMoney(refund, money) })
  if (charged === 0) return t('order.noCharge')
  return t(waits ? 'order.refundWaits' : 'booking.notRefunded', { sum: formatMoney(charged, money) })
}

/** How much of it is paid. */
function paymentOf(t: Text, { sum, left, money }: OrderedAhead): string {
  if (left === 0) return t('booking.paid')
  return left === sum ? t('booking.unpaid') : t('booking.toPay', { sum: formatMoney(left, money) })
}
