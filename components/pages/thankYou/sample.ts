import { ORDER } from '../../lib/page/sample-order.ts'
import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'thankYou'> = [
  { url: '/typ/1013/order/o_1', data: { ...ORDER, status: 'created', rank: 1, canCancel: true } },
  { url: '/typ/1013/order/o_1', data: { ...ORDER, service: 'takeaway', table: null } },
]
