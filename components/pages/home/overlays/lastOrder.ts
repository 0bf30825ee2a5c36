/** What was ordered last, for whoever has ordered. */

import { partOf } from '../../part.ts'

export const overlay = partOf<'home'>(({ repeat }) => repeat !== null)
