import { aheadOf, NOW, type Samples, TENGE } from '../../lib/page/samples.ts'
import type { NextTable, OrderRow } from '../../lib/page-data.ts'

const ROW: OrderRow = {
  id: 'o_1',
  number: 'A-123',
  service: 'express',
  status: 'cooking',
  payment: 'cash',
  paid: false,
  sum: 407_000,
  refund: 120_000,
  money: TENGE,
  utcOffset: 300,
  venue: 'Лағман үйі',
  at: NOW,
  words: null,
  final: false,
}

const NEXT_DAY = NOW + 86_400_000

const TABLE: NextTable = {
  id: 'bk_1',
  venue: 'Көк Шаңырақ Достық',
  at: NOW,
  utcOffset: 300,
  bill: null,
  ahead: null,
}

const PAGE = {
  service: null,
  services: ['delivery', 'express', 'takeaway'] as const,
  here: [
    {
      number: 'A-9',
      href: '/filials/1013/order/o_9?key=k',
      at: NOW,
      status: 'completed' as const,
      service: 'express' as const,
      venue: 'Көк Шаңырақ Достық',
      sum: 540_000,
      money: TENGE,
      utcOffset: 300,
      unpaid: false,
    },
  ],
  tables: [],
  page: 1,
  lastPage: 2,
  failed: false,
}

export const samples: Samples<'orders'> = [
  {
    url: '/orders',
    data: {
      ...PAGE,
      services: [...PAGE.services],
      tables: [
        { ...TABLE, bill: '/bills/preorder/b_1', ahead: aheadOf(0) },
        {
          ...TABLE,
          id: 'bk_2',
          at: NEXT_DAY,
          bill: '/bills/preorder/b_2',
          ahead: { ...aheadOf(540_000), payUntil: NEXT_DAY },
        },
        {
          ...TABLE,
          id: 'bk_3',
          at: NEXT_DAY,
          bill: '/bills/preorder/b_3',
          ahead: { ...aheadOf(240_000), payUntil: NEXT_DAY },
        },
        {
          ...TABLE,
          id: 'bk_4',
          bill: '/bills/preorder/b_4',
          ahead: aheadOf(540_000),
        },
        { ...TABLE, id: 'bk_5', bill: '/bills/preorder/b_5' },
        { ...TABLE, id: 'bk_6', venue: 'Лағман үйі' },
        {
          ...TABLE,
          id: 'bk_7',
          bill: '/bills/preorder/b_7',
          ahead: { ...aheadOf(540_000), refund: 540_000 },
          canceled: true,
        },
        {
          ...TABLE,
          id: 'bk_8',
          bill: '/bills/preorder/b_8',
          ahead: { ...aheadOf(0), waits: true },
          canceled: true,
        },
      ],
      orders: [
        ROW,
        { ...ROW, id: 'o_3', status: 'canceled', uncharged: true, final: true },
        { ...ROW, id: 'o_2', status: 'canceled', sum: null, at: null, words: '11:10', final: true },
      ],
    },
  },
  {
    url: '/orders?type=delivery&page=2',
    data: { ...PAGE, services: [...PAGE.services], service: 'delivery', orders: [], here: [], page: 2 },
  },
  { url: '/orders', data: { ...PAGE, services: [], orders: [], here: [], lastPage: 1 } },
  {
    url: '/orders',
    data: { ...PAGE, services: [], orders: [], here: [], tables: [TABLE], lastPage: 1 },
  },
  {
    url: '/orders',
    status: 503,
    data: { ...PAGE, services: [...PAGE.services], orders: [], here: [], lastPage: 1, failed: true },
  },
]
