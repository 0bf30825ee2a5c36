/**
 * Changes on their way to the server, and what came of them. Each form has a lane of its own, so one that hangs holds up
 * no other. In a lane one change goes after another.
 */

import { actions } from '../../paths.ts'
import { plain } from '../browser/address.ts'
import { createListeners } from '../browser/listeners.ts'
import { forgetLost } from '../net/connection.ts'
import type { FieldError, Flash, MutationAnswer } from '../page-data.ts'
import { mutationId } from './mutation-id.ts'
import type { postForm } from './post-form.ts'

/** Forms that are about the same thing share a lane by its name. */
type LaneName = string | symbol

export type SendOptions = {
  /** Without one the change waits for no other. */
  lane?: LaneName
  /** It is about what all other forms say: they go first. */
  last?: boolean
  /** Nothing is sent a second time by itself: the guest presses again. */
  once?: boolean
  /** Follow `redirect` of the answer (default true). */
  follow?: boolean
  /** Whether a form that would show a failure beside itself still stands there. Without it none does. */
  mounted?: () => boolean
  /** The fields whose errors stand beside that form, or all. The news tell the others, and all once the form is gone. */
  beside?: readonly string[] | 'all'
}

/** What `send` ends with. `answer` is null when nothing came back, `lost` when nothing gets through at all. */
export type Outcome = { answer: MutationAnswer | null; errors: FieldError[]; lost?: true }

/** A change that was taken back, to be told beside its cause. */
export type Failure = {
  action: string
  /** What the form sent, to be sent once more. */
  fields: Readonly<Record<string, string>>
  errors: FieldError[]
  /** Those of them that the form has no place for. */
  unplaced: FieldError[]
}

export type News = {
  /** The last change that was taken back, until the next one succeeds or `dismiss`. */
  failure: Failure | null
  /** Failures that no form holds, until the same is done with success or `dismiss`. */
  unreported: readonly Failure[]
  /** What the last answer has to say, until `dismiss` or the next page but the one that it leads to. */
  flash: Flash | null
}

export type Operation = {
  action: string
  body: URLSearchParams
  options: SendOptions
  /** Sending has begun, or the id came from outside: nothing may be added to it. */
  sealed: boolean
  /** Those who wait for its outcome. */
  observers: (() => boolean)[]
  finish: (outcome: Outcome) => void
  outcome: Promise<Outcome>
}

/** One change after another. The cart's lane does more. */
type Lane = {
  queue: Operation[]
  busy?: boolean
  /** A waiting change that takes this one in. */
  join?: (waiting: readonly Operation[], action: string, body: URLSearchParams) => Operation | undefined
  /** Nothing is left of it to be sent. */
  isIdle?: (operation: Operation) => boolean
  /** It goes when there is a network, however long that takes. What does not is taken back behind it. */
  waits?: (operation: Operation) => boolean
  /** Hears of each answer, of other lanes too, before all others. */
  hear?: (answer: MutationAnswer, action: string) => void
}

export type Mutations = {
  subscribe: (listener: () => void) => () => void
  news: () => News
  /** All is read; of the page that is there instead, whose path this is, only what led to it is new. */
  dismiss: (path?: string) => void
  /** Puts a change at the end of its lane. */
  send: (action: string, body: URLSearchParams, options?: SendOptions) => Promise<Outcome>
  /** By their names. Who puts one in keeps it. */
  lanes: Map<LaneName, Lane>
  /** Counts the answers so far: tells whether a page is older than a change. */
  epoch: () => number
}

export type MutationLinks = {
  /** Goes to `redirect` of the answer to `action`; `paying` is the page of ours that tells of a payment. */
  follow: (to: string, action: string, paying: string | undefined) => void
  /** The lane is empty after an answer to `action` that leads nowhere else. */
  settled: (action: string) => void
  post: typeof postForm
}

const NO_ANSWER: Outcome = { answer: null, errors: [] }
const NO_NEWS: News = { failure: null, unreported: [], flash: null }

