import { CARD, CLOSED_CARD, type Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'brandVenues'> = [
  {
    url: '/brands/filials?brand=5',
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
]
