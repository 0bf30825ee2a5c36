import { canonicalId, type PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'reviews'> = {
  // A filter by language is no canonical page.
  path: ({ venue, page, only }, shell) => paths.reviews(canonicalId(venue, shell), { page: only ? 1 : page }),
  description: ({ venue }, t) => t('head.reviews.description', { venue: venue.name, address: venue.address }),
  steps: ({ venue }, t, shell) => [
    [t('nav.venues'), paths.venues()],
    [venue.name, paths.menu(canonicalId(venue, shell))],
    [t('reviews.title'), paths.reviews(canonicalId(venue, shell))],
  ],
  image: ({ venue }) => venue.image,
}
