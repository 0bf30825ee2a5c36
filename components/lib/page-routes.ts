/**
 * The addresses of the product and the page that each of them is expected to show. The server has the last word: the
 * page data names the page, this table only tells which code to fetch beside it.
 */

import type { PageId } from './page/pages.ts'

export const routeTable = [
  { id: 'home', path: '/' },
  { id: 'filials', path: '/filials' },
  { id: 'town', path: '/town' },
  { id: 'menu', path: '/filials/:filialId' },
  { id: 'cart', path: '/cart' },
  { id: 'order', path: '/filials/:filialId/order/:orderId' },
  { id: 'checking', path: '/orders/checking/:key' },
  { id: 'brands', path: '/brands' },
  { id: 'booking', path: '/brands/booking' },
  { id: 'brandFilials', path: '/brands/filials' },
  { id: 'coming', path: '/filials/:filialId/bill' },
  { id: 'coming', path: '/bills/preorder/:id' },
  { id: 'menuSearch', path: '/filials/:filialId/search' },
  { id: 'coming', path: '/filials/:filialId/barcode-scanner' },
  { id: 'coming', path: '/filials/:filialId/barcode-manual' },
  { id: 'details', path: '/filials/:filialId/details' },
  { id: 'map', path: '/map' },
  { id: 'search', path: '/search' },
  { id: 'coming', path: '/orders' },
  { id: 'coming', path: '/typ/:filialId/order/:id' },
  { id: 'coming', path: '/orders/:id' },
  { id: 'coming', path: '/profile' },
  { id: 'coming', path: '/profile/form' },
  { id: 'faq', path: '/faq' },
  { id: 'coming', path: '/address-map' },
  { id: 'coming', path: '/address-form' },
  { id: 'coming', path: '/auth' },
  { id: 'legal', path: '/legal/:doc' },
  { id: 'language', path: '/language' },
  { id: 'age', path: '/age' },
  { id: 'notFound', path: '*' },
] as const satisfies readonly { id: PageId; path: string }[]
