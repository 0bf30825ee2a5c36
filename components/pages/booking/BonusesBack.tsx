import { formatMoney } from '../../lib/format/format.ts'
import type { OrderedAhead } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'

type Props = {
  ahead: OrderedAhead | null
  /** The table was given back: what has come back of it is said, too. */
  done?: boolean
}

/** What bonuses have paid of a preorder comes back with its table; those that were promised for paying do not come. */
export function BonusesBack({ ahead, done = false }: Props) {
  const t = useText()
  if (!ahead) return null
  const { bonuses, refundedBonuses, earns, money } = ahead
  return (
    <>
      {bonuses > 0 ? <p>{t('booking.bonusesBack', { sum: formatMoney(bonuses, money) })}</p> : null}
      {done && refundedBonuses > 0 ? (
        <p>{t('booking.bonusesReturned', { sum: formatMoney(refundedBonuses, money) })}</p>
      ) : null}
      {earns ? <p>{t('booking.noCashback')}</p> : null}
    </>
  )
}
