import { formatDate } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BookedTable } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'

/** Asks before a table is given back: it may not be free a second time. */
export function CancelBooking({ table: { id, venue, at, guests, name } }: { table: BookedTable }) {
  const t = useText()
  const shell = useShell()
  return (
    <section className="card leaving" aria-labelledby="leaving">
      {/* biome-ignore lint/a11y/noAutofocus: it is the question that the guest was led to */}
      <h2 id="leaving" tabIndex={-1} autoFocus>
        {t('booking.cancelAsk')}
      </h2>
      <p className="num">
        <b>{formatDate(at, venue?.utcOffset ?? shell.utcOffset, t.lang)}</b>
      </p>
      {venue ? (
        <p>
          {venue.name} <span className="soft">{venue.address}</span>
        </p>
      ) : null}
      <p className="soft">{t('booking.for', { count: guests, name })}</p>
      <p>{t('booking.cancelText')}</p>
      <form method="post" action={actions.cancelBooking(id)}>
        <Button>{t('booking.cancel')}</Button>
      </form>
      <Link className="button" data-quiet to={paths.booking()} replace>
        {t('booking.keep')}
      </Link>
    </section>
  )
}
