import { NOW, type Samples, TENGE } from '../../lib/page/samples.ts'
import type { BillPaidPage } from '../../lib/page-data.ts'

const PAID: BillPaidPage = {
  href: '/bills/paid/t',
  bill: '/filials/1013/bill?bill=b_1',
  venueId: 1013,
  venue: 'Лағман үйі Самал',
  sum: 203_500,
  tips: 18_500,
  bonus: 10_000,
  inAll: 412_000,
  way: 'card',
  cashback: 19_300,
  money: TENGE,
  receipt: 'https://bank.test/pay/receipt/p_1',
  asks: true,
  thanked: false,
  preorder: false,
  booked: null,
  utcOffset: 300,
  left: 300_000,
  paying: 0,
}

export const samples: Samples<'billPaid'> = [
  { url: '/bills/paid/t', data: PAID },
  {
    url: '/bills/paid/t',
    data: {
      ...PAID,
      tips: 0,
      bonus: 0,
      inAll: null,
      way: 'qr',
      cashback: 0,
      receipt: null,
      asks: false,
      thanked: true,
      left: null,
    },
  },
  { url: '/bills/paid/t', data: { ...PAID, left: 0, paying: 120_000 } },
  { url: '/bills/paid/t', data: { ...PAID, paying: 120_000 } },
  { url: '/bills/paid/t', data: { ...PAID, left: 0 } },
  { url: '/bills/paid/t', data: { ...PAID, asks: false, preorder: true, booked: NOW + 86_400_000, left: 0 } },
  {
    url: '/bills/paid/t',
    data: { ...PAID, asks: false, preorder: true, refunded: true, cashback: 0, left: null },
  },
  {
    url: '/bills/paid/t',
    data: {
      ...PAID,
      tips: 0,
      bonus: PAID.sum,
      inAll: null,
      way: null,
      cashback: 0,
      receipt: null,
      asks: false,
      preorder: true,
      refunded: true,
      left: null,
    },
  },
]
