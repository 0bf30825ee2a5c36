import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'profile'> = [
  { url: '/profile', data: { name: 'Айгүл', phone: '+77010000031' } },
  { url: '/profile', data: { name: '', phone: '' } },
]
