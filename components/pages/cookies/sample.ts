import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'cookies'> = [{ url: '/cookies', data: { back: '/filials/1013' } }]
