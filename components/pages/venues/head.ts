import type { PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'venues'> = {
  // A list of one kitchen is a part of this one, and no page of its own; one that nobody cooks is no page at all.
  path: ({ query, category, kitchen, page, failed }) =>
    query || (kitchen?.name === '' && !failed) ? null : paths.venues({ category, page: kitchen ? 1 : page }),
  description: (_, t, { town }) => t('head.venues.description', { town: town.name }),
  steps: (_, t) => [[t('nav.venues'), paths.venues()]],
  list: ({ venues, kitchen }) => (kitchen ? [] : venues),
}
