/**
 * Every address of the product that the browser names, in one table. Server routes agree with it: a test asks for
 * each of them.
 */

import type { Lang, RailKind } from './lib/page-data.ts'

type Query = Record<string, string | number | null | undefined>

/** Adds what is set of `query` to `path`, in the order given. */
export function withQuery(path: string, query: Query): string {
  const [bare = '', old = ''] = path.split('?', 2)
  const search = new URLSearchParams(old)
  for (const [key, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') search.delete(key)
    else search.set(key, String(value))
  }
  const text = search.toString()
  return text ? `${bare}?${text}` : bare
}

/** Pages. */
export const paths = {
  home: () => '/',
  filials: (query: { category?: RailKind | null; q?: string; page?: number } = {}) =>
    withQuery('/filials', { ...query, page: query.page === 1 ? null : query.page }),
  town: (query: { back?: string } = {}) => withQuery('/town', query),
  menu: (filialId: number, query: { item?: number } = {}) => withQuery(`/filials/${filialId}`, query),
  cart: () => '/cart',
  order: (filialId: number, orderId: string, query: { key?: string } = {}) =>
    withQuery(`/filials/${filialId}/order/${encodeURIComponent(orderId)}`, query),
  checking: (key: string) => `/orders/checking/${encodeURIComponent(key)}`,
  orders: () => '/orders',
  profile: () => '/profile',
  /** The same page in another language: a real address, opened by a full load (LC-25). */
  inLang: (url: string, lang: Lang) => withQuery(url, { lang }),
}

/** Where forms post to. */
export const actions = {
  addLine: () => '/cart/lines',
  changeLine: (lineId: string) => `/cart/lines/${encodeURIComponent(lineId)}`,
  clearCart: () => '/cart/clear',
  repairCart: () => '/cart/repair',
  mutations: () => '/cart/mutations',
  placeOrder: () => '/orders',
  setService: () => '/session/service',
  setTown: () => '/session/town',
  leaveTable: () => '/session/table/leave',
}
