/** What was taken out of a fridge: guests of a kitchen fetch nothing of it. */

import { isOfFridge } from '../../fridge-order.ts'
import { partOf } from '../../part.ts'

export const overlay = partOf<'order'>(isOfFridge)
