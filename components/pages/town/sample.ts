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
  { url: '/town?back=%2F', data: { towns: [], query: '', detected: null, confirm: null, back: '/' } },
]
