import type { PageRest } from '../../lib/page/pages.ts'
import { offlineOrder } from '../../parts/order/offline-order.ts'

export const rest: PageRest<'orderInfo'> = { order: offlineOrder }
