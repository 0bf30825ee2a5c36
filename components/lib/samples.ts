/** One page of every kind in every language: warms the snapshot, and the tests render each of them. */

import type {
  BookingPage,
  BookVenue,
  DetailsPage,
  DishHit,
  Lang,
  MapPage,
  MenuPage,
  OrderPage,
  Page,
  PageData,
  Product,
  SearchPage,
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
    balance: 120_000,
    layout: { frame: 'default', navbar: true, balance: true },
    home: '/',
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

const UNPRICED: Product = { id: 554, name: 'Қымыз', price: 0, unpriced: true }
const FREE: Product = { id: 555, name: 'Сірке суы', price: 0 }

const MENU: MenuPage = {
  venue: VENUE,
  banner: { kind: 'weather_issues', message: '' },
  categories: [
    { id: 12, name: 'Ыстық тағамдар', photos: true, products: PRODUCTS },
    { id: 13, name: 'Салаттар', photos: false, products: [UNPRICED, FREE] },
  ],
  lists: [
    { id: -2, products: [551] },
    { id: -3, products: [552, 553] },
  ],
  promos: [
    { name: '−20 %', until: NOW + 86_400_000, limit: 3, dayLimit: 10, products: [551] },
    { name: 'Таңғы ас', from: NOW + 86_400_000, products: [552] },
  ],
  delivery: [{ from: 500_000, discount: 20_000 }],
  rev: '0123456789abcdef',
  bill: false,
  failed: false,
  locked: false,
  item: null,
}

const MAP: MapPage = {
  view: { west: 76.9, south: 43.2, east: 77, north: 43.3 },
  asked: true,
  query: 'ла',
  venues: [
    { card: CARD, at: { lat: 43.2328, lon: 76.9571 } },
    { card: CLOSED_CARD, at: { lat: 43.2411, lon: 76.9481 } },
  ],
  total: 42,
  selected: 1013,
  failed: false,
  credit: { text: 'Sandbox', href: null },
}

const DETAILS: DetailsPage = {
  venue: VENUE,
  town: 'Алматы',
  prefix: 'Samal',
  point: { lat: 43.2328, lon: 76.9571 },
  rating: 4.7,
  reviews: 1284,
  days: [
    { day: 1, today: true, always: true, spans: [] },
    { day: 2, today: false, always: false, spans: [] },
    { day: 3, today: false, always: false, spans: [{ from: '18:00', to: '02:30', nextDay: true }] },
    { day: 4, today: false, always: false, spans: [{ from: '11:00', to: '15:00', nextDay: false }] },
  ],
  schedule: 'Күн сайын',
  phone: { text: '+7 727 123-45-01', href: 'tel:+77271234501' },
  networks: [{ kind: 'instagram', name: 'Instagram', link: 'https://social.example/a' }],
  payments: ['online', 'cash'],
  banner: { kind: 'weather_issues', message: '' },
  delivery: { open: true, delay: 15 },
  ownDelivery: { cost: 50_000, minSum: 300_000, maxSum: 900_000 },
  minutes: 20,
  promo: true,
  credit: { text: 'Sandbox', href: null },
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
  lines: [{ name: 'Лағман', qty: 2, sum: 370_000, options: ['Ащы'] }],
  totals: [
    { kind: 'goods', sum: 370_000 },
    { kind: 'service', sum: 37_000, percent: 10 },
    { kind: 'total', sum: 407_000 },
  ],
  events: '/filials/1013/order/o_1/events?key=k',
}

const BOOK_VENUE: BookVenue = { id: 1013, name: VENUE.name, address: VENUE.address, utcOffset: 300 }

const BOOKING: BookingPage = {
  venue: BOOK_VENUE,
  venues: [],
  days: [
    { date: '2026-11-21', weekday: 5, day: 21 },
    { date: '2026-11-22', weekday: 6, day: 22 },
  ],
  date: '2026-11-22',
  last: '2027-01-20',
  guests: 2,
  most: 20,
  slots: [
    { time: '18:30', free: true },
    { time: '19:00', free: false },
  ],
  failed: false,
  time: '18:30',
  attempt: 'AAAAAAAAAAAAAAAAAAAAAA',
  name: 'Айгүл',
  phone: '+77010000012',
  own: [
    { id: 'bk_1', venue: BOOK_VENUE, at: NOW, guests: 2, name: 'Айгүл' },
    { id: 'bk_2', venue: null, at: NOW, guests: 1, name: 'Айгүл' },
  ],
  done: null,
}

const HITS: DishHit[] = PRODUCTS.map((product) => ({ product, venue: 1013, name: VENUE.name, open: OPEN }))

const SEARCH: SearchPage = {
  query: '',
  brand: null,
  shown: null,
  nearest: null,
  tab: 'venues',
  tabs: [],
  venues: [],
  dishes: [],
  page: 1,
  lastPage: 1,
  failed: false,
  popular: HITS,
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
              located: false,
            },
            {
              kind: 'near',
              position: 3,
              href: '/filials?category=near',
              venues: [],
              failed: true,
              located: false,
            },
          ],
          failed: false,
          shortcuts: [
            { position: 5, brand: 5, name: 'Лағман үйі', venues: 3, promo: true, image: '/img/v5?w={w}' },
          ],
          locate: true,
          elsewhere: null,
        },
      },
      200,
    ],
    [
      '/',
      { route: 'home', data: { rails: [], shortcuts: [], failed: true, locate: false, elsewhere: null } },
      200,
    ],
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
        data: {
          towns: [{ id: 1, name: 'Алматы' }],
          query: '',
          detected: { id: 1, name: 'Алматы' },
          confirm: null,
          back: '/',
        },
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
            line: { id: 'l1', qty: 2, note: '' },
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
          bill: true,
          crossSell: PRODUCTS,
          blocks: ['minSum'],
          name: '',
          promo: { code: 'DASTARKHAN10', state: 'applied', discount: 37_000 },
          offers: [],
          bonus: { state: 'ready', balance: 500_000, percent: 30, max: 111_000, used: 50_000, lowered: true },
          delivery: {
            address: 'Абай, 10',
            outOfZone: false,
            tariffs: [{ courier: 'car', price: 60_000, cost: 90_000, minutes: 19 }],
            steps: [{ from: 500_000, discount: 30_000, reached: true }],
            next: { missing: 130_000, from: 900_000, price: 0, discount: null },
            minSum: 200_000,
            maxSum: 9_000_000,
          },
          tableTyped: true,
          pickup: false,
          keypad: false,
          home: null,
          repeat: null,
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
          bill: false,
          crossSell: [],
          blocks: ['empty'],
          name: '',
          promo: null,
          offers: [],
          bonus: null,
          delivery: null,
          tableTyped: false,
          pickup: false,
          keypad: false,
          home: { id: 1013, name: 'Лағман үйі Самал' },
          repeat: { order: 'o_1', number: 'A-123', venue: 'Лағман үйі Самал', lines: ['Лағман × 2'] },
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
    [
      '/brands',
      {
        route: 'brands',
        data: {
          query: '',
          brands: [{ id: 5, name: 'Лағман үйі', venues: 3, promo: true, image: '/img/v5?w={w}' }],
          failed: false,
        },
      },
      200,
    ],
    ['/brands', { route: 'brands', data: { query: '', brands: [], failed: false } }, 200],
    [
      '/brands/filials?brand=5',
      {
        route: 'brandFilials',
        data: {
          brand: 5,
          name: 'Лағман үйі',
          others: true,
          venues: [CARD, CLOSED_CARD],
          page: 1,
          lastPage: 2,
          total: 21,
          failed: false,
        },
      },
      200,
    ],
    ['/brands/booking', { route: 'booking', data: { ...BOOKING, venue: null, venues: [BOOK_VENUE] } }, 200],
    ['/brands/booking?filial=1013', { route: 'booking', data: BOOKING }, 200],
    ['/brands/booking?filial=1013', { route: 'booking', data: { ...BOOKING, slots: [] } }, 200],
    ['/brands/booking?filial=1013', { route: 'booking', data: { ...BOOKING, failed: true } }, 503],
    ['/brands/booking?booking=bk_1', { route: 'booking', data: { ...BOOKING, done: 'bk_1' } }, 200],
    ['/map?bbox=76.9,43.2,77,43.3', { route: 'map', data: MAP }, 200],
    ['/map', { route: 'map', data: { ...MAP, asked: false, venues: [], selected: null, failed: true } }, 503],
    ['/search', { route: 'search', data: SEARCH }, 200],
    [
      '/search?q=%D0%BB%D0%B0%D0%B3%D0%BC%D0%B0%D0%BD&tab=dishes',
      {
        route: 'search',
        data: {
          ...SEARCH,
          query: 'kfuvfy',
          shown: 'лагман',
          tab: 'dishes',
          tabs: [
            { tab: 'venues', count: 2 },
            { tab: 'dishes', count: 41 },
            { tab: 'goods', count: null },
          ],
          dishes: HITS,
          page: 2,
          lastPage: 3,
          popular: [],
        },
      },
      200,
    ],
    [
      '/search?q=%D0%BB%D0%B0',
      { route: 'search', data: { ...SEARCH, query: 'ла', venues: [CARD, CLOSED_CARD], popular: [] } },
      200,
    ],
    ['/search?q=zz', { route: 'search', data: { ...SEARCH, query: 'zz', nearest: 'лағман' } }, 200],
    ['/search?q=zz', { route: 'search', data: { ...SEARCH, query: 'zz', failed: true, popular: [] } }, 503],
    [
      '/filials/1013/search',
      {
        route: 'menuSearch',
        data: { venue: VENUE, query: '', shown: null, products: [], popular: PRODUCTS, failed: false },
      },
      200,
    ],
    [
      '/filials/1013/search?q=lagman',
      {
        route: 'menuSearch',
        data: {
          venue: VENUE,
          query: 'kfuvfy',
          shown: 'лагман',
          products: PRODUCTS,
          popular: [],
          failed: false,
        },
      },
      200,
    ],
    [
      '/filials/1013/search?q=lagman',
      {
        route: 'menuSearch',
        data: { venue: VENUE, query: 'lagman', shown: null, products: [], popular: [], failed: true },
      },
      503,
    ],
    ['/filials/1013/details', { route: 'details', data: DETAILS }, 200],
    [
      '/faq',
      {
        route: 'faq',
        data: { groups: [{ title: 'Заказ', items: [{ id: 'qr', question: 'Как?', answer: ['Так.'] }] }] },
      },
      200,
    ],
    [
      '/legal/terms',
      {
        route: 'legal',
        data: {
          doc: 'terms',
          title: 'Условия',
          lead: '',
          sections: [{ title: 'О сервисе', text: ['Текст.'] }],
        },
      },
      200,
    ],
    ['/age', { route: 'age', data: { back: '/filials/1013' } }, 200],
    ['/language', { route: 'language', data: { back: '/' } }, 200],
    ['/profile', { route: 'coming', data: { route: 'profile', login: true, filialId: null } }, 200],
    ['/nowhere', { route: 'notFound', data: { what: 'page' } }, 404],
    ['/filials/999999', { route: 'notFound', data: { what: 'venue' } }, 404],
    ['/', { route: 'error', data: { kind: 'unavailable', requestId: 'r1' } }, 503],
  ]
}
