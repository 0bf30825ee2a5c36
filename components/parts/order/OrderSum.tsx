import type { MoneyFormat } from '../../lib/page-data.ts'
import { Sum } from '../../ui/Money.tsx'

type Props = { sum: number | null; money: MoneyFormat; uncharged: boolean | undefined }

/** The sum of an order in a list; one that was never charged is no sum that was paid. */
export function OrderSum({ sum, money, uncharged }: Props) {
  if (sum === null) return null
  const written = <Sum of={sum} money={money} />
  return uncharged ? <span className="soft num">{written}</span> : <b className="num">{written}</b>
}
