import { CARD, CLOSED_CARD, OPEN, PRODUCTS, type Samples, VENUE } from '../../lib/page/samples.ts'
import type { DishHit, SearchPage } from '../../lib/page-data.ts'

const HITS: DishHit[] = PRODUCTS.map((product) => ({ product, venue: 1013, name: VENUE.name, open: OPEN }))

const SEARCH: SearchPage = {
  query: '',
  brand: null,
  shown: null,
  nearest: null,
  filters: [],
  found: [],
  added: 0,
  total: 0,
  page: 1,
  lastPage: 1,
  failed: false,
  others: [],
  popular: HITS,
}

export const samples: Samples<'search'> = [
  { url: '/search', data: SEARCH },
  {
    url: '/search?q=%D0%BB%D0%B0%D0%B3%D0%BC%D0%BD%D0%B0&open=1',
    data: {
      ...SEARCH,
      query: 'лагмна',
      shown: 'лагман',
      filters: [
        { kind: 'open', value: '1', on: true },
        { kind: 'meatless', value: '1' },
        { kind: 'halal', value: '1' },
        { kind: 'price', value: '2000', sum: 200_000 },
        { kind: 'kitchen', value: 'uyghur', name: 'Уйгурская кухня' },
      ],
      found: [
        { venue: CARD, dishes: PRODUCTS, more: 4 },
        { venue: CLOSED_CARD, dishes: [], more: 0 },
      ],
      added: 1,
      total: 41,
      page: 2,
      lastPage: 3,
      rest: true,
      partial: true,
      popular: [],
    },
  },
  { url: '/search?q=zz', data: { ...SEARCH, query: 'zz', nearest: 'лағман', exact: true } },
  {
    url: '/search?q=zz',
    data: { ...SEARCH, query: 'zz', others: [{ service: 'takeaway', total: 3 }], popular: [] },
  },
  {
    url: '/search?q=zz&price=1',
    data: {
      ...SEARCH,
      query: 'zz',
      filters: [{ kind: 'price', value: '1', sum: 100, on: true }],
      popular: [],
    },
  },
  { url: '/search?q=zz', data: { ...SEARCH, query: 'zz', throttled: true } },
  { url: '/search?q=zz', data: { ...SEARCH, query: 'zz', failed: true, popular: [] }, status: 503 },
]
