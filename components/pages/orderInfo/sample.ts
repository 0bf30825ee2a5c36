import { ORDER } from '../../lib/page/sample-order.ts'
import { NOW, type Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'orderInfo'> = [
  {
    url: '/orders/o_1',
    data: {
      ...ORDER,
      service: 'delivery',
      status: 'delivery',
      rank: 4,
      payment: 'online',
      paid: true,
      receipt: 'https://bank.example/receipt/1',
      cardSum: 407_000,
      readyAt: null,
      table: null,
      delivery: {
        address: 'Абай даңғылы, 10',
        entrance: '2',
        floor: '3',
        apartment: '14',
        comment: 'Домофон 14',
        to: { lat: 43.24, lon: 76.94 },
        courier: {
          name: 'Ержан',
          phone: { text: '+77010000001', href: 'tel:+77010000001' },
          transport: 'car',
          at: { lat: 43.25, lon: 76.93 },
          distance: 1200,
        },
        waiting: false,
        credit: null,
      },
    },
  },
  {
    url: '/orders/o_1',
    data: {
      ...ORDER,
      status: 'completed',
      rank: 5,
      final: true,
      nextAt: null,
      nextUntil: null,
      readyAt: null,
      chat: null,
      grade: { asked: true, given: null },
    },
  },
  {
    url: '/orders/o_1',
    data: {
      ...ORDER,
      status: 'created',
      rank: 1,
      createdAt: NOW,
      payment: 'online',
      payHref: '/pay/t',
      canCancel: true,
    },
  },
]
