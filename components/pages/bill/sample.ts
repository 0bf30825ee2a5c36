import { NOW, type Samples, TENGE } from '../../lib/page/samples.ts'
import type { BillChoice, BillPage } from '../../lib/page-data.ts'

const BILL: BillPage = {
  state: 'open',
  bill: 'b_1',
  href: '/filials/1013/bill?filial_id=1013&table_id=t7&bill=b_1',
  events: '/filials/1013/bill/events?filial_id=1013&table_id=t7&bill=b_1',
  number: '17',
  filialId: 1013,
  venue: 'Лағман үйі Самал',
  table: '7',
  waiter: 'Айдана',
  preorder: false,
  lines: [
    {
      key: '551-185000-1',
      name: 'Лағман',
      count: 2,
      price: 185_000,
      sum: 370_000,
      mine: 1,
      others: 1,
      paid: 0,
    },
    { key: '553-60000-1', name: 'Шәй', count: 1, price: 60_000, sum: 60_000, mine: 0, others: 0, paid: 1 },
    { key: '554-90000-1', name: 'Айран', count: 3, price: 90_000, sum: 270_000, mine: 0, others: 0, paid: 0 },
  ],
  goods: 700_000,
  percent: 10,
  service: 70_000,
  total: 770_000,
  paid: 66_000,
  paying: 203_500,
  left: 500_500,
  money: TENGE,
  cashback: 10,
  mine: [
    { href: '/pay/t', sum: 100_000, tips: 5_000, paid: false },
    { href: '/bills/paid/t', sum: 66_000, tips: 0, paid: true },
  ],
  heldUntil: NOW + 180_000,
  waiterIn: 42_000,
  calling: false,
  tipPercents: [0, 5, 10, 15],
  ways: ['card', 'qr'],
  choice: null,
  problem: null,
  readAt: NOW,
  utcOffset: 300,
}

const CHOICE: BillChoice = {
  split: 'equal',
  of: 4,
  pay: 1,
  peopleLeft: 3,
  sum: '',
  tip: 10,
  ownTip: '',
  bonus: '',
  mostBonus: 50_000,
  amount: 166_800,
  base: 151_600,
  tips: 15_100,
  bonuses: 0,
  due: 181_900,
  turn: 2,
  problem: null,
}

const URL = '/filials/1013/bill'

export const samples: Samples<'bill'> = [
  { url: URL, data: BILL },
  { url: URL, data: { ...BILL, choice: CHOICE, problem: 'less' } },
  { url: URL, data: { ...BILL, choice: { ...CHOICE, split: 'dishes' }, problem: 'taken' } },
  {
    url: URL,
    data: { ...BILL, choice: { ...CHOICE, split: 'sum', tip: null, problem: 'tooMuch' }, heldUntil: null },
  },
  { url: URL, data: { ...BILL, waiterIn: 0, calling: true, mine: [], cashback: null } },
  { url: URL, data: { ...BILL, state: 'closed', lines: [], events: null, bill: '' } },
  {
    url: URL,
    data: { ...BILL, state: 'notFound', lines: [], events: null, bill: '', mine: [] },
    status: 404,
  },
]
