/**
 * Every address of the product that the browser names, in one table. Those of pages follow from the server's registration;
 * what is written by hand says more.
 */

import type { FilterKind, Lang, RailKind, Service } from './lib/page-data.ts'
import { type PageQuery, routeTable } from './lib/page-routes.ts'

type Value = string | number | null | undefined
type Query = Record<string, Value>

type Id = keyof PageQuery
type PathOf<I extends Id> = Extract<(typeof routeTable)[number], { id: I }>['path']

/** What stands behind the colons of a path. */
type NamesIn<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<`/${More}`>
    : Rest
  : never

type Optional<I extends Id> = { [K in PageQuery[I]]?: Value }

/** A builder for each page: `paths.town({ back })`. What its path asks for has to be given, its query may be. */
type PagePaths = {
  [I in Id]: [NamesIn<PathOf<I>>] extends [never]
    ? [PageQuery[I]] extends [never]
      ? () => string
      : (values?: Optional<I>) => string
    : (values: Record<NamesIn<PathOf<I>>, string | number> & Optional<I>) => string
}

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

/** The part of the cart with what goes well with it. The server leads there without scripts (`features/cart/add.rs`). */
export const CROSS = 'cross'

/** The builders that follow from the registration, with those written by hand in their place. */
function withOwn<T>(own: T): Omit<PagePaths, keyof T> & T {
  const entries = routeTable.map(({ id, path }) => [id, (values: Query = {}) => filled(path, values)])
  return { ...(Object.fromEntries(entries) as PagePaths), ...own }
}

function filled(path: string, values: Query): string {
  if (!path.includes(':')) return withQuery(path, values)
  const query = { ...values }
  const own = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(query[name]))
    query[name] = null
    return value
  })
  return withQuery(own, query)
}

/** Pages. The service worker names none and does without. */
export const paths = /* @__PURE__ */ withOwn({
  venues: (
    query: { category?: RailKind | null; kitchen?: string | undefined; q?: string; page?: number } = {},
  ) => withQuery('/filials', { ...query, page: query.page === 1 ? null : query.page }),
  menu: (venueId: number, query: { item?: number; line?: string; fav?: 1; from?: 'cart' } = {}) =>
    withQuery(`/filials/${venueId}`, query),
  order: (venueId: number, orderId: string, query: { key?: string } = {}) =>
    withQuery(`/filials/${venueId}/order/${encodeURIComponent(orderId)}`, query),
  checking: (key: string) => `/orders/checking/${encodeURIComponent(key)}`,
  brands: (query: { q?: string; page?: number } = {}) =>
    withQuery('/brands', { ...query, page: query.page === 1 ? null : query.page }),
  brandVenues: (query: { brand?: number; q?: string; page?: number } = {}) =>
    withQuery('/brands/filials', { ...query, page: query.page === 1 ? null : query.page }),
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
  /** What is known of a place, and what a text may mean; no pages. */
  addressAt: () => '/addresses/at',
  addressSuggest: (query: { q?: string; city?: string } = {}) => withQuery('/addresses/suggest', query),
  /** `type` is a service; the key `service` chooses that of the whole visit. */
  orders: (query: { type?: Service | null; page?: number } = {}) =>
    withQuery('/orders', { ...query, page: query.page === 1 ? null : query.page }),
  orderInfo: (id: string) => `/orders/${encodeURIComponent(id)}`,
  thankYou: (venueId: number, orderId: string) => `/typ/${venueId}/order/${encodeURIComponent(orderId)}`,
  /** What is lost with the account; the question is its second step. */
  deletion: (query: { step?: 'sure' } = {}) => withQuery('/profile/delete', query),
  /** The same page in another language: a real address, opened by a full load (LC-25). */
  inLang: (url: string, lang: Lang) => withQuery(url, { lang }),
})

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
