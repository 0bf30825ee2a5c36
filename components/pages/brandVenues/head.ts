import type { PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'brandVenues'> = {
  // The venues of the only brand are the host's front; of many brands the lists of all venues name them too.
  path: ({ others, brand, page }) => (others ? null : paths.brandVenues({ brand, page })),
  description: ({ front }, t, { town }) => front?.lead ?? t('head.venues.description', { town: town.name }),
  list: ({ venues }) => venues,
}