/** One for a page load in the browser, one for a render on the server, which sends nothing. */
export function createMutations(links?: MutationLinks): Mutations {
  const listeners = createListeners()
  const lanes: Mutations['lanes'] = new Map()
  let news = NO_NEWS
  let answers = 0
  let leads: string | undefined

  function send(
    address: string,
    body: URLSearchParams,
    { lane: name = Symbol(), ...options }: SendOptions = {},
  ): Promise<Outcome> {
    // The page's own forms have the address that the window has.
    const action = plain(address)
    const lane = lanes.get(name) ?? { queue: [] }
    let operation = lane.join?.(lane.queue, action, body)
    if (!operation) {
      const sealed = body.has('m')
      if (!sealed) body.set('m', mutationId())
      let finish: Operation['finish'] = () => {}
      const outcome = new Promise<Outcome>((resolve) => {
        finish = resolve
      })
      operation = { action, body, options, sealed, observers: [], finish, outcome }
      lane.queue.push(operation)
      lanes.set(name, lane)
    }
    if (options.mounted) operation.observers.push(options.mounted)
    forgetLost()
    listeners.tell()
    if (!lane.busy) void run(lane, name)
    return operation.outcome
  }

  async function run(lane: Lane, name: LaneName) {
    lane.busy = true
    for (let next = lane.queue[0]; next; next = lane.queue[0]) {
      next.sealed = true
      if (next.options.last) {
        await Promise.all([...lanes.values()].map((other) => other !== lane && other.queue.at(-1)?.outcome))
      }
      const idle = !links || lane.isIdle?.(next)
      const waits = lane.waits?.(next) && ((lost: Outcome) => takeBack(lane, lost))
      const outcome = idle ? NO_ANSWER : await links.post(next.action, next.body, next.options.once, waits)
      lane.queue.shift()
      // Nothing gets through: what waits behind is taken back with it instead of failing one by one.
      settle(lane.queue, [next, ...(outcome.lost ? lane.queue.splice(0) : [])], outcome)
    }
    lane.busy = false
    // A form's own lane is not known before its first change, nor after its last.
    if (typeof name === 'symbol') lanes.delete(name)
  }

  /** What would not wait for a network does not wait behind what does. */
  function takeBack({ queue, waits }: Lane, lost: Outcome) {
    const [first, ...others] = queue.filter((one) => !waits?.(one))
    if (!first) return
    queue.splice(0, queue.length, ...queue.filter((one) => waits?.(one)))
    settle(queue, [first, ...others], lost)
  }

  function settle(queue: Operation[], settled: [Operation, ...Operation[]], outcome: Outcome) {
    const [operation] = settled
    const { action, options } = operation
    const { answer, errors } = outcome
    if (answer) {
      answers += 1
      leads = answer.redirect?.split(/[?#]/)[0]
      for (const lane of lanes.values()) lane.hear?.(answer, action)
    }
    const isFine = errors.length === 0
    // No form tells of the age: it is asked above the page, and the question outlives what goes well after it.
    const isAsked = asksAge(outcome)
    // What was tapped before hydration, or by a form that is gone, fails unseen: the failure is kept to be shown.
    const lost = settled.filter(({ observers }) => isAsked || !observers.some((mounted) => mounted()))
    // The question of age goes with its answer, whatever comes of what asked it.
    const isAnswer = settled.some((one) => one.action === actions.answerAge())
    const left = news.unreported.filter((one) =>
      isAnswer ? !asksAge(one) : !isFine || !isSame(one, operation),
    )
    news = {
      failure: isFine ? null : describe(operation, errors),
      unreported: isFine ? left : [...left, ...lost.map((one) => describe(one, errors))],
      flash: answer ? answer.flash : news.flash,
    }
    listeners.tell()
    for (const each of settled) each.finish(outcome)
    if (!answer) return
    if (answer.redirect && options.follow !== false) links?.follow(answer.redirect, action, answer.paying)
    else if (queue.length === 0) links?.settled(action)
  }

  return {
    subscribe: listeners.subscribe,
    news: () => news,
    dismiss(path) {
      if (news === NO_NEWS) return
      news = path && path === leads ? { ...NO_NEWS, flash: news.flash } : NO_NEWS
      leads = undefined
      listeners.tell()
    },
    send,
    lanes,
    epoch: () => answers,
  }
}

const asksAge = ({ errors }: Pick<Outcome, 'errors'>) => errors.some(({ code }) => code === 'age')

function describe({ action, body, options }: Operation, errors: FieldError[]): Failure {
  // Another try is another change.
  const { m: _, ...fields } = Object.fromEntries(body)
  const { beside } = options
  const unplaced = errors.filter(({ field }) => beside !== 'all' && !beside?.includes(field))
  // Of the answer to the question of age only the add that went with it is done once more.
  return {
    action: fields.product && action === actions.answerAge() ? actions.addLine() : action,
    fields,
    errors,
    unplaced,
  }
}

/** The same line, or the same dish of the same venue. */
function isSame(failure: Failure, { action, body }: Operation): boolean {
  const of = (name: string) => (failure.fields[name] ?? null) === body.get(name)
  return failure.action === action && of('filial') && of('product')
}
