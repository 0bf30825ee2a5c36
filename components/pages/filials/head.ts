import type { PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'filials'> = {
  path: ({ query, category, page }) => (query ? null : paths.filials({ category, page })),
  description: (_, t, { town }) => t('head.filials.description', { town: town.name }),
  steps: (_, t) => [[t('nav.venues'), paths.filials()]],
  list: ({ venues }) => venues,
}
