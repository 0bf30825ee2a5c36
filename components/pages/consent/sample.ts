import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'consent'> = [
  { url: '/consent', data: { back: '/filials/1013', refused: false, version: '2026-11-24' } },
  { url: '/consent?refused=1', data: { back: '/filials/1013', refused: true, version: '2026-11-24' } },
]
