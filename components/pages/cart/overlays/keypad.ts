/** The keys of a tablet for the number of the table. */

import { partOfCart } from '../part.ts'

export const overlay = partOfCart(({ keypad }) => keypad)
