import type { PageRest } from '../../lib/page/pages.ts'
import { keptOrder } from '../../parts/order/kept-order.ts'

export const rest: PageRest<'thankYou'> = { isAtStake: true, order: keptOrder }
