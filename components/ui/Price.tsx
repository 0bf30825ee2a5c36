import { formatMoney, formatPercent } from '../lib/format/format.ts'
import type { MoneyFormat, Product } from '../lib/page-data.ts'
import { useText } from '../lib/text/text.tsx'
import { Money } from './Money.tsx'

type Props = { product: Product; money: MoneyFormat }

/** What a dish costs: the promo price before the struck old one, or the lowest of its sizes (MN-01). */
export function Price({ product, money }: Props) {
  const t = useText()
  const sum = product.promo ?? product.price
  // Zero and nothing are no prices: the words say which of them it is (MN-15).
  if (product.unpriced || sum === 0) {
    const words = product.unpriced ? 'menu.noPrice' : product.options ? 'menu.byChoice' : 'menu.free'
    return (
      <p className="price" data-unpriced={product.unpriced}>
        {t(words)}
      </p>
    )
  }
  const now = formatMoney(sum, money)
  return (
    <p className="price num">
      <b>
        <Money text={product.from ? t('menu.from', { price: now }) : now} sign={money.symbol} />
      </b>
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
