import type { ReactNode } from 'react'
import { formatDate, formatMoney } from '../../lib/format/format.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'

/** When and how it was ordered, and what was paid by what (OR-20, PY-11, PY-17). */
export function OrderFacts({ order }: { order: OrderPage }) {
  const t = useText()
  const { createdAt, createdWords, utcOffset, cardSum, cashback, money, receipt } = order
  const created = createdAt === null ? createdWords : formatDate(createdAt, utcOffset, t.lang)
  return (
    <dl className="facts">
      <Fact name={t('order.created')} value={created} num />
      <Fact name={t('order.table')} value={order.table} />
      <Fact name={t('order.payment')} value={order.personal && t(`payment.${order.payment}`)} />
      <Fact name={t('order.cardSum')} value={cardSum && formatMoney(cardSum, money)} num />
      <Fact name={t('order.cashback')} value={cashback && formatMoney(cashback, money)} num />
      <Fact name={t('order.comment')} value={order.comment} />
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
    </dl>
  )
}

function Fact({ name, value, num }: { name: string; value: ReactNode; num?: true }) {
  if (!value) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd className={num && 'num'}>{value}</dd>
    </div>
  )
}
