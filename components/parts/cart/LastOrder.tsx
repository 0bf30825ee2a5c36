import type { RepeatCard } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { RepeatOrder } from './RepeatOrder.tsx'
import './last-order.css'

/** The last order, to be had again in one tap. */
export function LastOrder({ card }: { card: RepeatCard }) {
  const t = useText()
  return (
    <section className="card last-order" aria-labelledby="again">
      <div>
        <h2 id="again">{card.venue}</h2>
        <p className="soft num">{t('repeat.title', { number: card.number })}</p>
        <p>{card.lines.join(', ')}</p>
      </div>
      <RepeatOrder order={card.order} quiet />
    </section>
  )
}
