import { PRODUCTS, type Samples, VENUE } from '../../lib/page/samples.ts'

const EMPTY = { venue: VENUE, fridge: false, code: '', outcome: null, product: null, camera: null }

export const samples: Samples<'barcodeManual'> = [
  { url: '/filials/1013/barcode-manual', data: EMPTY },
  {
    url: '/filials/1013/barcode-manual?code=4870000130016',
    data: { ...EMPTY, code: '4870000130016', outcome: 'found', product: PRODUCTS[0] ?? null },
  },
  {
    url: '/filials/1013/barcode-manual?code=12345670',
    data: { ...EMPTY, fridge: true, code: '12345670', outcome: 'notFound' },
  },
  {
    url: '/filials/1013/barcode-manual?camera=refused',
    data: { ...EMPTY, camera: 'refused' },
  },
]
