import type { RepeatCard } from '../../lib/page-data.ts'
import { LastOrder } from '../../parts/cart/LastOrder.tsx'

/** The last order on Home: few visitors have one, and its form is no part of the others' first visit. */
export function Overlay({ card }: { card: RepeatCard }) {
  return <LastOrder card={card} />
}
