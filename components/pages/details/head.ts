import { canonicalId, type PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'details'> = {
  path: ({ venue }) => paths.details(canonicalId(venue)),
  description: ({ venue }, t) => t('head.details.description', { venue: venue.name, address: venue.address }),
  steps: ({ venue }, t) => [
    [t('nav.venues'), paths.venues()],
    [venue.name, paths.menu(canonicalId(venue))],
    [t('head.details.title', { venue: venue.name }), paths.details(canonicalId(venue))],
  ],
  image: ({ venue }) => venue.image,
}
