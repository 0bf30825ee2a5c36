import type { Samples } from '../../lib/page/samples.ts'

const ORDERS = [{ number: 'A-123', href: '/orders/o_1' }]

export const samples: Samples<'deletion'> = [
  {
    url: '/profile/delete',
    data: { sure: false, fridge: '/filials/1190/fridge', orders: ORDERS, phone: '+77010000031', days: 90 },
  },
  {
    url: '/profile/delete',
    data: { sure: false, fridge: null, orders: [], phone: '+77010000031', days: 90 },
  },
  {
    url: '/profile/delete?step=sure',
    data: { sure: true, fridge: null, orders: [], phone: '+77010000031', days: 90 },
  },
  { url: '/profile/delete?step=sure', data: { sure: true, fridge: null, orders: [], phone: '', days: 90 } },
]
