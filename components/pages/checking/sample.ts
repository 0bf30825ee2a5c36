import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'checking'> = [{ url: '/orders/checking/k', data: { key: 'k' } }]
