import { canonicalId, type PageHead } from '../../lib/page/head.ts'
import { paths } from '../../paths.ts'

export const head: PageHead<'menu'> = {
  path: ({ venue }, shell) => paths.menu(canonicalId(venue, shell)),
  description: ({ venue }, t) => t('head.menu.description', { venue: venue.name, address: venue.address }),
  steps: ({ venue }, t, shell) => [
    [t('nav.venues'), paths.venues()],
    [venue.name, paths.menu(canonicalId(venue, shell))],
  ],
  image: ({ venue }) => venue.image,
}
