import { formatDate, formatMoney } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { BookedTable } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import '../../ui/button.css'

type Props = {
  table: BookedTable
  /** The one action of its page. */
  main: boolean
}

/** The way to pay for a preorder, and until when; nothing where it is paid, or can't be paid online. */
export function PayAhead({ table: { venue, bill, ahead }, main }: Props) {
  const t = useText()
  const shell = useShell()
  if (!bill || !ahead || ahead.payUntil === null) return null
  const at = formatDate(ahead.payUntil, venue?.utcOffset ?? shell.utcOffset, t.lang)
  return (
    <>
      <p>{t('booking.payUntil', { at })}</p>
      <div className="ways">
        <Link className="button" data-quiet={main ? undefined : ''} to={bill}>
          {t('booking.pay', { sum: formatMoney(ahead.left, ahead.money) })}
        </Link>
      </div>
    </>
  )
}
