import { canonicalId, type PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'details'> = {
  path: ({ venue }, shell) => paths.details(canonicalId(venue, shell)),
  description: ({ venue }, t) => t('head.details.description', { venue: venue.name, address: venue.address }),
  steps: ({ venue }, t, shell) => [
    [t('nav.venues'), paths.venues()],
    [venue.name, paths.menu(canonicalId(venue, shell))],
    [t('head.details.title', { venue: venue.name }), paths.details(canonicalId(venue, shell))],
  ],
  image: ({ venue }) => venue.image,
}
