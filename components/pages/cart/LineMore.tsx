import { formatMoney } from '../../lib/format/format.ts'
import type { CartLine, MoneyFormat } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { OVER } from '../../parts/dish/dish-links.ts'
import { paths } from '../../paths.ts'

type Props = {
  line: CartLine
  venueId: number
  money: MoneyFormat
  /** Some of it is ordered already: its choice stays. */
  fixed: boolean
}

/** What only the cart's own page tells of a line: how a promo's limit splits it, and the way to change it. */
export function LineMore({ line, venueId, money, fixed }: Props) {
  const t = useText()
  return (
    <>
      {line.regular ? (
        <p className="soft">
          {t('cart.split', {
            promo: line.qty - line.regular.qty,
            price: formatMoney(line.price, money),
            regular: line.regular.qty,
            full: formatMoney(line.regular.price, money),
          })}
        </p>
      ) : null}
      {fixed || line.problem === 'gone' ? null : (
        <Link
          className="link edit"
          to={paths.menu(venueId, { item: line.productId, line: line.id })}
          state={OVER}
          aria-label={t('cart.editLine', { name: line.name })}
        >
          {t('cart.edit')}
        </Link>
      )}
    </>
  )
}
