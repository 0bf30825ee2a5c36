/** The next page has what this one could not send, however this one goes (beyond.md 3). */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { keepUnanswered, replayEarlyTaps } from '../../components/lib/cart/early-taps.ts'
import { createCartStore } from '../../components/lib/cart/store.ts'
import { createMutations, type Outcome } from '../../components/lib/mutations/mutations.ts'

const DONE: Outcome = { answer: { cart: null, flash: null, redirect: null }, errors: [] }
const turn = () => new Promise((resolve) => setTimeout(resolve))
const add = () => new URLSearchParams({ filial: '1', product: '5', delta: '1' })

let kept: Map<string, string>
let tell: (event: string) => void

beforeEach(() => {
  kept = new Map()
  const listeners = new Map<string, () => void>()
  tell = (event) => listeners.get(event)?.()
  const addEventListener = (event: string, run: () => void) => listeners.set(event, run)
  Object.assign(globalThis, {
    addEventListener,
    document: { documentElement: { dataset: {} }, querySelectorAll: () => [], addEventListener },
    window: {},
    sessionStorage: {
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    },
  })
})

/** A cart whose server answers when told to. */
function stage() {
  const posts: ((outcome: Outcome) => void)[] = []
  const post = () => new Promise<Outcome>((resolve) => posts.push(resolve))
  const cart = createCartStore(null, createMutations({ post, follow() {}, settled() {} }))
  keepUnanswered(cart)
  return { posts, cart }
}

const actions = () => JSON.parse(kept.get('early') ?? '[]').map((one: { action: string }) => one.action)

test('a change is kept as soon as it is made, and until it is answered', async () => {
  const { posts, cart } = stage()
  void cart.send('/cart/lines', add())
  void cart.send('/cart/lines/a', new URLSearchParams({ delta: '1' }))
  assert.deepEqual(actions(), ['/cart/lines', '/cart/lines/a'])
  posts[0]?.(DONE)
  await turn()
  assert.deepEqual(actions(), ['/cart/lines/a'])
  posts[1]?.(DONE)
  await turn()
  assert.equal(kept.has('early'), false)
})

test('a page that hides keeps what is unanswered once more', () => {
  const { cart } = stage()
  void cart.send('/cart/lines', add())
  kept.clear()
  tell('visibilitychange')
  assert.deepEqual(actions(), ['/cart/lines'])
})

test('what was tapped before hydration stays kept while the app takes over', () => {
  const { cart } = stage()
  const tap = { action: '/cart/lines', body: 'filial=1&product=5&delta=1&m=AAAAAAAAAAAAAAAAAAAAAA' }
  kept.set('early', JSON.stringify([tap]))
  Object.assign(window, { _early: [tap] })
  tell('visibilitychange')
  assert.deepEqual(actions(), ['/cart/lines'])
  replayEarlyTaps(cart)
  assert.deepEqual(actions(), ['/cart/lines'])
})
