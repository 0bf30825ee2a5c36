/** The cart's state in the browser: the server's word, and what is on its way in the one serial lane of its changes. */

import { actions } from '../../paths.ts'
import { createListeners } from '../browser/listeners.ts'
import { createMutations, type Mutations, type Operation, type Outcome } from '../mutations/mutations.ts'
import type { CartView } from '../page-data.ts'
import { changeOf, type ShownLine, shownLines } from './changes.ts'

/** The lane of everything that changes the cart. */
export const CART_LANE = 'cart'

export type CartSnapshot = {
  /** The server's last word. */
  cart: CartView | null
  /** Pieces in all, with what is on its way. */
  count: number
  /** Changes are on their way: sums are behind the quantities. */
  pending: boolean
  /** Pieces of the plain line of a product, with what is on its way; 0 when the cart is of another venue. */
  quantity: (productId: number, venueId?: number) => number
  /** Pieces of a line, with what is on its way. */
  lineQuantity: (lineId: string) => number
}

/** A change as the early-tap script and the storage keep it. */
export type QueuedChange = { action: string; body: string }

export type CartStore = {
  subscribe: (listener: () => void) => () => void
  snapshot: () => CartSnapshot
  /** What the server rendered: the same during hydration. */
  serverSnapshot: () => CartSnapshot
  /** Puts a change that no form waits for at the end of the queue. */
  send: (action: string, body: URLSearchParams) => Promise<Outcome>
  /** Takes the cart of a page that was asked for at `epoch`; one that the server could not read stays as it was. */
  adopt: (cart: CartView | null | undefined, epoch: number) => void
  /** Counts the answers so far: tells whether a page is older than a change. */
  epoch: () => number
  /** Resolves when all changes so far have their answers, or after that many milliseconds. */
  rest: (ms: number) => Promise<unknown>
  /** Changes without an answer, to be kept when the page goes away. Placing an order is never among them. */
  unanswered: () => QueuedChange[]
}

/** One store per page load in the browser, one per render on the server. */
export function createCartStore(first: CartView | null, mutations: Mutations = createMutations()): CartStore {
  const listeners = createListeners()
  const queue: Operation[] = []
  let cart = first

  const firstSnapshot = takeSnapshot()
  let current = firstSnapshot

  function takeSnapshot(): CartSnapshot {
    const lines = shownLines(
      cart,
      queue.map(({ action, body }) => changeOf(action, body)),
    )
    const venueId = cart?.venueId
    return {
      cart,
      count: lines.reduce((sum, line) => sum + line.quantity, 0),
      pending: queue.length > 0,
      quantity: (productId, of) =>
        of === undefined || venueId === undefined || of === venueId
          ? find(lines, (line) => line.plain && line.productId === productId)
          : 0,
      lineQuantity: (lineId) => find(lines, (line) => line.lineId === lineId),
    }
  }

  function changed() {
    current = takeSnapshot()
    listeners.tell()
  }

  /** The higher version wins; a cart that is gone, or is another one, is believed when nothing newer was said meanwhile. */
  function takeCart(next: CartView | null, certain: boolean) {
    if (cart === null || (next?.mark === cart.mark ? next.version >= cart.version : certain)) cart = next
  }

  mutations.lanes.set(CART_LANE, {
    queue,
    join,
    isIdle,
    waits: isEdit,
    hear({ cart: next, redirect }, action) {
      // What was ordered stays until the page of the order is there; that brings the cart of then.
      if (next !== undefined && !(action === actions.placeOrder() && redirect)) takeCart(next, true)
    },
  })
  mutations.subscribe(changed)

  return {
    subscribe: listeners.subscribe,
    snapshot: () => current,
    serverSnapshot: () => firstSnapshot,
    send: (action, body) => mutations.send(action, body, { lane: CART_LANE }),
    adopt(next, epoch) {
      if (next !== undefined) takeCart(next, epoch === mutations.epoch())
      changed()
    },
    epoch: mutations.epoch,
    rest: (ms) => Promise.race([queue.at(-1)?.outcome, new Promise((resolve) => setTimeout(resolve, ms))]),
    unanswered: () => queue.filter(isEdit).map(({ action, body }) => ({ action, body: body.toString() })),
  }
}

/**
 * Quick taps on + become one request, and an order that is being placed is not placed again.
 */
function join(waiting: readonly Operation[], action: string, body: URLSearchParams): Operation | undefined {
  if (action === actions.placeOrder()) return waiting.find((operation) => operation.action === action)
  const last = waiting.at(-1)
  if (!last || last.sealed || last.action !== action || body.has('m')) return
  const before = changeOf(last.action, last.body)
  const change = changeOf(action, body)
  if (change.kind !== before.kind || !('delta' in before) || !('delta' in change)) return
  if (change.kind === 'configured' || withoutDelta(body) !== withoutDelta(last.body)) return
  last.body.set('delta', String(before.delta + change.delta))
  return last
}

/** Quantities alone: an order or a payment is sent only while its guest is there. */
function isEdit({ action, body }: Operation): boolean {
  return changeOf(action, body).kind !== 'none'
}

/** A change and its opposite met before either was sent. */
function isIdle({ action, body }: Operation): boolean {
  const change = changeOf(action, body)
  return 'delta' in change && change.delta === 0
}

function withoutDelta(body: URLSearchParams): string {
  const rest = new URLSearchParams(body)
  rest.delete('delta')
  rest.delete('m')
  return rest.toString()
}

function find(lines: ShownLine[], matches: (line: ShownLine) => boolean): number {
  return lines.find(matches)?.quantity ?? 0
}
