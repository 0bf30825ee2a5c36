import { formatMoney } from '../../lib/format/format.ts'
import type { BillPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useAsking } from '../../lib/router/use-asking.ts'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { paths } from '../../paths.ts'
import { Receipt } from './Receipt.tsx'
import { Waiter } from './Waiter.tsx'
import '../../ui/button.css'
import '../../ui/note.css'

/** The waiter may open the bill at any moment. */
const AGAIN = 10_000

/** A table without a bill (PY-07), or one whose bill is closed: nothing of it is shown but the guest's own parts. */
export function Gone({ bill }: { bill: BillPage }) {
  const t = useText()
  const { state, href, venueId, mine, money } = bill
  const isMissing = state === 'notFound'
  // So may the money of a table that was given back come.
  const waits = bill.canceled === true && bill.refund === undefined && bill.paid > 0
  useAsking(isMissing || waits, AGAIN)

  const menu =
    venueId === null ? null : (
      <Link className="button" data-quiet to={paths.menu(venueId)}>
        {t('cart.toMenu')}
      </Link>
    )
  const problem =
    (bill.problem === 'waiter' || bill.problem === 'often') && bill.waiterIn === 0 ? (
      <p className="note" data-bad role="alert">
        {t(`bill.problem.${bill.problem}`)}
      </p>
    ) : null
  // A guest who has called the waiter is told of that, not of the bill.
  if (isMissing && (bill.calling || bill.waiterIn > 0)) {
    return (
      <>
        <h1>{t('bill.call')}</h1>
        {problem}
        <Waiter bill={bill} asked />
      </>
    )
  }
  if (isMissing) {
    return (
      <Empty page scene={<Receipt closed={false} />} title={t('bill.notFound')} text={t('bill.notFoundText')}>
        <a className="button" href={href}>
          {t('bill.refresh')}
        </a>
        {venueId === null || bill.preorder ? null : (
          <>
            {/* A page of its own: only its document may use the camera. */}
            <a className="button" data-quiet="" href={paths.barcodeScanner(venueId, { table: 1 })}>
              {t('bill.rescan')}
            </a>
            <noscript>
              <p>{t('bill.rescanHow')}</p>
            </noscript>
          </>
        )}
        {problem}
        {bill.callsWaiter ? <Waiter bill={bill} /> : null}
        {menu}
      </Empty>
    )
  }
  const paid = mine.filter((part) => part.paid)
  const back =
    bill.refund === undefined
      ? waits
        ? t('order.refundWaits', { sum: formatMoney(bill.paid, money) })
        : t('order.noCharge')
      : t('bill.closedRefundText', { sum: formatMoney(bill.refund, money) })
  const said: [string, string] = bill.canceled
    ? [t('bill.canceled'), back]
    : bill.refund !== undefined
      ? [t('bill.closed'), back]
      : paid.length > 0
        ? [t('bill.closedPaid'), t('bill.closedThanks')]
        : bill.paidInFull
          ? [t('bill.closedPaid'), t('bill.allPaid')]
          : [t('bill.closed'), t('bill.closedText')]
  return (
    <Empty page scene={<Receipt closed />} title={said[0]} text={said[1]}>
      {mine.map((part) => (
        <Link key={part.href} className="button" to={part.href}>
          {t(part.paid ? 'bill.closedDetails' : 'bill.ownPaying', { sum: formatMoney(part.due, money) })}
        </Link>
      ))}
      {bill.tableHref === null ? null : (
        <Link className="button" data-quiet to={bill.tableHref}>
          {t('bill.tableNow')}
        </Link>
      )}
      {problem}
      {bill.callsWaiter ? <Waiter bill={bill} asked={bill.calling} /> : null}
      {menu}
    </Empty>
  )
}
