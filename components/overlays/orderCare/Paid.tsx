import { formatMoney } from '../../lib/format/format.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Fact } from '../../parts/order/Fact.tsx'

/** What was paid by what, what it earned, and the provider's receipt (PY-11, PY-17). */
export function Paid({ order: { cardSum, cashback, final, money, receipt } }: { order: OrderPage }) {
  const t = useText()
  return (
    <>
      <Fact name={t('order.cardSum')} value={cardSum && formatMoney(cardSum, money)} num />
      <Fact
        name={t(final ? 'order.cashback' : 'order.cashbackLater')}
        value={cashback && formatMoney(cashback, money)}
        num
      />
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
