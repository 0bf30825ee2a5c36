/** The keys of a tablet for the number of the table. */

import { partOf } from '../../part.ts'

export const overlay = partOf<'cart'>(({ keypad }) => keypad)
