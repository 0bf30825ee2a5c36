import type { Samples } from '../../lib/page/samples.ts'
import type { AddressFormPage } from '../../lib/page-data.ts'

const NEW: AddressFormPage = {
  id: null,
  first: true,
  fields: {
    name: '',
    street: 'Абай даңғылы',
    building: '10',
    entrance: '',
    floor: '',
    apartment: '',
    privateHouse: false,
    comment: '',
  },
  place: 'Алматы, Абай даңғылы, 10',
  city: 'Алматы',
  at: { lat: 43.238, lon: 76.945 },
  back: '/cart',
}

export const samples: Samples<'addressForm'> = [
  { url: '/address-form?back=%2Fcart', data: NEW },
  {
    url: '/address-form?id=5&back=%2Fcart',
    data: {
      ...NEW,
      id: 5,
      first: false,
      place: '',
      fields: { ...NEW.fields, name: 'Саяжай', privateHouse: true, comment: 'Көк қақпа' },
    },
  },
]
