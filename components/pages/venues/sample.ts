import { CARD, CLOSED_CARD, type Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'venues'> = [
  {
    url: '/filials?category=near&q=%D0%BB%D0%B0&page=2',
    data: {
      category: 'near',
      query: 'ла',
      kitchen: { code: 'uyghur', name: 'Ұйғыр асханасы' },
      venues: [CARD, CLOSED_CARD],
      page: 2,
      lastPage: 3,
      total: 42,
      failed: false,
      others: [],
    },
  },
  {
    url: '/filials',
    data: {
      category: null,
      query: '',
      kitchen: null,
      venues: [],
      page: 1,
      lastPage: 1,
      total: 0,
      failed: false,
      others: [{ service: 'takeaway', total: 3 }],
    },
  },
]
