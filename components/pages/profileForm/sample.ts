import type { Samples } from '../../lib/page/samples.ts'

export const samples: Samples<'profileForm'> = [
  {
    url: '/profile/form',
    data: {
      name: 'Айгүл',
      birthday: '31/12/1990',
      gender: 'female',
      avatar: '/profile/avatar?AAAAAAAAAAAAAAAAAAAAAA',
    },
  },
  { url: '/profile/form', data: { name: '', birthday: '', gender: null, avatar: null } },
]
