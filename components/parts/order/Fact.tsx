import type { ReactNode } from 'react'
import { formatMoney } from '../../lib/format/format.ts'
import type { OrderPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'

type Props = { name: string; value: ReactNode; num?: true }

/** A line of what is known of an order; none without a value. */
export function Fact({ name, value, num }: Props) {
  if (!value) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd className={num && 'num'}>{value}</dd>
    </div>
  )
}

/** The bonuses that an order earns: until it is over they are only to be credited. */
export function Cashback({ order: { cashback, final, money } }: { order: OrderPage }) {
  const t = useText()
  return (
    <Fact
      name={t(final ? 'order.cashback' : 'order.cashbackLater')}
      value={cashback && formatMoney(cashback, money)}
      num
    />
  )
}
