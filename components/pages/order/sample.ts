import { ORDER } from '../../lib/page/sample-order.ts'
import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'order'> = [
  { url: '/filials/1013/order/o_1?key=k', data: ORDER },
  {
    url: '/filials/1013/order/o_1?key=k',
    data: {
      ...ORDER,
      service: 'takeaway',
      nextAt: null,
      nextUntil: null,
      readyAt: null,
      dueAt: ORDER.readAt - 60_000,
      contact: { text: '+77010000012', href: 'tel:+77010000012' },
      table: null,
    },
  },
  {
    url: '/filials/1013/order/o_1?key=k&step=cancel',
    data: { ...ORDER, status: 'created', rank: 1, canCancel: true, cancelling: true, care: true },
  },
  {
    url: '/filials/1013/order/o_1',
    data: {
      ...ORDER,
      status: 'canceled',
      rank: 9,
      final: true,
      reason: '…',
      care: true,
      refund: { promise: 'nothing', sum: null },
      personal: false,
      table: null,
      chat: null,
      lines: [],
      totals: [],
    },
  },
  {
    url: '/filials/1201/order/o_1?key=k',
    data: {
      ...ORDER,
      service: 'takeaway',
      status: 'created',
      rank: 1,
      steps: [
        { status: 'created', at: ORDER.createdAt },
        { status: 'completed', at: null },
      ],
      payment: 'online',
      payHref: '/pay/t',
      nextAt: null,
      nextUntil: null,
      readyAt: null,
      table: null,
      fridge: '/filials/1201/fridge',
    },
  },
  {
    url: '/filials/1201/order/o_1',
    data: {
      ...ORDER,
      service: 'takeaway',
      status: 'canceled',
      rank: 6,
      final: true,
      reason: '…',
      refund: { promise: 'nothing', sum: null },
      personal: false,
      table: null,
      chat: null,
      lines: [],
      totals: [],
      fridge: '/filials/1201/fridge',
    },
  },
]
