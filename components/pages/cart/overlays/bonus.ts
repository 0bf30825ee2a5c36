/** How many bonuses are spent, for a guest who has some and may spend them. */

import { partOf } from '../../part.ts'

export const overlay = partOf<'cart'>(({ bonus }) => bonus?.state === 'ready')
