/** The cart's state in the browser: the server's word, what is on its way, and one serial queue of changes. */

import { mutationId } from '../mutations/mutation-id.ts'
import { postForm } from '../mutations/post-form.ts'
import type { CartView, FieldError, Flash, MutationAnswer } from '../page-data.ts'
import { type Change, changeOf, type ShownLine, shownLines } from './changes.ts'

export type SendOptions = {
  /** Follow `redirect` of the answer (default true). */
  follow?: boolean
  /** Whether a form that would show a failure beside itself still stands there. Without it nobody does. */
  mounted?: () => boolean
}

/** What `send` ends with. `answer` is null when nothing came back, `lost` when nothing gets through at all. */
export type Outcome = { answer: MutationAnswer | null; errors: FieldError[]; lost?: true }

/** A change that was taken back, to be told beside its cause. */
export type Failure = {
  action: string
  /** What the form sent, to be sent once more. */
  fields: Readonly<Record<string, string>>
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
  /** Pieces of the plain line of a product, with what is on its way; 0 when the cart is of another venue. */
  quantity: (productId: number, filialId?: number) => number
  /** Pieces of a line, with what is on its way. */
  lineQuantity: (lineId: string) => number
  /** The last change that was taken back, until the next one succeeds or `dismiss`. */
  failure: Failure | null
  /** Failures that no form holds, until the same is done with success or `dismiss`. */
  unreported: readonly Failure[]
  /** What the last answer has to say (`flash.${kind}`), until `dismiss` or the next page. */
  flash: Flash | null
  dismiss: () => void
}

/** A change as the early-tap script and the storage keep it. */
export type QueuedChange = { action: string; body: string }

export type CartStore = {
  subscribe: (listener: () => void) => () => void
  snapshot: () => CartSnapshot
  /** What the server rendered: the same during hydration. */
  serverSnapshot: () => CartSnapshot
  /** Puts a change at the end of the queue. */
  send: (action: string, body: URLSearchParams, options?: SendOptions) => Promise<Outcome>
  /** Takes the cart of a page that was asked for at `epoch`. */
  adopt: (cart: CartView | null, epoch: number) => void
  /** Counts the answers so far: tells whether a page is older than a change. */
  epoch: () => number
  /** When all changes so far have their answers, or after so many milliseconds. */
  rest: (ms: number) => Promise<unknown>
  /** Changes without an answer, to be kept when the page goes away. Placing an order is never among them. */
  unanswered: () => QueuedChange[]
}

type Operation = {
  action: string
  body: URLSearchParams
  options: SendOptions
  change: Change
  /** Sending has begun, or the id came from outside: nothing may be added to it. */
  sealed: boolean
  /** Those who wait for its outcome. */
  observers: (() => boolean)[]
  finish: (outcome: Outcome) => void
  outcome: Promise<Outcome>
}

export type CartStoreLinks = {
  /** Goes to `redirect` of the answer to `action`. */
  follow: (to: string, action: string) => void
  /** The queue is empty after an answer to `action` that leads nowhere else. */
  settled: (action: string) => void
  post: typeof postForm
}

const NO_LINKS: CartStoreLinks = { follow() {}, settled() {}, post: postForm }

