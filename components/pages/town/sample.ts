import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'town'> = [
  {
    url: '/town',
    data: {
      towns: [{ id: 1, name: 'Алматы' }],
      query: '',
      detected: { id: 1, name: 'Алматы' },
      confirm: null,
      back: '/',
    },
  },
]
