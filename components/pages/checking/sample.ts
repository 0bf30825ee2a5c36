import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'checking'> = [
  { url: '/orders/checking/k', data: { key: 'k', left: null } },
  {
    url: '/orders/checking/k',
    data: { key: 'k', left: { phone: { text: '+7 701 000 00 12', href: 'tel:+77010000012' } } },
  },
]