/** One store per page load in the browser, one per render on the server. */
export function createCartStore(first: CartView | null, links: CartStoreLinks = NO_LINKS): CartStore {
  const listeners = new Set<() => void>()
  const queue: Operation[] = []
  let cart = first
  let failure: Failure | null = null
  let unreported: readonly Failure[] = []
  let flash: Flash | null = null
  let answers = 0
  let running = false

  const firstSnapshot = takeSnapshot()
  let current = firstSnapshot

  function takeSnapshot(): CartSnapshot {
    const lines = shownLines(
      cart,
      queue.map((operation) => operation.change),
    )
    const filialId = cart?.filialId
    return {
      cart,
      count: lines.reduce((sum, line) => sum + line.quantity, 0),
      pending: queue.length > 0,
      quantity: (productId, of) =>
        of === undefined || filialId === undefined || of === filialId
          ? find(lines, (line) => line.plain && line.productId === productId)
          : 0,
      lineQuantity: (lineId) => find(lines, (line) => line.lineId === lineId),
      failure,
      unreported,
      flash,
      dismiss,
    }
  }

  function changed() {
    current = takeSnapshot()
    for (const listener of listeners) listener()
  }

  function dismiss() {
    if (failure === null && flash === null && unreported.length === 0) return
    failure = null
    unreported = []
    flash = null
    changed()
  }

  function send(action: string, body: URLSearchParams, options: SendOptions = {}): Promise<Outcome> {
    const same = joinable(action, body)
    if (same) {
      if (options.mounted) same.observers.push(options.mounted)
      changed()
      return same.outcome
    }
    const sealed = body.has('m')
    if (!sealed) body.set('m', mutationId())
    const operation = createOperation(action, body, options, sealed)
    queue.push(operation)
    changed()
    if (!running) void run()
    return operation.outcome
  }

  /**
   * A waiting change that takes this one in: quick taps on + become one request, and an order that is being placed
   * is not placed again.
   */
  function joinable(action: string, body: URLSearchParams): Operation | undefined {
    if (action === '/orders') return queue.find((operation) => operation.action === action)
    const last = queue.at(-1)
    if (!last || last.sealed || last.action !== action || !('delta' in last.change) || body.has('m')) return
    const change = changeOf(action, body)
    if (change.kind !== last.change.kind || !('delta' in change) || change.kind === 'configured') return
    if (withoutDelta(body) !== withoutDelta(last.body)) return
    last.body.set('delta', String(last.change.delta + change.delta))
    last.change = changeOf(action, last.body)
    return last
  }

  async function run() {
    running = true
    for (let next = queue[0]; next; next = queue[0]) {
      next.sealed = true
      // A change and its opposite met before either was sent.
      const idle = 'delta' in next.change && next.change.delta === 0
      settle(next, idle ? { answer: null, errors: [] } : await links.post(next.action, next.body))
    }
    running = false
  }

  function settle(operation: Operation, outcome: Outcome) {
    queue.shift()
    // Nothing gets through: what waits behind is taken back with it instead of failing one by one.
    const dropped = outcome.lost ? queue.splice(0) : []
    if (outcome.answer) {
      answers += 1
      // What was ordered stays until the page of the order is there; that brings the cart of then.
      const next = outcome.answer.cart
      if (next !== undefined && !isOrdered(operation.action, outcome)) takeCart(next, true)
      flash = outcome.answer.flash
    }
    takeErrors(operation, dropped, outcome.errors)
    changed()
    for (const each of [operation, ...dropped]) each.finish(outcome)
    if (!outcome.answer) return
    const to = outcome.answer.redirect
    if (to && operation.options.follow !== false) links.follow(to, operation.action)
    else if (queue.length === 0) links.settled(operation.action)
  }

  /** What was tapped before hydration, or by a form that is gone, fails under nobody's eyes: it is kept to be told. */
  function takeErrors(operation: Operation, dropped: Operation[], errors: FieldError[]) {
    if (errors.length === 0) {
      failure = null
      unreported = unreported.filter((one) => !isSame(one, operation))
      return
    }
    failure = describe(operation, errors)
    // No form tells of the age: it is asked above the page, and the question outlives what goes well after it.
    const isAsked = errors.some(({ code }) => code === 'age')
    const lost = [operation, ...dropped].filter(
      ({ observers }) => isAsked || !observers.some((mounted) => mounted()),
    )
    unreported = [...unreported, ...lost.map((one) => describe(one, errors))]
  }

  /** The higher version wins; a cart that is gone is believed when nothing newer was said meanwhile. */
  function takeCart(next: CartView | null, certain: boolean) {
    if (next === null ? certain : cart === null || next.version >= cart.version) cart = next
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: () => current,
    serverSnapshot: () => firstSnapshot,
    send,
    adopt(next, epoch) {
      takeCart(next, epoch === answers)
      changed()
    },
    epoch: () => answers,
    rest: (ms) => Promise.race([queue.at(-1)?.outcome, new Promise((resolve) => setTimeout(resolve, ms))]),
    unanswered: () =>
      queue
        .filter((operation) => operation.change.kind !== 'none')
        .map((operation) => ({ action: operation.action, body: operation.body.toString() })),
  }
}

/** The answer leads on to the order. */
export function isOrdered(action: string, { answer }: Outcome): boolean {
  return action === '/orders' && answer !== null && answer.redirect !== null
}

function createOperation(
  action: string,
  body: URLSearchParams,
  options: SendOptions,
  sealed: boolean,
): Operation {
  let finish: Operation['finish'] = () => {}
  const outcome = new Promise<Outcome>((resolve) => {
    finish = resolve
  })
  const observers = options.mounted ? [options.mounted] : []
  return { action, body, options, change: changeOf(action, body), sealed, observers, finish, outcome }
}

function describe({ action, body, change }: Operation, errors: FieldError[]): Failure {
  // Another try is another change.
  const { m: _, ...fields } = Object.fromEntries(body)
  return {
    action,
    fields,
    productId: change.kind === 'product' ? change.productId : null,
    lineId: 'lineId' in change ? change.lineId : null,
    errors,
  }
}

/** The same line, or the same dish of the same venue. */
function isSame(failure: Failure, { action, body }: Operation): boolean {
  const of = (name: string) => (failure.fields[name] ?? null) === body.get(name)
  return failure.action === action && of('filial') && of('product')
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
