import { lastMenu } from '../../lib/find/last-menu.ts'
import type { PageRest } from '../../lib/page/pages.ts'
import { paths } from '../../paths.ts'

/** The made-up category of popular dishes (MN-08). */
const POPULAR = -3

export const rest: PageRest<'menuSearch'> = {
  // In the menu that was shown last.
  atHand({ pathname, search, searchParams }, { shell }) {
    const menu = lastMenu()
    if (!menu || pathname !== paths.menuSearch(menu.page.data.venue.id)) return null
    const { venue, lists, categories } = menu.page.data
    const popular = lists.find(({ id }) => id === POPULAR)?.products ?? []
    const data = {
      venue,
      query: searchParams.get('q')?.trim() ?? '',
      shown: null,
      ...(searchParams.has('exact') ? ({ exact: true } as const) : {}),
      products: [],
      popular: categories.flatMap(({ products }) => products).filter(({ id }) => popular.includes(id)),
      failed: false,
    }
    const layout = { frame: 'search', navbar: false, balance: false } as const
    return {
      shell: { ...shell, url: pathname + search, flash: null, layout },
      page: { route: 'menuSearch', data },
      status: 200,
    }
  },
}
