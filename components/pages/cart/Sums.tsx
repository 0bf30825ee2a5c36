import type { MoneyFormat, Total } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { nameOf, sumOf, Totals } from '../../parts/cart/Totals.tsx'
import { Sum } from '../../ui/Money.tsx'

type Props = {
  totals: Total[]
  money: MoneyFormat
  busy: boolean
  /** Bringing it comes on top, for a sum that is not known yet. */
  plus: boolean
}

/** What is to be paid, which opens into what it consists of; what is added to the dishes is told before that. */
export function Sums({ totals, money, busy, plus }: Props) {
  const t = useText()
  const total = totals.find(({ kind }) => kind === 'total')
  const parts = totals.filter(({ kind }) => kind !== 'total' && kind !== 'goods')
  if (!total || parts.length === 0) {
    return (
      <section className="card" aria-label={t('sum.sum')}>
        <Totals totals={total ? [total] : totals} money={money} busy={busy} />
        {plus ? <p className="soft">{t('cart.plusDelivery')}</p> : null}
      </section>
    )
  }
  return (
    <details className="card row sums" aria-busy={busy || undefined}>
      <summary>
        <span>
          {nameOf(t, total)}
          <span className="soft">
            {[
              ...parts.map((part) => `${nameOf(t, part)}: ${sumOf(t, part, money)}`),
              ...(plus ? [t('cart.plusDelivery')] : []),
            ].join(' · ')}
          </span>
        </span>
        <b className="num">
          <Sum of={total.sum} money={money} />
        </b>
      </summary>
      <Totals totals={totals} money={money} busy={busy} />
    </details>
  )
}
