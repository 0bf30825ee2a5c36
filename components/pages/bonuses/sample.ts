import { NOW, type Samples, TENGE } from '../../lib/page/samples.ts'
import type { BonusEntry, BonusesPage } from '../../lib/page-data.ts'

const DAY = 86_400_000

const LEVELS = [
  { name: 'Қонақ', points: 0, cashback: 3 },
  { name: 'Дос', points: 5, cashback: 7 },
  { name: 'Отбасы', points: 15, cashback: 10 },
]

const ENTRY: BonusEntry = {
  number: '',
  place: '',
  at: null,
  words: null,
  utcOffset: 300,
  earned: 0,
  spent: 0,
  money: TENGE,
}

const FRIEND: BonusesPage = {
  balance: { total: 12_345_600, bonus: 12_000_000, money: 345_600 },
  months: 12,
  expiresAt: NOW + 365 * DAY,
  standing: { levels: LEVELS, current: 1, points: 7, toNext: 8, toKeep: null, most: 10 },
  firstBill: 10,
  gifts: [{ name: 'Шай', code: 'TEA', terms: { percent: 10, from: null, until: NOW + 30 * DAY } }],
  coupons: [
    { name: 'SUMMER', code: 'SUMMER', terms: { from: null, until: null } },
    { name: 'FIRST', code: 'FIRST', terms: { off: 50_000, from: 300_000, until: NOW + 3 * DAY } },
  ],
  history: [
    { ...ENTRY, number: '118', place: 'Лағман үйі', at: NOW - DAY, earned: 25_900, spent: 50_000 },
    { ...ENTRY, number: '117', spent: 120_000 },
    { ...ENTRY, number: '116', words: 'кеше кешке', earned: 1200 },
  ],
}

const NOTHING: BonusesPage = {
  balance: { total: 0, bonus: 0, money: 0 },
  months: 12,
  expiresAt: null,
  standing: { levels: LEVELS, current: 0, points: 0, toNext: 5, toKeep: null, most: 10 },
  firstBill: null,
  gifts: [],
  coupons: [],
  history: [],
}

const SILENT: BonusesPage = {
  ...NOTHING,
  balance: null,
  standing: null,
  gifts: null,
  coupons: null,
  history: null,
}

const url = '/profile/bonuses'

export const samples: Samples<'bonuses'> = [
  { url, data: FRIEND },
  { url, data: NOTHING },
  { url, data: SILENT },
  {
    url,
    data: {
      ...FRIEND,
      gifts: null,
      standing: { levels: LEVELS, current: 2, points: 9, toNext: null, toKeep: 6, most: 10 },
    },
  },
  {
    url,
    data: {
      ...NOTHING,
      coupons: null,
      standing: { levels: LEVELS, current: 2, points: 20, toNext: null, toKeep: null, most: 10 },
    },
  },
  {
    url,
    data: {
      ...NOTHING,
      standing: { levels: LEVELS, current: 1, points: 15, toNext: 0, toKeep: null, most: 10 },
    },
  },
  {
    url,
    data: {
      ...NOTHING,
      standing: { levels: LEVELS, current: null, points: null, toNext: null, toKeep: null, most: 10 },
    },
  },
]
