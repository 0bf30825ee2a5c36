import type { PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'venues'> = {
  path: ({ query, category, page }) => (query ? null : paths.venues({ category, page })),
  description: (_, t, { town }) => t('head.venues.description', { town: town.name }),
  steps: (_, t) => [[t('nav.venues'), paths.venues()]],
  list: ({ venues }) => venues,
}
