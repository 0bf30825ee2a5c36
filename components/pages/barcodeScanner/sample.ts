import { type Samples, VENUE } from '../../lib/page/samples.ts'

export const samples: Samples<'barcodeScanner'> = [
  { url: '/filials/1013/barcode-scanner', data: { venue: VENUE, fridge: false, table: false, typed: false } },
  {
    url: '/filials/1013/barcode-scanner?table=1',
    data: { venue: VENUE, fridge: false, table: true, typed: true },
  },
  { url: '/filials/1201/barcode-scanner', data: { venue: VENUE, fridge: true, table: false, typed: false } },
]
