/** Changes of the cart that a document has left behind are sent by another one, and by no more than one (beyond.md 3). */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { persistTaps } from '../../components/lib/cart/persisted-taps.ts'
import { createCartStore } from '../../components/lib/cart/store.ts'
import { createMutations, type Outcome } from '../../components/lib/mutations/mutations.ts'

const DONE: Outcome = { answer: { cart: null, flash: null, redirect: null }, errors: [] }
const MINUTE = 60_000
const turn = () => new Promise((resolve) => setTimeout(resolve))
const tap = (id: string) => ({ action: '/cart/lines', body: `filial=1&product=5&delta=1&m=${id}` })

let storage: Record<string, string>
/** The tail of the queue of each lock. */
let locks: Map<string, Promise<unknown>>

beforeEach(() => {
  storage = Object.defineProperties(
    {},
    {
      getItem: { value: (key: string) => storage[key] ?? null },
      setItem: {
        value(key: string, text: string) {
          storage[key] = text
        },
      },
      removeItem: {
        value(key: string) {
          delete storage[key]
        },
      },
    },
  )
  locks = new Map()
  const request = (name: string, run: () => unknown) => {
    const done = Promise.resolve(locks.get(name)).then(run)
    locks.set(name, done)
    return done
  }
  const scope = {
    localStorage: storage,
    navigator: { locks: { request } },
    document: { documentElement: { dataset: {} } },
  }
  for (const [name, value] of Object.entries(scope))
    Object.defineProperty(globalThis, name, { value, configurable: true })
})

/** A document, whose server answers when told to. */
function opened(replayed = [] as ReturnType<typeof tap>[]) {
  const sent: string[] = []
  const answers: (() => void)[] = []
  const post = (_: string, body: URLSearchParams) => {
    sent.push(body.get('m') ?? '')
    return new Promise<Outcome>((resolve) => answers.push(() => resolve(DONE)))
  }
  const cart = createCartStore(null, createMutations({ post, follow() {}, settled() {} }))
  persistTaps(cart, replayed)
  return { cart, sent, answers }
}

const leave = (key: string, ids: string[], minutes = 1) => {
  const value = { at: Date.now() - minutes * MINUTE, changes: ids.map(tap) }
  storage[`taps ${key}`] = JSON.stringify({ version: 1, value })
}
const storedTaps = () =>
  Object.values(storage).map((text) =>
    JSON.parse(text).value.changes.map(({ body }: { body: string }) => new URLSearchParams(body).get('m')),
  )

test('what a document has left behind is sent, and kept as the own until it is answered', async () => {
  leave('gone', ['a', 'b'])
  const { sent, answers, cart } = opened()
  await turn()
  assert.equal(cart.snapshot().count, 2)
  assert.deepEqual(storedTaps(), [['a', 'b']])
  assert.equal('taps gone' in storage, false)
  answers[0]?.()
  await turn()
  assert.deepEqual(storedTaps(), [['b']])
  answers[1]?.()
  await turn()
  assert.deepEqual(sent, ['a', 'b'])
  assert.deepEqual(storedTaps(), [])
})

test('what half an hour has passed over is not sent', async () => {
  leave('old', ['a'], 31)
  const { sent } = opened()
  await turn()
  assert.deepEqual(sent, [])
  assert.deepEqual(storedTaps(), [])
})

test('what the tab has handed over itself is not counted twice', async () => {
  leave('gone', ['a', 'b'])
  const { sent } = opened([tap('a')])
  await turn()
  assert.deepEqual(sent, ['b'])
})

test('what a document has that lives is left to it', async () => {
  const first = opened()
  void first.cart.send('/cart/lines', new URLSearchParams('filial=1&product=5&delta=1&m=a'))
  await turn()
  assert.deepEqual(storedTaps(), [['a']])
  const second = opened()
  await turn()
  assert.equal(second.cart.snapshot().count, 0)
  first.answers[0]?.()
  await turn()
  assert.deepEqual(second.sent, [])
  assert.deepEqual(storedTaps(), [])
})
