import { formatMoney, formatPercent } from '../lib/format.ts'
import type { MoneyFormat, Product } from '../lib/page-data.ts'
import { useText } from '../lib/text.tsx'

type Props = { product: Product; money: MoneyFormat }

/** What a dish costs: the promo price before the struck old one, or the lowest of its sizes (MN-01). */
export function Price({ product, money }: Props) {
  const t = useText()
  const now = formatMoney(product.promo ?? product.price, money)
  return (
    <p className="price num">
      <b>{product.from ? t('menu.from', { price: now }) : now}</b>
      {product.promo === undefined ? null : (
        <>
          {' '}
          <s>
            <span className="vh">{`${t('menu.oldPrice')} `}</span>
            {formatMoney(product.price, money)}
          </s>
        </>
      )}
      {product.percent ? <em>{formatPercent(product.percent)}</em> : null}
    </p>
  )
}
