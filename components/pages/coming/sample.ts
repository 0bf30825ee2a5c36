import { NOW, type Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'coming'> = [
  { url: '/profile', data: { route: 'profile', login: true, venueId: null, orders: [] } },
  {
    url: '/orders',
    data: {
      route: 'orders',
      login: true,
      venueId: null,
      orders: [
        {
          number: 'A-123',
          href: '/filials/1013/order/o_1?key=k',
          at: NOW,
          status: 'cooking',
          service: null,
          unpaid: true,
        },
      ],
    },
  },
]
