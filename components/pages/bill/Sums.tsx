import type { BillPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Sum } from '../../ui/Money.tsx'
import { leftText } from './left-text.ts'
import { payingOwn } from './paying-own.ts'

/** Every sum on its own line; service with its percentage. */
export function Sums({ bill }: { bill: BillPage }) {
  const t = useText()
  const { goods, percent, service, total, paid, paying, left, money, cashback } = bill
  const own = payingOwn(bill)
  const rows: [string, string, number, boolean][] = [
    ['goods', t('sum.goods'), goods, true],
    ['service', t('sum.service', { percent }), service, service > 0],
    ['total', t('bill.total'), total, true],
    ['paid', t('bill.paid'), paid, paid > 0],
    ['own', t('bill.payingOwn'), own, own > 0],
    ['paying', t('bill.paying'), paying, paying > 0],
    ['left', leftText(t, bill), left, true],
  ]
  return (
    <>
      <dl className="sums">
        {rows.map(([key, name, sum, shown]) =>
          shown ? (
            <div key={key} data-sum={key}>
              <dt>{name}</dt>
              <dd className="num">
                <Sum of={sum} money={money} />
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {cashback === null ? null : (
        <p className="note" data-info>
          {t('bill.cashback', { percent: cashback })}
        </p>
      )}
    </>
  )
}
