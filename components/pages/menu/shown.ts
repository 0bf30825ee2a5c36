import { rememberMenu } from '../../lib/browser/recent-menus.ts'
import type { PageShown } from '../../lib/page/pages.ts'

export const shown: PageShown<'menu'> = {
  event: ({ venue }) => ({ name: 'menuOpened', venue: venue.id }),
  // As the way back.
  keep: ({ venue }) => rememberMenu(venue),
}
