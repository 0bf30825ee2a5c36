/**
 * A page of every kind: `pages/<id>/sample.ts` has at least one, made of what stands here. They warm the snapshot, and the
 * tests render each of them.
 */

import type { Lang, OrderedAhead, Product, Shell, Venue, VenueCard } from '../page-data.ts'
import type { DataOf, PageId } from './pages.ts'

type Sample<I extends PageId> = {
  url: string
  data: DataOf<I>
  /** 200 without one. */
  status?: number
}

/** The first is the page as it mostly is. */
export type Samples<I extends PageId> = readonly [Sample<I>, ...Sample<I>[]]

export const NOW = Date.UTC(2026, 10, 21, 6, 10)

export function sampleShell(lang: Lang, url: string): Shell {
  const georgia = lang === 'ka'
  return {
    lang,
    fallback: georgia ? 'en' : 'ru',
    langs: georgia ? ['ka', 'ru', 'en'] : ['kk', 'ru', 'en'],
    country: georgia ? 'ge' : 'kz',
    now: NOW,
    utcOffset: georgia ? 240 : 300,
    money: georgia ? LARI : TENGE,
    service: 'express',
    services: ['delivery', 'express', 'takeaway'],
    town: { id: 1, name: 'Алматы' },
    table: { venueId: 1013, tableId: 't7', number: '7', mainVenueId: '1010' },
    cart: {
      mark: 7,
      version: 3,
      venueId: 1013,
      venueName: 'Лағман үйі',
      count: 3,
      total: 555_000,
      lines: [
        {
          id: 'l1',
          productId: 551,
          name: 'Лағман',
          qty: 2,
          price: 185_000,
          sum: 370_000,
          options: [],
          plain: true,
        },
        {
          id: 'l2',
          productId: 552,
          name: 'Манты',
          qty: 1,
          price: 185_000,
          sum: 185_000,
          options: ['0,5 л', 'Айран'],
          note: 'Ащы емес',
          image: '/img/552?w={w}',
          problem: 'price',
          oldPrice: 180_000,
          plain: false,
        },
      ],
    },
    activeOrder: {
      number: 'A-123',
      label: 'A-123 (Лағман үйі)',
      status: 'cooking',
      utcOffset: 300,
      href: '/filials/1013/order/o_1?key=k',
    },
    flash: {
      kind: 'formErrors',
      errors: [{ field: 'group.1', code: 'min', values: { count: 1 } }],
      values: { note: ['…'] },
    },
    balance: 120_000,
    layout: { frame: 'default', navbar: true, balance: true },
    home: '/',
    origin: 'http://127.0.0.1:8080',
    url,
    version: '4.10.21',
  }
}

export const TENGE = {
  code: 'KZT',
  symbol: '₸',
  format: '%v\u00a0%s',
  thousands: ' ',
  decimal: ',',
  fractionDigits: 0,
  rounding: 'floor',
  precision: 0,
}

const LARI = { ...TENGE, code: 'GEL', symbol: '₾', fractionDigits: 2, precision: 2 }

export const OPEN = { open: true, always: false, at: '23:00', inDays: 0 }

export const CARD: VenueCard = {
  id: 1013,
  name: 'Лағман үйі Самал',
  brand: 'Лағман үйі',
  address: 'Самал-2, 33',
  distance: 1234.5,
  far: false,
  rating: 4.7,
  image: '/img/v5?w={w}',
  open: OPEN,
  services: ['express', 'takeaway'],
  promo: true,
  minutes: 20,
}

export const CLOSED_CARD: VenueCard = {
  ...CARD,
  id: 1023,
  distance: null,
  far: true,
  rating: null,
  open: { open: false, always: false, at: '10:00', inDays: 1 },
  promo: false,
  minutes: null,
}

export const VENUE: Venue = {
  id: 1013,
  name: 'Лағман үйі Самал',
  brand: 'Лағман үйі',
  address: 'Самал-2, 33',
  image: '/img/v5?w={w}',
  open: OPEN,
  services: ['express', 'takeaway'],
  siblings: [
    { service: 'express', id: 1013 },
    { service: 'takeaway', id: 1011 },
  ],
  servicePercent: 10,
  utcOffset: 300,
  money: TENGE,
}

/** Dishes that were ordered ahead with a table, of which so much is not paid. */
export function aheadOf(left: number): OrderedAhead {
  return {
    count: 2,
    sum: 540_000,
    left,
    charged: 540_000 - left,
    refund: 0,
    bonuses: 0,
    refundedBonuses: 0,
    payUntil: null,
    money: TENGE,
  }
}

export const DISH: Product = {
  id: 551,
  name: 'Лағман',
  text: 'Қолмен созылған кеспе',
  price: 185_000,
  promo: 148_000,
  percent: -20,
  weight: '350 г',
  image: '/img/551?w={w}',
  limit: 2,
}

export const PRODUCTS: Product[] = [
  DISH,
  { id: 552, name: 'Манты', price: 185_000, options: true, from: true },
  { id: 553, name: 'Шәй', price: 60_000, out: true },
]
