import { formatMoney } from '../../lib/format/format.ts'
import type { MoneyFormat } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'

/** What of an order's sum is given back. */
export function Refunded({ sum, money }: { sum: number; money: MoneyFormat }) {
  const t = useText()
  return <span className="soft num">{t('orders.refund', { sum: formatMoney(sum, money) })}</span>
}
