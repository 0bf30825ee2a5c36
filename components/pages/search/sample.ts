import { CARD, CLOSED_CARD, OPEN, PRODUCTS, type Samples, VENUE } from '../../lib/page/samples.ts'
import type { DishHit, SearchPage } from '../../lib/page-data.ts'

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

export const samples: Samples<'search'> = [
  { url: '/search', data: SEARCH },
  {
    url: '/search?q=%D0%BB%D0%B0%D0%B3%D0%BC%D0%B0%D0%BD&tab=dishes',
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
  {
    url: '/search?q=%D0%BB%D0%B0',
    data: { ...SEARCH, query: 'ла', venues: [CARD, CLOSED_CARD], popular: [] },
  },
  { url: '/search?q=zz', data: { ...SEARCH, query: 'zz', nearest: 'лағман' } },
  { url: '/search?q=zz', data: { ...SEARCH, query: 'zz', failed: true, popular: [] }, status: 503 },
]
