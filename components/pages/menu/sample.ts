import { CLOSED_CARD, DISH, NOW, PRODUCTS, type Samples, VENUE } from '../../lib/page/samples.ts'
import type { MenuPage, Product } from '../../lib/page-data.ts'

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
    { name: '−20\u00a0%', until: NOW + 86_400_000, limit: 3, dayLimit: 10, products: [551] },
    { name: 'Таңғы ас', from: NOW + 86_400_000, products: [552] },
  ],
  delivery: [{ from: 500_000, discount: 20_000 }],
  rev: '0123456789abcdef',
  bill: false,
  failed: false,
  locked: false,
  dish: null,
}

const SAVED = { name: 'Самса × 4', lines: [{ id: 'l9', qty: 4 }] }

export const samples: Samples<'menu'> = [
  { url: '/filials/1013', data: MENU },
  { url: '/filials/1013', data: { ...MENU, saved: SAVED } },
  {
    url: '/filials/1013',
    data: { ...MENU, saved: { name: 'Самса', lines: [], returned: true } },
  },
  {
    url: '/filials/1013',
    data: { ...MENU, house: true, venue: { ...VENUE, open: CLOSED_CARD.open } },
  },
  {
    url: '/filials/1013?item=551',
    data: {
      ...MENU,
      dish: {
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
]
