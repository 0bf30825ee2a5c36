import { NOW, type Samples, TENGE, VENUE } from '../../lib/page/samples.ts'
import type { OrderPage } from '../../lib/page-data.ts'

const ORDER: OrderPage = {
  id: 'o_1',
  number: 'A-123',
  service: 'express',
  status: 'cooking',
  rank: 2,
  steps: [
    { status: 'created', at: NOW - 60_000 },
    { status: 'cooking', at: NOW },
    { status: 'ready', at: null },
    { status: 'completed', at: null },
  ],
  payment: 'cash',
  createdAt: NOW - 60_000,
  createdWords: null,
  nextAt: NOW + 900_000,
  readyAt: NOW + 900_000,
  readAt: NOW,
  final: false,
  reason: null,
  venue: { id: 1013, name: VENUE.name, address: VENUE.address },
  money: TENGE,
  utcOffset: 300,
  personal: true,
  table: '7',
  pickup: false,
  comment: null,
  lines: [{ name: 'Лағман', qty: 2, sum: 370_000, options: ['Ащы'], note: 'Пиязсыз' }],
  totals: [
    { kind: 'goods', sum: 370_000 },
    { kind: 'service', sum: 37_000, percent: 10 },
    { kind: 'total', sum: 407_000 },
  ],
  events: '/filials/1013/order/o_1/events?key=k',
}

export const samples: Samples<'order'> = [
  { url: '/filials/1013/order/o_1?key=k', data: ORDER },
  {
    url: '/filials/1013/order/o_1',
    data: {
      ...ORDER,
      status: 'canceled',
      rank: 9,
      final: true,
      reason: '…',
      personal: false,
      table: null,
      lines: [],
      totals: [],
    },
  },
]
