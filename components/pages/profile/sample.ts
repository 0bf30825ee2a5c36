import type { Samples } from '../../lib/page/samples.ts'

const KNOWN = {
  known: true,
  name: 'Айгүл',
  phone: '+77010000031',
  avatar: null,
  messages: null,
  bonuses: 1_234_500,
  addresses: { count: 3, active: 'Абай даңғылы, 10' },
  saved: false,
}

export const samples: Samples<'profile'> = [
  { url: '/profile', data: KNOWN },
  { url: '/profile', data: { ...KNOWN, name: '', bonuses: 0, addresses: { count: 0, active: null } } },
  { url: '/profile?saved=1', data: { ...KNOWN, messages: 'en', saved: true } },
  {
    url: '/profile',
    data: {
      ...KNOWN,
      avatar: '/profile/avatar?AAAAAAAAAAAAAAAAAAAAAA',
      messages: 'ru',
      phone: '+995599123456',
    },
  },
  { url: '/profile', data: { ...KNOWN, known: false, name: '', phone: '', bonuses: null, addresses: null } },
]
