import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'deletion'> = [
  { url: '/profile/delete', data: { sure: false, phone: '+77010000031', days: 90 } },
  { url: '/profile/delete?step=sure', data: { sure: true, phone: '+77010000031', days: 90 } },
  { url: '/profile/delete?step=sure', data: { sure: true, phone: '', days: 90 } },
]
