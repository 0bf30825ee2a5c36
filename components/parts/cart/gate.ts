/** What has to be settled before an order can be sent at all. */

import type { CartPage } from '../../lib/page-data.ts'

const GATES = ['unpaid', 'signIn', 'noPayment', 'table', 'far'] as const

export type Gate = (typeof GATES)[number]

/** The first of them that is in the way. The keys of a tablet are asked on the spot. */
export function gateOf({ blocks, keypad }: CartPage): Gate | undefined {
  return GATES.find((gate) => blocks.includes(gate) && !(gate === 'table' && keypad))
}
