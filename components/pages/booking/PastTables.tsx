import type { BookedTable } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import { Facts } from './Facts.tsx'
import { PaidBill } from './PaidBill.tsx'

/** Tables whose time is over, and those that were given back: what became of each, and another one there. */
export function PastTables({ tables }: { tables: readonly BookedTable[] }) {
  const t = useText()
  if (tables.length === 0) return null
  return (
    <details className="past">
      <summary className="link">{t('booking.past', { count: tables.length })}</summary>
      <ul className="booked">
        {tables.map((table) => (
          <li key={table.id} className="card">
            <Facts table={table} />
            <p data-bad={table.canceled ? '' : undefined}>
              <b>{t(table.canceled ? 'booking.stateCanceled' : 'booking.stateOver')}</b>
            </p>
            <div className="ways">
              {table.canceled ? (
                <PaidBill table={table} />
              ) : table.bill ? (
                <Link className="link" to={table.bill}>
                  {t('booking.bill')}
                </Link>
              ) : null}
              {table.venue ? (
                <Link className="link" to={paths.booking({ filial: table.venue.id })}>
                  {t('booking.here')}
                </Link>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}
