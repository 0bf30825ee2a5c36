import { PRODUCTS, type Samples, VENUE } from '../../lib/page/samples.ts'

export const samples: Samples<'menuSearch'> = [
  {
    url: '/filials/1013/search',
    data: {
      venue: VENUE,
      query: '',
      shown: null,
      products: [],
      popular: PRODUCTS,
      meatless: PRODUCTS.map(({ id }) => id),
      goods: true,
      failed: false,
    },
  },
  {
    url: '/filials/1013/search?q=lagman',
    data: {
      venue: VENUE,
      query: 'kfuvfy',
      shown: 'лагман',
      products: PRODUCTS,
      popular: [],
      failed: false,
    },
  },
  {
    url: '/filials/1013/search?q=plod&exact=1',
    data: {
      venue: VENUE,
      query: 'plod',
      shown: null,
      nearest: 'плов',
      exact: true,
      products: [],
      popular: PRODUCTS,
      failed: false,
    },
  },
  {
    url: '/filials/1013/search?q=lagman',
    data: {
      venue: VENUE,
      query: 'lagman',
      shown: null,
      products: [],
      popular: [],
      failed: true,
    },
    status: 503,
  },
]
