import { formatMoney } from '../../lib/format/format.ts'
import type { MoneyFormat, Total } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { Money } from '../../ui/Money.tsx'
import './totals.css'

type Props = {
  totals: Total[]
  money: MoneyFormat
  /** The sums are being counted anew. */
  busy?: boolean
  /** Nothing is to be paid any more. */
  settled?: boolean
}

/** Every fee on its own line. */
export function Totals({ totals, money, busy, settled }: Props) {
  const t = useText()
  return (
    <dl className="totals" aria-busy={busy || undefined}>
      {totals.map((total) => (
        <div key={total.kind}>
          <dt>{settled && total.kind === 'total' ? t('sum.sum') : nameOf(t, total)}</dt>
          <dd className="num">
            <Money text={sumOf(t, total, money)} sign={money.symbol} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function nameOf(t: Text, { kind, percent }: Total): string {
  if (kind !== 'service') return t(`sum.${kind}`)
  return percent === undefined ? t('sum.serviceFee') : t('sum.service', { percent })
}

export const sumOf = (t: Text, { kind, sum }: Total, money: MoneyFormat): string =>
  kind === 'delivery' && sum === 0 ? t('menu.free') : formatMoney(sum, money)
