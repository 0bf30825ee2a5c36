import type { Samples } from '../../lib/page/samples.ts'
import type { AddressCard } from '../../lib/page-data.ts'

const HOME: AddressCard = {
  id: 5,
  name: 'Үй',
  text: 'Абай даңғылы, 10',
  city: 'Алматы',
  entrance: '2',
  floor: '3',
  apartment: '25',
  privateHouse: false,
  distance: 1200,
}

const LOCAL: AddressCard = {
  ...HOME,
  id: -1,
  name: '',
  entrance: '',
  floor: '',
  apartment: '',
  privateHouse: true,
  distance: null,
}

export const samples: Samples<'addresses'> = [
  {
    url: '/addresses?back=%2Fcart',
    data: {
      addresses: [HOME, { ...LOCAL, id: 6 }],
      failed: false,
      local: false,
      deleted: 'Төле би көшесі, 4',
      back: '/cart',
    },
  },
  {
    url: '/addresses',
    data: { addresses: [LOCAL], failed: false, local: true, deleted: null, back: '/' },
  },
  { url: '/addresses', data: { addresses: [], failed: true, local: false, deleted: null, back: '/' } },
]
