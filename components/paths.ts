/**
 * Every address of the product that the browser names, in one table. Server routes agree with it: a test asks for
 * each of them.
 */

import type { FilterKind, Lang, RailKind, Service } from './lib/page-data.ts'

type Query = Record<string, string | number | null | undefined>

/**
 * Adds what is set of `query` to `path`, in the order given. Written without `URLSearchParams` for the common case:
 * a menu builds hundreds of addresses in one render.
 */
export function withQuery(path: string, query: Query): string {
  if (path.includes('?')) return changeQuery(path, query)
  let text = ''
  for (const name in query) {
    const value = query[name]
    if (!isSet(value)) continue
    text += `${text ? '&' : '?'}${encodePart(name)}=${encodePart(String(value))}`
  }
  return path + text
}

function changeQuery(path: string, query: Query): string {
  const cut = path.indexOf('?')
  const search = new URLSearchParams(path.slice(cut))
  for (const [name, value] of Object.entries(query)) {
    if (isSet(value)) search.set(name, String(value))
    else search.delete(name)
  }
  const text = search.toString()
  return path.slice(0, cut) + (text ? `?${text}` : '')
}

function isSet(value: Query[string]): value is string | number {
  return value !== null && value !== undefined && value !== ''
}

/** As forms encode it: a space is a plus. */
function encodePart(text: string): string {
  return /^\w*$/.test(text) ? text : encodeURIComponent(text).replace(/%20/g, '+')
}

function beside(href: string, name: string): string {
  const [path, query] = href.split('?')
  return `${path}/${name}${query ? `?${query}` : ''}`
}

/** Pages. */
export const paths = {
  home: () => '/',
  venues: (
    query: { category?: RailKind | null; kitchen?: string | undefined; q?: string; page?: number } = {},
  ) => withQuery('/filials', { ...query, page: query.page === 1 ? null : query.page }),
  town: (query: { back?: string } = {}) => withQuery('/town', query),
  menu: (venueId: number, query: { item?: number; line?: string; fav?: 1; from?: 'cart' } = {}) =>
    withQuery(`/filials/${venueId}`, query),
  cart: () => '/cart',
  order: (venueId: number, orderId: string, query: { key?: string } = {}) =>
    withQuery(`/filials/${venueId}/order/${encodeURIComponent(orderId)}`, query),
  checking: (key: string) => `/orders/checking/${encodeURIComponent(key)}`,
  brands: (query: { q?: string; page?: number } = {}) =>
    withQuery('/brands', { ...query, page: query.page === 1 ? null : query.page }),
  brandVenues: (query: { brand?: number; q?: string; page?: number } = {}) =>
    withQuery('/brands/filials', { ...query, page: query.page === 1 ? null : query.page }),
  booking: (
    query: {
      filial?: number
      date?: string
      guests?: number
      time?: string
      booking?: string
      cancel?: string
    } = {},
  ) => withQuery('/brands/booking', query),
  map: (query: { bbox?: string | undefined; q?: string; venue?: number } = {}) => withQuery('/map', query),
  /** Filters go by their kinds. `exact`: no other spelling is looked for. */
  search: (
    query: {
      q?: string
      brand?: number | null
      exact?: 1 | null
      page?: number
      service?: Service | undefined
    } & Partial<Record<FilterKind, string | null>> = {},
  ) => withQuery('/search', { ...query, page: query.page === 1 ? null : query.page }),
  menuSearch: (venueId: number, query: { q?: string; exact?: 1 | null } = {}) =>
    withQuery(`/filials/${venueId}/search`, query),
  /** The bill of a table, with what its QR code names. */
  bill: (
    venueId: number,
    query: { filial_id?: number; table_id?: string; main_terminal_id?: string; step?: 'waiter' } = {},
  ) => withQuery(`/filials/${venueId}/bill`, query),
  /** Tells the changes of a venue; no page. */
  venueEvents: (venueId: number, query: { since?: string | undefined; only?: string | undefined } = {}) =>
    withQuery(`/filials/${venueId}/events`, query),
  /** For goods, or for the code of a table. */
  barcodeScanner: (venueId: number, query: { table?: 1 } = {}) =>
    withQuery(`/filials/${venueId}/barcode-scanner`, query),
  /** `camera` is what keeps the camera away. */
  barcodeManual: (venueId: number, query: { code?: string; camera?: string } = {}) =>
    withQuery(`/filials/${venueId}/barcode-manual`, query),
  fridge: (venueId: number) => `/filials/${venueId}/fridge`,
  details: (venueId: number) => `/filials/${venueId}/details`,
  /** `in` is the only language that is read. */
  reviews: (venueId: number, query: { page?: number | null; in?: Lang | null } = {}) =>
    withQuery(`/filials/${venueId}/reviews`, { ...query, page: query.page === 1 ? null : query.page }),
  reviewForm: (venueId: number) => `/filials/${venueId}/reviews/new`,
  /** Pictures and files, not pages. The code is that of the payment whose page is `href`. */
  paymentCode: (href: string) => `${href}/code.svg`,
  bookingCalendar: (id: string) => `/bookings/${encodeURIComponent(id)}/calendar.ics`,
  /** `item` names the answer that is opened. */
  faq: (item?: string) => (item ? `/faq#${item}` : '/faq'),
  legal: (doc: string) => `/legal/${encodeURIComponent(doc)}`,
  /** Whose work the product contains: a text, no page of the app. */
  notices: () => '/legal/notices',
  language: (query: { back?: string } = {}) => withQuery('/language', query),
  age: (query: { back?: string } = {}) => withQuery('/age', query),
  /** Asks the guest of a host app whether their data may be used. */
  consent: (query: { back?: string } = {}) => withQuery('/consent', query),
  /** Finds out whether the browser has kept the session's cookie; shows itself only when it has not. */
  cookies: (query: { back?: string } = {}) => withQuery('/cookies', query),
  addresses: (query: { back?: string } = {}) => withQuery('/addresses', query),
  addressMap: (query: { id?: number | null; back?: string; q?: string } = {}) =>
    withQuery('/address-map', query),
  addressForm: (query: { id?: number | null; back?: string } = {}) => withQuery('/address-form', query),
  /** What is known of a place, and what a text may mean; no pages. */
  addressAt: () => '/addresses/at',
  addressSuggest: (query: { q?: string; city?: string } = {}) => withQuery('/addresses/suggest', query),
  /** `type` is a service; the key `service` chooses that of the whole visit. */
  orders: (query: { type?: Service | null; page?: number } = {}) =>
    withQuery('/orders', { ...query, page: query.page === 1 ? null : query.page }),
  orderInfo: (id: string) => `/orders/${encodeURIComponent(id)}`,
  thankYou: (venueId: number, orderId: string) => `/typ/${venueId}/order/${encodeURIComponent(orderId)}`,
  profile: () => '/profile',
  profileForm: () => '/profile/form',
  bonuses: () => '/profile/bonuses',
  /** What is lost with the account; the question is its second step. */
  deletion: (query: { step?: 'sure' } = {}) => withQuery('/profile/delete', query),
  /** The same page in another language: a real address, opened by a full load (LC-25). */
  inLang: (url: string, lang: Lang) => withQuery(url, { lang }),
}

