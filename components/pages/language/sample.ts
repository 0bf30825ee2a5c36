import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'language'> = [{ url: '/language', data: { back: '/' } }]
