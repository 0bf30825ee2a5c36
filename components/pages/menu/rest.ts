import { lastMenu } from '../../lib/find/last-menu.ts'
import type { PageRest } from '../../lib/page/pages.ts'
import { paths } from '../../paths.ts'
import { motion } from './motion.ts'

/** A menu is there to open its dishes, to be searched, and to be ordered from. */
export const rest: PageRest<'menu'> = {
  ahead: ['menuSearch', 'cart'],
  motion,
  // The one that was shown last.
  atHand({ pathname, search, searchParams }, { shell }) {
    const menu = lastMenu()
    if (!menu || pathname !== paths.menu(menu.page.data.venue.id)) return null
    if (searchParams.has('line') || searchParams.has('table_id')) return null
    const data = { ...menu.page.data, dish: null }
    const { layout } = menu.shell
    return {
      ...menu,
      shell: { ...shell, url: pathname + search, flash: null, layout },
      page: { route: 'menu', data },
    }
  },
}
