import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'deleted'> = [{ url: '/profile/deleted', data: { days: 90 } }]
