import type { BookedTable } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'

/** The way to the bill of a table that was given back, which has the receipts: none where nothing was paid. */
export function PaidBill({ table: { bill, ahead } }: { table: BookedTable }) {
  const t = useText()
  if (!bill || !ahead || ahead.charged + ahead.refund === 0) return null
  return (
    <Link className="link" to={bill}>
      {t('booking.billPaid')}
    </Link>
  )
}
