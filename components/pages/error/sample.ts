import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'error'> = [
  { url: '/', data: { kind: 'unavailable', requestId: 'r1' }, status: 503 },
]
