import type { PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'brands'> = {
  path: ({ query }) => (query ? null : paths.brands()),
  description: (_, t, { town }) => t('head.brands.description', { town: town.name }),
  steps: (_, t) => [[t('head.brands.title'), paths.brands()]],
}
