/** Who brings an order, and for how much: of a cart with delivery alone. */

import { partOf } from '../../part.ts'

export const overlay = partOf<'cart'>(({ delivery }) => delivery !== null)
