import { formatMoney } from '../../lib/format/format.ts'
import { formatPhone } from '../../lib/format/phone.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BookedTable, OrderedAhead } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { type Text, useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { BonusesBack } from './BonusesBack.tsx'
import { Facts } from './Facts.tsx'
import '../../ui/destroy.css'

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
      {table.bill ? <p>{moneyOf(t, table.ahead)}</p> : null}
      <BonusesBack ahead={table.ahead} />
      {table.bill && phone ? (
        <p>
          <a className="link num" href={shell.kiosk ? undefined : phone.href}>
            {t('booking.call', { number: formatPhone(phone.text) })}
          </a>
        </p>
      ) : null}
      <form method="post" action={actions.cancelBooking(table.id)} data-bad="">
        {/* What is paid meanwhile is shown first. */}
        {table.ahead ? <input type="hidden" name="left" value={table.ahead.left} /> : null}
        <Button quiet>{t('booking.cancel')}</Button>
      </form>
      <Link className="button" data-quiet to={paths.booking()} replace>
        {t('booking.keep')}
      </Link>
    </section>
  )
}

/** What becomes of what was ordered ahead, and of the money; without a bill that came it is not known how much that is. */
function moneyOf(t: Text, ahead: OrderedAhead | null): string {
  if (!ahead) return t('booking.cancelAhead')
  const { charged, money } = ahead
  return charged > 0
    ? t('booking.cancelPaid', { sum: formatMoney(charged, money) })
    : t('booking.cancelUnpaid')
}
