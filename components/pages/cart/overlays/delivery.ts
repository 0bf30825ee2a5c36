/** Who brings an order, and for how much: of a cart with delivery alone. */

import { partOfCart } from '../part.ts'

export const overlay = partOfCart(({ delivery }) => delivery !== null)
