import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'cookies'> = [
  { url: '/cookies', data: { back: '/filials/1013', window: null } },
  {
    url: '/cookies?sign_in=1',
    data: { back: '/filials/1013', window: 'https://app.example/filials/1013' },
  },
]
