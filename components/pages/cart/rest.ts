import type { PageRest } from '../../lib/page/pages.ts'

export const rest: PageRest<'cart'> = { isAtStake: true, leaves: { order: '.order > .button' } }
