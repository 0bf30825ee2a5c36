/** The cart's state in the browser: the server's word, what is on its way, and one serial queue of changes. */

import type { CartView, FieldError, MutationAnswer } from './page-data.ts'

export type SendOptions = {
  /** Follow `redirect` of the answer (default true). */
  follow?: boolean
}

/** What `send` ends with. `answer` is null when nothing came back. */
export type Outcome = { answer: MutationAnswer | null; errors: FieldError[] }

/** A change that was taken back, to be told beside its cause. */
export type Failure = {
  action: string
  productId: number | null
  lineId: string | null
  errors: FieldError[]
}

export type CartSnapshot = {
  /** The server's last word. */
  cart: CartView | null
  /** Pieces in all, with what is on its way. */
  count: number
  /** Changes are on their way: sums are behind the quantities. */
  pending: boolean
  /** Pieces of the plain line of a product, with what is on its way. */
  quantity: (productId: number) => number
  /** Pieces of a line, with what is on its way. */
  lineQuantity: (lineId: string) => number
  /** The last change that was taken back, until the next one succeeds or `dismiss`. */
  failure: Failure | null
  dismiss: () => void
}

export type CartStore = {
  subscribe: (listener: () => void) => () => void
  snapshot: () => CartSnapshot
  /** What the server rendered: the same during hydration. */
  serverSnapshot: () => CartSnapshot
  send: (action: string, body: URLSearchParams, options?: SendOptions) => Promise<Outcome>
}
