// Generated from `server/routes.rs` by `make types`. Do not edit.

import type { Page } from './page-data.ts'

export const routeTable = [
  { id: 'home', path: '/' },
  { id: 'venues', path: '/filials' },
  { id: 'town', path: '/town' },
  { id: 'menu', path: '/filials/:filial_id' },
  { id: 'menuSearch', path: '/filials/:filial_id/search' },
  { id: 'details', path: '/filials/:filial_id/details' },
  { id: 'reviews', path: '/filials/:filial_id/reviews' },
  { id: 'reviewForm', path: '/filials/:filial_id/reviews/new' },
  { id: 'brands', path: '/brands' },
  { id: 'brandVenues', path: '/brands/filials' },
  { id: 'booking', path: '/brands/booking' },
  { id: 'map', path: '/map' },
  { id: 'search', path: '/search' },
  { id: 'cart', path: '/cart' },
  { id: 'order', path: '/filials/:filial_id/order/:id' },
  { id: 'orders', path: '/orders' },
  { id: 'orderInfo', path: '/orders/:id' },
  { id: 'thankYou', path: '/typ/:filial_id/order/:id' },
  { id: 'checking', path: '/orders/checking/:key' },
  { id: 'pay', path: '/pay/:token' },
  { id: 'bill', path: '/filials/:filial_id/bill' },
  { id: 'bill', path: '/bills/preorder/:id' },
  { id: 'billPaid', path: '/bills/paid/:token' },
  { id: 'faq', path: '/faq' },
  { id: 'legal', path: '/legal/:doc' },
  { id: 'language', path: '/language' },
  { id: 'age', path: '/age' },
  { id: 'consent', path: '/consent' },
  { id: 'cookies', path: '/cookies' },
  { id: 'auth', path: '/auth' },
  { id: 'profile', path: '/profile' },
  { id: 'profileForm', path: '/profile/form' },
  { id: 'bonuses', path: '/profile/bonuses' },
  { id: 'deletion', path: '/profile/delete' },
  { id: 'deleted', path: '/profile/deleted' },
  { id: 'addresses', path: '/addresses' },
  { id: 'addressMap', path: '/address-map' },
  { id: 'addressForm', path: '/address-form' },
  { id: 'barcodeManual', path: '/filials/:filial_id/barcode-manual' },
  { id: 'barcodeScanner', path: '/filials/:filial_id/barcode-scanner' },
  { id: 'fridge', path: '/filials/:filial_id/fridge' },
  { id: 'notFound', path: '*' },
] as const satisfies readonly { id: Page['route']; path: string }[]

/**
 * The query keys that change a page.
 */
export type PageQuery = {
  home: never
  venues: 'category' | 'kitchen' | 'q' | 'page'
  town: 'back' | 'q' | 'to'
  menu: 'item' | 'line' | 'fav' | 'from'
  menuSearch: 'q' | 'exact'
  details: never
  reviews: 'page' | 'in' | 'reported' | 'removed'
  reviewForm: never
  brands: 'q' | 'page'
  brandVenues: 'brand' | 'q' | 'page'
  booking: 'filial' | 'date' | 'guests' | 'time' | 'booking' | 'cancel' | 'ahead'
  map: 'bbox' | 'q' | 'venue'
  search: 'q' | 'brand' | 'page' | 'exact' | 'open' | 'meatless' | 'halal' | 'price' | 'kitchen'
  cart: never
  order: 'key' | 'step'
  orders: 'type' | 'page'
  orderInfo: 'step'
  thankYou: 'step'
  checking: never
  pay: 'step'
  bill: 'filial_id' | 'table_id' | 'main_terminal_id' | 'bill' | 'split' | 'of' | 'pay' | 'sum' | 'tip' | 'tip_sum' | 'bonus' | 'payment' | 'step' | 'wanted' | 'problem'
  billPaid: never
  faq: never
  legal: never
  language: 'back'
  age: 'back'
  consent: 'back' | 'refused'
  cookies: 'back' | 'sign_in'
  auth: 'problem' | 'back'
  profile: 'saved'
  profileForm: never
  bonuses: never
  deletion: 'step'
  deleted: never
  addresses: 'back'
  addressMap: 'id' | 'back' | 'q'
  addressForm: 'id' | 'back'
  barcodeManual: 'code' | 'camera'
  barcodeScanner: 'table'
  fridge: never
}
