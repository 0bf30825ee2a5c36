import type { PageHead } from '../../lib/page/head.ts'

export const head: PageHead<'map'> = {
  path: null,
  description: (_, t, { town }) => t('head.map.description', { town: town.name }),
}
