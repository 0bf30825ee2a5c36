import { CARD, CLOSED_CARD, type Samples } from '../../lib/page/samples.ts'
import type { HomePage } from '../../lib/page-data.ts'

const EMPTY: HomePage = {
  rails: [],
  kitchens: [],
  shortcuts: [],
  failed: false,
  others: [],
  locate: false,
  address: null,
  fridge: null,
  repeat: null,
  elsewhere: null,
}

export const samples: Samples<'home'> = [
  {
    url: '/',
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
      kitchens: [{ code: 'uyghur', name: 'Ұйғыр асханасы' }],
      shortcuts: [
        { position: 5, brand: 5, name: 'Лағман үйі', venues: 3, promo: true, image: '/img/v5?w={w}' },
      ],
      others: [],
      locate: true,
      fridge: 1201,
      address: null,
      repeat: { order: 'o_1', number: 'A-123', venue: 'Лағман үйі Самал', lines: ['Лағман × 2'] },
      elsewhere: null,
    },
  },
  { url: '/', data: { ...EMPTY, failed: true } },
  { url: '/', data: { ...EMPTY, others: [{ service: 'takeaway', total: 3 }] } },
]
