import { type PageHead, UNLISTED } from '../../lib/page/head.ts'

export const head: PageHead<'signInNeeded'> = UNLISTED
