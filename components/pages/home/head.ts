import type { PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'home'> = {
  path: () => paths.home(),
  description: ({ front }, t, { town }) => front?.lead ?? t('head.home.description', { town: town.name }),
  // A venue may stand in several rails.
  list: ({ rails }) => [
    ...new Map(rails.flatMap(({ venues }) => venues).map((venue) => [venue.id, venue])).values(),
  ],
}
