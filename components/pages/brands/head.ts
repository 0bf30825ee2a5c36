import type { PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'brands'> = {
  path: ({ query }) => (query ? null : paths.brands()),
  description: ({ front }, t, { town }) => front?.lead ?? t('head.brands.description', { town: town.name }),
  steps: (_, t) => [[t('head.brands.title'), paths.brands()]],
}
