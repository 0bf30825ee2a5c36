import type { PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'home'> = {
  path: () => paths.home(),
  // A venue may stand in several rails.
  list: ({ rails }) => [
    ...new Map(rails.flatMap(({ venues }) => venues).map((venue) => [venue.id, venue])).values(),
  ],
}
