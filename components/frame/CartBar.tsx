import { useSyncExternalStore } from 'react'
import { useCart } from '../lib/cart/cart.tsx'
import { useLive } from '../lib/live/live.ts'
import { isPoor, watchConnection } from '../lib/net/connection.ts'
import { useShell } from '../lib/page/shell.ts'
import { Link } from '../lib/router/Link.tsx'
import { useText } from '../lib/text/text.tsx'
import { paths } from '../paths.ts'
import { Sum } from '../ui/Money.tsx'
import './bar.css'

type Props = {
  /** Of the venue that the page is about. */
  at: number | undefined
  /** The navigation bar lies under it. */
  nav: boolean
  /** The page shows the cart beside it when there is room. */
  beside: boolean
}

/** How much is in the cart, and the way to it. It comes with the first dish. */
export function CartBar({ at, nav, beside }: Props) {
  const t = useText()
  const shell = useShell()
  const { cart, count, pending } = useCart()
  const closed = useLive((live) => live.open && live.venueId === cart?.venueId && !live.open.open)
  const poor = useSyncExternalStore(watchConnection, isPoor, () => false)
  if (count === 0) return null
  const name = cart && at && cart.venueId !== at ? cart.venueName : ''
  const percent = cart?.servicePercent
  return (
    <Link className="bar" to={paths.cart()} data-nav={nav || undefined} data-beside={beside || undefined}>
      <b key={count} className="num roll">
        {count}
      </b>
      <span>
        {cart?.lines.some((line) => line.problem)
          ? t('cart.problems')
          : closed
            ? t('venue.closed')
            : t('cart.title')}
        {name ? <small>{name}</small> : null}
      </span>
      {/* Without a network the sum stays behind the pieces for as long: none is better than a wrong one. */}
      <span className="num" aria-busy={pending || undefined} hidden={pending && poor}>
        {cart ? (
          <b key={cart.total} className="roll">
            <Sum of={cart.total} money={cart.money ?? shell.money} />
          </b>
        ) : null}
        {percent && !name ? <small>{t('venue.plusService', { percent })}</small> : null}
      </span>
    </Link>
  )
}
