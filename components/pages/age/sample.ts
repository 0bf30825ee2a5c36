import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'age'> = [
  { url: '/age', data: { back: '/filials/1013' } },
  { url: '/age', data: { back: '/filials/1201/fridge#open', fridge: true } },
]
