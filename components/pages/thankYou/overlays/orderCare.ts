/** Who brings the order, the question before it is taken back, how it was. */

import type { PageOverlay } from '../../../lib/page/pages.ts'
import { orderCare } from '../../order-care.ts'

export const overlay: PageOverlay<'thankYou'> = orderCare
