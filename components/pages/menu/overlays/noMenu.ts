/** A menu that did not come, or has no dishes: guests of any other fetch nothing of it. */

import { partOf } from '../../part.ts'

// A dish that is open has the styles of the document.
export const overlay = partOf<'menu'>(
  ({ dish, failed, categories }) =>
    !dish && (failed || categories.every(({ products }) => products.length === 0)),
)
