import { CARD, CLOSED_CARD, type Samples } from '../../lib/page/samples.ts'
import type { MapPage } from '../../lib/page-data.ts'

const MAP: MapPage = {
  view: { west: 76.9, south: 43.2, east: 77, north: 43.3 },
  requested: true,
  query: 'ла',
  venues: [
    { card: CARD, at: { lat: 43.2328, lon: 76.9571 } },
    { card: CLOSED_CARD, at: { lat: 43.2411, lon: 76.9481 } },
  ],
  total: 42,
  selected: 1013,
  failed: false,
  credit: { text: 'Sandbox', href: null },
}

export const samples: Samples<'map'> = [
  { url: '/map?bbox=76.9,43.2,77,43.3', data: MAP },
  { url: '/map', data: { ...MAP, requested: false, venues: [], selected: null, failed: true }, status: 503 },
]
