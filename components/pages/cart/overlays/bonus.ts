/** How many bonuses are spent: of a guest who has some and may. */

import { partOfCart } from '../part.ts'

export const overlay = partOfCart(({ bonus }) => bonus?.state === 'ready')
