import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'auth'> = [
  { url: '/auth?problem=denied', data: { problem: 'denied', back: '/cart', on: '/cart' } },
  { url: '/auth?problem=deleted', data: { problem: 'deleted', back: '/cart', on: '/cart' } },
  { url: '/auth?problem=trackId', data: { problem: 'trackId', back: '/cart', on: '/cart' } },
  { url: '/auth?problem=elsewhere', data: { problem: 'elsewhere', back: '/profile', on: '/' } },
]
