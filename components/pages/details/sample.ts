import { type Samples, VENUE } from '../../lib/page/samples.ts'
import type { DetailsPage } from '../../lib/page-data.ts'

const DETAILS: DetailsPage = {
  venue: VENUE,
  town: 'Алматы',
  prefix: 'Samal',
  point: { lat: 43.2328, lon: 76.9571 },
  rating: 4.7,
  reviews: 1284,
  days: [
    { day: 1, today: true, always: true, spans: [] },
    { day: 2, today: false, always: false, spans: [] },
    { day: 3, today: false, always: false, spans: [{ from: '18:00', to: '02:30', nextDay: true }] },
    { day: 4, today: false, always: false, spans: [{ from: '11:00', to: '15:00', nextDay: false }] },
  ],
  schedule: 'Күн сайын',
  phone: { text: '+7 727 123-45-01', href: 'tel:+77271234501' },
  networks: [{ kind: 'instagram', name: 'Instagram', link: 'https://social.example/a' }],
  payments: ['online', 'cash'],
  banner: { kind: 'weather_issues', message: '' },
  delivery: { open: true, delay: 15 },
  ownDelivery: { cost: 50_000, minSum: 300_000, maxSum: 900_000 },
  books: true,
  minutes: 20,
  promo: true,
  credit: { text: 'Sandbox', href: null },
}

export const samples: Samples<'details'> = [{ url: '/filials/1013/details', data: DETAILS }]
