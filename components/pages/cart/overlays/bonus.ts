/** How many bonuses are spent: of a guest who has some and may. */

import { partOf } from '../../part.ts'

export const overlay = partOf<'cart'>(({ bonus }) => bonus?.state === 'ready')
