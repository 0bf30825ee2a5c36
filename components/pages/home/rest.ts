import type { PageRest } from '../../lib/page/pages.ts'

/** Lists are there to be searched. */
export const rest: PageRest<'home'> = { ahead: ['search'] }
