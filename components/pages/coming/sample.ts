import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'coming'> = [
  { url: '/profile', data: { route: 'profile', login: true, filialId: null } },
]
