import { formatDate } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { PlacedOrder } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import './placed-here.css'

/** What was ordered in this browser: those pages are open to who has ordered. */
export function PlacedHere({ orders }: { orders: PlacedOrder[] }) {
  const t = useText()
  const { utcOffset } = useShell()
  return (
    <ul className="placed">
      {orders.map(({ href, number, status, unpaid, at }) => (
        <li key={href}>
          <Link className="card" to={href}>
            <b>{t(unpaid ? 'strip.unpaid' : `strip.${status}`, { number })}</b>
            <span className="soft num">{formatDate(at, utcOffset, t.lang)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
