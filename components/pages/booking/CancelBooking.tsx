import { formatPhone } from '../../lib/format/phone.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BookedTable } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Facts } from './Facts.tsx'

/** Asks before a table is given back: it may not be free a second time. */
export function CancelBooking({ table }: { table: BookedTable }) {
  const t = useText()
  const shell = useShell()
  const phone = table.venue?.phone
  return (
    <section className="card leaving" aria-labelledby="leaving">
      {/* biome-ignore lint/a11y/noAutofocus: it is the question that the guest was led to */}
      <h2 id="leaving" tabIndex={-1} autoFocus>
        {t('booking.cancelAsk')}
      </h2>
      <Facts table={table} />
      <p>{t('booking.cancelText')}</p>
      {/* What is paid for at a venue is given back by the venue. */}
      {table.bill ? <p>{t('booking.cancelAhead')}</p> : null}
      {table.bill && phone ? (
        <p>
          <a className="link num" href={shell.kiosk ? undefined : phone.href}>
            {t('booking.call', { number: formatPhone(phone.text) })}
          </a>
        </p>
      ) : null}
      <form method="post" action={actions.cancelBooking(table.id)}>
        {/* What is paid meanwhile is shown first. */}
        {table.ahead ? <input type="hidden" name="left" value={table.ahead.left} /> : null}
        <Button>{t('booking.cancel')}</Button>
      </form>
      <Link className="button" data-quiet to={paths.booking()} replace>
        {t('booking.keep')}
      </Link>
    </section>
  )
}
