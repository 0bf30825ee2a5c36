import type { Samples } from '../../lib/page/samples.ts'
import type { AddressMapPage, AddressSpot } from '../../lib/page-data.ts'

const SPOT: AddressSpot = {
  text: 'Алматы, Абай даңғылы, 10',
  city: 'Алматы',
  street: 'Абай даңғылы',
  building: '10',
  at: { lat: 43.238, lon: 76.945 },
}

const START: AddressMapPage = {
  id: null,
  at: SPOT.at,
  chosen: false,
  found: { spot: null, failed: false, zone: 'unknown', ofCart: null, takeaway: null },
  query: '',
  suggestions: [],
  partial: false,
  back: '/cart',
  credit: { text: 'Sandbox', href: null },
}

export const samples: Samples<'addressMap'> = [
  { url: '/address-map?back=%2Fcart', data: START },
  { url: '/address-map?q=абай', data: { ...START, query: 'абай', suggestions: [SPOT] } },
  {
    url: '/address-map?q=абай+150',
    data: { ...START, query: 'абай 150', suggestions: [SPOT], partial: true },
  },
  { url: '/address-map?q=ыыы', data: { ...START, query: 'ыыы' } },
  {
    url: '/address-map?id=5',
    data: {
      ...START,
      id: 5,
      chosen: true,
      suggestions: null,
      found: {
        spot: SPOT,
        failed: false,
        zone: 'outside',
        ofCart: { id: 1012, name: 'Наурыз' },
        takeaway: { id: 1011, name: 'Лағман үйі' },
      },
    },
  },
  {
    url: '/address-map',
    data: {
      ...START,
      chosen: true,
      found: { spot: null, failed: true, zone: 'inside', ofCart: null, takeaway: null },
    },
  },
]
