import { useCart } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import type { Venue } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Button } from '../../ui/Button.tsx'

type Props = { venue: Venue }

/** What was scanned or chosen here so far: it is what the door will be settled with, by the button under it. */
export function Basket({ venue }: Props) {
  const t = useText()
  const { cart, lineQuantity, pending } = useCart()
  const lines = cart?.filialId === venue.id ? cart.lines : []
  if (!cart || lines.length === 0) {
    return (
      <>
        <p className="soft">{t('fridge.nothing')}</p>
        <Button>{t('fridge.shut')}</Button>
      </>
    )
  }
  return (
    <>
      <dl className="taken">
        {lines.map((line) => (
          <div key={line.id}>
            <dt>
              {line.name} <span className="num soft">× {lineQuantity(line.id)}</span>
            </dt>
            <dd className="num">{formatMoney(line.sum, venue.money)}</dd>
          </div>
        ))}
        <div>
          <dt>{t('sum.total')}</dt>
          <dd className="num" aria-busy={pending || undefined}>
            <b>{formatMoney(cart.total, venue.money)}</b>
          </dd>
        </div>
      </dl>
      <Button>{t('fridge.close')}</Button>
    </>
  )
}
