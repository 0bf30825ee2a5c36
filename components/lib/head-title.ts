/** The title of a page: in the document's head and after each navigation. */

import type { PageData } from './page-data.ts'
import type { Text } from './text.tsx'

export function titleOf({ page }: PageData, t: Text): string {
  const own = ownTitle(page, t)
  return `${own} · ${t('head.site')}`
}

function ownTitle(page: PageData['page'], t: Text): string {
  switch (page.route) {
    case 'home':
      return t('head.home.title')
    case 'filials':
      return t('head.filials.title')
    case 'town':
      return t('head.town.title')
    case 'menu':
      return page.data.item?.product.name ?? t('head.menu.title', { venue: page.data.venue.name })
    case 'faq':
      return t('head.faq.title')
    case 'age':
      return t('head.age.title')
    case 'language':
      return t('head.language.title')
    case 'legal':
      return page.data.title
    case 'cart':
      return t('head.cart.title')
    case 'order':
      return t('head.order.title', { number: page.data.number })
    case 'checking':
      return t('head.checking.title')
    case 'map':
      return t('head.map.title')
    case 'details':
      return t('head.details.title', { venue: page.data.venue.name })
    case 'brands':
      return t('head.brands.title')
    case 'brandFilials':
      return page.data.name || t('head.filials.title')
    case 'booking':
      return about(page.data.venue?.name, t('head.booking.title'))
    case 'search':
      return about(page.data.query, t('head.search.title'))
    case 'menuSearch':
      return about(page.data.venue.name, t('head.menuSearch.title'))
    case 'coming':
      return t('head.coming.title')
    case 'cookies':
      return t('head.cookies.title')
    case 'notFound':
      return t('head.notFound.title')
    case 'error':
      return t('head.error.title')
  }
}

function about(name: string | undefined, what: string): string {
  return name ? `${name} · ${what}` : what
}
