import { NOW, type Samples, TENGE } from '../../lib/page/samples.ts'
import type { PaymentPage } from '../../lib/page-data.ts'

const PAYMENT: PaymentPage = {
  href: '/pay/t',
  state: 'waiting',
  way: 'qr',
  number: 'A-123',
  venue: 'Дастархан',
  venueId: 1013,
  sum: 407_000,
  money: TENGE,
  bank: 'https://bank.test/pay/qr/p_1?phone=1',
  until: NOW + 900_000,
  readAt: NOW,
  utcOffset: 300,
  step: null,
  returned: false,
  ways: ['card', 'qr'],
  cash: true,
  bill: null,
  part: false,
  inCart: false,
  order: '/filials/1013/order/o_1?key=k',
}

export const samples: Samples<'pay'> = [
  { url: '/pay/t', data: PAYMENT },
  { url: '/pay/t?step=cancel', data: { ...PAYMENT, step: 'cancel' } },
  {
    url: '/pay/t',
    data: { ...PAYMENT, state: 'declined', way: 'card', bank: null, until: null, returned: true },
  },
  { url: '/pay/t', data: { ...PAYMENT, way: 'card', returned: true } },
  {
    url: '/pay/t',
    data: { ...PAYMENT, state: 'calledOff', bank: null, until: null, ways: [], inCart: true },
  },
  {
    url: '/pay/t',
    data: {
      ...PAYMENT,
      state: 'declined',
      bank: null,
      until: null,
      ways: [],
      order: null,
      bill: '/filials/1013/bill',
    },
  },
  { url: '/pay/t', data: { ...PAYMENT, ways: [], order: null, bill: '/filials/1013/bill', part: true } },
  { url: '/pay/t', data: { ...PAYMENT, state: 'paid', bank: null, until: null, ways: [], order: null } },
]
