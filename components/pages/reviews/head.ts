import { canonicalId, type PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'reviews'> = {
  // A filter by language is no canonical page.
  path: ({ venue, page, only }) => paths.reviews(canonicalId(venue), { page: only ? 1 : page }),
  description: ({ venue }, t) => t('head.reviews.description', { venue: venue.name, address: venue.address }),
  steps: ({ venue }, t) => [
    [t('nav.venues'), paths.venues()],
    [venue.name, paths.menu(canonicalId(venue))],
    [t('reviews.title'), paths.reviews(canonicalId(venue))],
  ],
  image: ({ venue }) => venue.image,
}
