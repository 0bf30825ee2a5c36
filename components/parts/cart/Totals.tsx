import type { MoneyFormat, Total } from '../../lib/page-data.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { Sum } from '../../ui/Money.tsx'
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
            {total.kind === 'delivery' && total.sum === 0 ? (
              t('menu.free')
            ) : (
              <Sum of={total.sum} money={money} />
            )}
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
