/** What has to be settled before there is an order: few carts of guests at a table meet any of it. */

import { gateOf } from '../../../parts/cart/gate.ts'
import { partOf } from '../../part.ts'

export const overlay = partOf<'cart'>((data) => gateOf(data) !== undefined)
