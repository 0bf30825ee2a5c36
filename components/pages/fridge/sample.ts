import { type Samples, VENUE } from '../../lib/page/samples.ts'
import type { FridgePage } from '../../lib/page-data.ts'

const READY: FridgePage = {
  venue: VENUE,
  state: 'ready',
  long: false,
  session: null,
  order: null,
  charged: null,
  card: false,
  unscanned: 0,
  unseen: [],
  age: 21,
  tooYoung: false,
  support: { text: '+7 701 000 00 01', href: 'tel:+77010000001' },
  presses: 0,
}
const url = '/filials/1201/fridge'

export const samples: Samples<'fridge'> = [
  { url, data: READY },
  { url, data: { ...READY, state: 'signIn' } },
  { url, data: { ...READY, tooYoung: true } },
  { url, data: { ...READY, state: 'opening', session: 'f_1' } },
  { url, data: { ...READY, state: 'open', long: true, session: 'f_1' } },
  { url, data: { ...READY, state: 'failed' } },
  { url, data: { ...READY, state: 'failed', presses: 3 } },
  { url, data: { ...READY, state: 'lost' } },
  {
    url,
    data: {
      ...READY,
      state: 'settled',
      session: 'f_1',
      order: 'o_1',
      charged: 237000,
      card: true,
      unscanned: 2,
      unseen: [{ name: 'Сэндвич', qty: 2, sum: 158000, options: [] }],
    },
  },
]
