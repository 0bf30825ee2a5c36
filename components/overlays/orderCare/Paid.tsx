import { formatMoney } from '../../lib/format/format.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Cashback, Fact } from '../../parts/order/Fact.tsx'

/** What was paid by what, what it earned, and the provider's receipt (PY-11, PY-17). */
export function Paid({ order }: { order: OrderPage }) {
  const t = useText()
  const { cardSum, money, receipt } = order
  return (
    <>
      <Fact name={t('order.cardSum')} value={cardSum && formatMoney(cardSum, money)} num />
      <Cashback order={order} />
      {receipt ? (
        <div>
          <dt className="vh">{t('order.receipt')}</dt>
          <dd>
            <a className="link" href={receipt} target="_blank" rel="noopener noreferrer">
              {t('order.receipt')}
            </a>
          </dd>
        </div>
      ) : null}
    </>
  )
}
