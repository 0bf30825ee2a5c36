import type { PageRest } from '../../lib/page/pages.ts'

export const rest: PageRest<'fridge'> = { isAtStake: true }
