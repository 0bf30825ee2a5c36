/** One page of every kind in every language: warms the snapshot, and the tests render each of them. */

import type {
  Lang,
  MenuPage,
  OrderPage,
  Page,
  PageData,
  Product,
  Shell,
  Venue,
  VenueCard,
} from './page-data.ts'

export type SamplePage = { url: string; data: PageData }

const NOW = Date.UTC(2026, 10, 21, 6, 10)

/** Every screen in all four languages. */
export function samplePages(): SamplePage[] {
  const langs: Lang[] = ['kk', 'ru', 'en', 'ka']
  return langs.flatMap((lang) =>
    samples().map(([url, page, status]) => ({ url, data: { shell: sampleShell(lang, url), page, status } })),
  )
}

export function sampleShell(lang: Lang, url: string): Shell {
  const georgia = lang === 'ka'
  return {
    lang,
    langs: georgia ? ['ka', 'ru', 'en'] : ['kk', 'ru', 'en'],
    country: georgia ? 'ge' : 'kz',
    now: NOW,
    utcOffset: georgia ? 240 : 300,
    money: georgia ? LARI : TENGE,
    service: 'express',
    services: ['delivery', 'express', 'takeaway'],
    town: { id: 1, name: 'Алматы' },
    table: { filialId: 1013, tableId: 't7', number: '7', mainTerminalId: '1010' },
    cart: {
      version: 3,
      filialId: 1013,
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
    activeOrder: { number: 'A-123', status: 'cooking', href: '/filials/1013/order/o_1?key=k' },
    flash: {
      kind: 'formErrors',
      errors: [{ field: 'group.1', code: 'min', values: { count: 1 } }],
      values: { note: ['…'] },
    },
    origin: 'http://127.0.0.1:8080',
    url,
    version: '4.10.21',
  }
}

const TENGE = {
  code: 'KZT',
  symbol: '₸',
  symbolAfter: true,
  thousands: ' ',
  decimal: ',',
  fractionDigits: 0,
  rounding: 'floor',
  precision: 0,
}

const LARI = { ...TENGE, code: 'GEL', symbol: '₾', fractionDigits: 2, precision: 2 }

const OPEN = { open: true, always: false, at: '23:00', inDays: 0 }

const CARD: VenueCard = {
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

const CLOSED_CARD: VenueCard = {
  ...CARD,
  id: 1023,
  distance: null,
  far: true,
  rating: null,
  open: { open: false, always: false, at: '10:00', inDays: 1 },
  promo: false,
  minutes: null,
}

const VENUE: Venue = {
  id: 1013,
  name: 'Лағман үйі Самал',
  brand: 'Лағман үйі',
  address: 'Самал-2, 33',
  image: '/img/v5?w={w}',
  open: OPEN,
  services: ['express', 'takeaway'],
  filials: [
    { service: 'express', id: 1013 },
    { service: 'takeaway', id: 1011 },
  ],
  servicePercent: 10,
  utcOffset: 300,
  money: TENGE,
}

const DISH: Product = {
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

const PRODUCTS: Product[] = [
  DISH,
  { id: 552, name: 'Манты', price: 185_000, options: true, from: true },
  { id: 553, name: 'Шәй', price: 60_000, out: true },
]

const MENU: MenuPage = {
  venue: VENUE,
  banner: { kind: 'weather_issues', message: '' },
  categories: [
    { id: -2, name: 'Таңдаулы', photos: true, products: PRODUCTS },
    { id: 12, name: 'Ыстық тағамдар', photos: false, products: PRODUCTS },
  ],
  failed: false,
  item: null,
}

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
  nextAt: NOW + 900_000,
  readAt: NOW,
  final: false,
  reason: null,
  venue: { id: 1013, name: VENUE.name, address: VENUE.address },
  money: TENGE,
  utcOffset: 300,
  personal: true,
  table: '7',
  comment: null,
  lines: [{ name: 'Лағман', qty: 2, sum: 370_000, options: ['Ащы'] }],
  totals: [
    { kind: 'goods', sum: 370_000 },
    { kind: 'service', sum: 37_000, percent: 10 },
    { kind: 'total', sum: 407_000 },
  ],
  events: '/filials/1013/order/o_1/events?key=k',
}

function samples(): [url: string, page: Page, status: number][] {
  return [
    [
      '/',
      {
        route: 'home',
        data: {
          rails: [
            {
              kind: 'promo',
              position: 1,
              href: '/filials?category=promo',
              venues: [CARD, CLOSED_CARD],
              failed: false,
            },
            { kind: 'near', position: 3, href: '/filials?category=near', venues: [], failed: true },
          ],
          failed: false,
        },
      },
      200,
    ],
    ['/', { route: 'home', data: { rails: [], failed: true } }, 200],
    [
      '/filials?category=near&q=%D0%BB%D0%B0&page=2',
      {
        route: 'filials',
        data: {
          category: 'near',
          query: 'ла',
          venues: [CARD, CLOSED_CARD],
          page: 2,
          lastPage: 3,
          total: 42,
          failed: false,
        },
      },
      200,
    ],
    [
      '/town',
      {
        route: 'town',
        data: { towns: [{ id: 1, name: 'Алматы' }], detected: { id: 1, name: 'Алматы' }, back: '/' },
      },
      200,
    ],
    ['/filials/1013', { route: 'menu', data: MENU }, 200],
    [
      '/filials/1013?item=551',
      {
        route: 'menu',
        data: {
          ...MENU,
          item: {
            product: DISH,
            sizes: [
              { id: 1, name: '0,5', price: 90_000, out: false },
              { id: 2, name: '1', price: 150_000, out: true },
            ],
            groups: [
              {
                id: 1,
                name: 'Ащылық',
                min: 1,
                max: 1,
                options: [{ id: 11, name: 'Орташа', price: 0, max: 1, out: false }],
              },
              {
                id: 2,
                name: 'Қосымша',
                min: 0,
                max: 3,
                options: [{ id: 21, name: 'Ет', price: 50_000, max: 2, out: false }],
              },
            ],
            selected: { 11: 1 },
            selectedSize: 1,
            minutes: 15,
            failed: false,
          },
        },
      },
      200,
    ],
    [
      '/cart',
      {
        route: 'cart',
        data: {
          venue: VENUE,
          totals: ORDER.totals,
          payments: ['online', 'cash'],
          minutes: { min: 15, max: 20 },
          crossSell: PRODUCTS,
          blocks: [],
          name: '',
        },
      },
      200,
    ],
    [
      '/cart',
      {
        route: 'cart',
        data: {
          venue: null,
          totals: [],
          payments: [],
          minutes: null,
          crossSell: [],
          blocks: ['empty'],
          name: '',
        },
      },
      200,
    ],
    ['/filials/1013/order/o_1?key=k', { route: 'order', data: ORDER }, 200],
    [
      '/filials/1013/order/o_1',
      {
        route: 'order',
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
      200,
    ],
    ['/orders/checking/k', { route: 'checking', data: { key: 'k' } }, 200],
    ['/profile', { route: 'coming', data: { route: 'profile', filialId: null } }, 200],
    ['/nowhere', { route: 'notFound', data: { what: 'page' } }, 404],
    ['/filials/999999', { route: 'notFound', data: { what: 'venue' } }, 404],
    ['/', { route: 'error', data: { kind: 'unavailable', requestId: 'r1' } }, 503],
  ]
}
