import { useCart } from '../../lib/cart/cart.tsx'
import type { Venue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { BriefLine } from '../../parts/cart/BriefLine.tsx'
import { paths } from '../../paths.ts'
import { Sum } from '../../ui/Money.tsx'

type Props = { venue: Venue }

/** The cart beside the menu, where there is room for it (from 768 px). */
export function MenuCart({ venue }: Props) {
  const t = useText()
  const { cart, count, pending } = useCart()
  const lines = cart?.lines ?? []
  return (
    <aside className="beside card" aria-labelledby="beside">
      <h2 id="beside">{t('cart.title')}</h2>
      {cart && lines.length > 0 && count > 0 ? (
        <>
          {cart.venueId !== venue.id && <p className="soft">{cart.venueName}</p>}
          <ul>
            {lines.map((line) => (
              <BriefLine key={line.id} line={line} money={venue.money} back={paths.menu(venue.id)} />
            ))}
          </ul>
          {cart.servicePercent ? (
            <p className="soft">{t('venue.plusService', { percent: cart.servicePercent })}</p>
          ) : null}
          <Link className="button" to={paths.cart()}>
            {t(lines.some((line) => line.problem) ? 'cart.problems' : 'cart.checkout')}
            <span className="num" aria-busy={pending || undefined}>
              <Sum of={cart.total} money={venue.money} />
            </span>
          </Link>
        </>
      ) : (
        <p className="soft">{t('cart.emptyText')}</p>
      )}
    </aside>
  )
}
