import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'error'> = [
  { url: '/', data: { kind: 'unavailable', requestId: 'r1', again: true }, status: 503 },
  { url: '/', data: { kind: 'noTablet', requestId: 'r1' }, status: 404 },
]
