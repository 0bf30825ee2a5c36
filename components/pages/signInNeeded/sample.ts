import { NOW, type Samples, TENGE } from '../../lib/page/samples.ts'

export const samples: Samples<'signInNeeded'> = [
  { url: '/profile/form', data: { page: 'profileForm', venueId: null, orders: [] } },
  { url: '/profile', data: { page: 'profile', venueId: null, orders: [] } },
  {
    url: '/orders',
    data: {
      page: 'orders',
      venueId: null,
      orders: [
        {
          number: 'A-123',
          href: '/filials/1013/order/o_1?key=k',
          at: NOW,
          status: 'cooking',
          service: null,
          venue: 'Көк Шаңырақ Достық',
          sum: 540_000,
          money: TENGE,
          utcOffset: 300,
          unpaid: true,
        },
      ],
    },
  },
]
