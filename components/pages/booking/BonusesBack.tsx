import { formatMoney } from '../../lib/format/format.ts'
import type { OrderedAhead } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'

/** What bonuses have paid of a preorder comes back with its table, beside the money. */
export function BonusesBack({ ahead }: { ahead: OrderedAhead | null }) {
  const t = useText()
  if (!ahead || ahead.bonuses === 0) return null
  return <p>{t('booking.bonusesBack', { sum: formatMoney(ahead.bonuses, ahead.money) })}</p>
}
