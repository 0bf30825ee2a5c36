import { formatDate } from '../../lib/format/format.ts'
import { formatPhone } from '../../lib/format/phone.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BookedTable } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import { Facts } from './Facts.tsx'
import { PayAhead } from './PayAhead.tsx'

type Props = {
  tables: readonly BookedTable[]
  /** The page is about them: what is to be paid is its one action. */
  main?: boolean
}

/** Booked tables: when, where, for how many; paid for, into the calendar, or given back. */
export function BookedTables({ tables, main = false }: Props) {
  const t = useText()
  const shell = useShell()
  return (
    <ul className="booked">
      {tables.map((table) => {
        const { id, venue, at, bill, ahead } = table
        const when = formatDate(at, venue?.utcOffset ?? shell.utcOffset, t.lang)
        return (
          <li key={id} className="card">
            <Facts table={table} />
            <PayAhead table={table} main={main} />
            <div className="ways">
              {/* A file of the server: the router has nothing to show for it. A tablet would keep it. */}
              {shell.kiosk ? null : (
                <a className="button" data-quiet href={paths.bookingCalendar(id)} download>
                  {t('booking.calendar')}
                </a>
              )}
              {bill && !ahead?.payUntil ? (
                <Link className="link" to={bill}>
                  {t('booking.bill')}
                </Link>
              ) : null}
              {venue ? (
                <Link className="link" to={paths.menu(venue.id)}>
                  {t('booking.menu')}
                </Link>
              ) : null}
              {venue?.phone ? (
                // A tablet does not call: there the number is read, and no link.
                <a className="link num" href={shell.kiosk ? undefined : venue.phone.href}>
                  {t('booking.call', { number: formatPhone(venue.phone.text) })}
                </a>
              ) : null}
              <Link
                className="link"
                data-bad
                to={paths.booking({ cancel: id })}
                aria-label={t('booking.cancelOf', { venue: venue?.name ?? '', at: when })}
              >
                {t('booking.cancel')}
              </Link>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
