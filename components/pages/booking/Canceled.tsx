import { formatPhone } from '../../lib/format/phone.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BookedTable } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useAsking } from '../../lib/router/use-asking.ts'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import { BonusesBack } from './BonusesBack.tsx'
import { Facts } from './Facts.tsx'
import { PaidBill } from './PaidBill.tsx'

/** The bank may take its minutes. */
const AGAIN = 10_000

/** A table that was given back: that it is, and what becomes of the money. */
export function Canceled({ table }: { table: BookedTable }) {
  const t = useText()
  const shell = useShell()
  const { ahead } = table
  const phone = table.venue?.phone
  useAsking(ahead?.waits === true, AGAIN)
  return (
    <section aria-labelledby="gone">
      {/* biome-ignore lint/a11y/noAutofocus: it is the answer to what the guest has pressed */}
      <h2 id="gone" tabIndex={-1} autoFocus>
        {t('booking.cancelled')}
      </h2>
      <div className="card booked">
        <Facts table={table} waits />
        {ahead && ahead.refund > 0 ? <p>{t('order.refund')}</p> : null}
        <BonusesBack ahead={ahead} done />
        <div className="ways">
          <PaidBill table={table} />
          {table.bill && phone ? (
            <a className="link num" href={shell.kiosk ? undefined : phone.href}>
              {t('booking.call', { number: formatPhone(phone.text) })}
            </a>
          ) : null}
        </div>
      </div>
      <Link className="link" to={paths.booking()}>
        {t('booking.again')}
      </Link>
    </section>
  )
}
