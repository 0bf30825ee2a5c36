/** The last order, for guests who have ordered. */

import { partOf } from '../../part.ts'

export const overlay = partOf<'home'>(({ repeat }) => repeat !== null)