/** Where forms post to. */
export const actions = {
  addLine: () => '/cart/lines',
  changeLine: (lineId: string) => `/cart/lines/${encodeURIComponent(lineId)}`,
  editLine: (lineId: string) => `/cart/lines/${encodeURIComponent(lineId)}/options`,
  undo: () => '/cart/undo',
  setPromo: () => '/cart/promo',
  setBonus: () => '/cart/bonus',
  repeatOrder: () => '/orders/repeat',
  /** With the capability that its page was opened with, if it was. */
  cancelOrder: (id: string, key: string | null) =>
    withQuery(`/orders/${encodeURIComponent(id)}/cancel`, { key }),
  gradeOrder: (id: string, key: string | null) =>
    withQuery(`/orders/${encodeURIComponent(id)}/grade`, { key }),
  typeTable: () => '/session/table',
  clearCart: () => '/cart/clear',
  repairCart: () => '/cart/repair',
  mutations: () => '/cart/mutations',
  placeOrder: () => '/orders',
  /** What the guest says to an order of unknown outcome that is not sent by itself any more. */
  sendChecked: (key: string) => `/orders/checking/${encodeURIComponent(key)}/send`,
  dropChecked: (key: string) => `/orders/checking/${encodeURIComponent(key)}/drop`,
  /** The guest goes that far. */
  acceptFar: () => '/cart/far',
  /** Calls off an order, or a part of a bill, that is not paid; `href` is its page of paying. */
  cancelPayment: (href: string) => `${href}/cancel`,
  setService: () => '/session/service',
  setTown: () => '/session/town',
  answerAge: () => '/session/age',
  answerConsent: () => '/session/consent',
  /** Leads to the sign-in page of the upstream, and back from there. */
  signIn: () => '/session/sign-in',
  signOut: () => '/session/sign-out',
  saveProfile: () => '/profile/form',
  setAvatar: () => '/profile/avatar',
  removeAvatar: () => '/profile/avatar/remove',
  deleteProfile: () => '/profile/delete',
  /** Restores the deleted account that the guest has just signed in with, or gives it up. */
  restore: () => '/session/restore',
  /** The device's subscription to news of orders, and that one was opened. */
  registerPush: () => '/session/push',
  openedPush: () => '/session/push/opened',
  /** Forgets the guest of a tablet. */
  wipe: () => '/session/wipe',
  saveAddress: () => '/addresses',
  placeAddress: () => '/addresses/place',
  confirmAddress: () => '/addresses/confirm',
  undoAddress: () => '/addresses/undo',
  chooseAddress: (id: number) => `/addresses/${id}/choose`,
  deleteAddress: (id: number) => `/addresses/${id}/delete`,
  openFridge: () => '/fridge/open',
  closeFridge: () => '/fridge/close',
  book: () => '/bookings',
  /** Forms of a bill post beside its page, with what names it. */
  payBill: (href: string) => beside(href, 'pay'),
  holdDishes: (href: string) => beside(href, 'dishes'),
  callWaiter: (href: string) => beside(href, 'waiter'),
  /** How it was, by the page of a part that was paid. */
  gradeBill: (href: string) => `${href}/grade`,
  writeReview: (venueId: number) => paths.reviews(venueId),
  removeReview: (venueId: number) => `/filials/${venueId}/reviews/remove`,
  reportReview: (venueId: number, review: number) => `/filials/${venueId}/reviews/${review}/report`,
  cancelBooking: (id: string) => `/bookings/${encodeURIComponent(id)}/cancel`,
  leaveTable: () => '/session/table/leave',
  /** What only the browser knows, for analytics. */
  events: () => '/events',
}

/** What the app fetches beside its pages. */
export const files = {
  clientSettings: () => '/client-settings',
}
