import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'brands'> = [
  {
    url: '/brands',
    data: {
      query: '',
      brands: [{ id: 5, name: 'Лағман үйі', venues: 3, promo: true, image: '/img/v5?w={w}' }],
      failed: false,
      front: { title: 'Лағман және манты', lead: 'Әр асханада таңнан бері пісіреміз.' },
    },
  },
  {
    url: '/brands?q=zz',
    data: {
      query: 'zz',
      brands: [{ id: 5, name: 'Лағман үйі', venues: 3, promo: true }],
      more: true,
      failed: false,
    },
  },
  { url: '/brands', data: { query: '', brands: [], failed: false } },
]
