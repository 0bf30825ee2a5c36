import { useCart } from '../lib/cart/cart.tsx'
import { formatMoney } from '../lib/format/format.ts'
import { useLive } from '../lib/live/live.ts'
import type { MoneyFormat, Venue } from '../lib/page-data.ts'
import { Link } from '../lib/router/Link.tsx'
import { useText } from '../lib/text/text.tsx'
import { paths } from '../paths.ts'
import './bar.css'

type Props = {
  money: MoneyFormat
  /** The venue of the page: what its own cart will cost more is said. */
  venue: Venue | undefined
  /** The navigation bar lies under it. */
  nav: boolean
  /** The page shows the cart beside it when there is room. */
  beside: boolean
}

/** How much is in the cart, and the way to it. It comes with the first dish. */
export function CartBar({ money, venue, nav, beside }: Props) {
  const t = useText()
  const { cart, count, pending } = useCart()
  const closed = useLive((live) => live.open && live.filialId === cart?.filialId && !live.open.open)
  if (count === 0) return null
  const percent = venue?.id === cart?.filialId && venue?.servicePercent
  const sum = cart ? formatMoney(cart.total, money) : ''
  return (
    <Link className="bar" to={paths.cart()} data-nav={nav || undefined} data-beside={beside || undefined}>
      <b className="num">{count}</b>
      <span>
        {cart?.lines.some((line) => line.problem)
          ? t('cart.problems')
          : closed
            ? t('venue.closed')
            : t('cart.title')}
      </span>
      <span className="num" aria-busy={pending || undefined}>
        {sum}
        {percent ? <small>+ {t('venue.service', { percent })}</small> : null}
      </span>
    </Link>
  )
}
