/** Each form has a lane of its own: what hangs in one holds up no other. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCartStore } from '../../components/lib/cart/store.ts'
import { createMutations, type Outcome } from '../../components/lib/mutations/mutations.ts'
import type { FieldError } from '../../components/lib/page-data.ts'

/** Addresses have no prefix here. */
Object.assign(globalThis, { document: { documentElement: { dataset: {} } } })

const DONE: Outcome = { answer: { cart: null, flash: null, redirect: null }, errors: [] }
const turn = () => new Promise((resolve) => setTimeout(resolve))
const body = () => new URLSearchParams({ filial: '1', product: '5', delta: '1' })

/** A server that answers when told to. */
function stage() {
  const posts: { action: string; answer: (outcome: Outcome) => void }[] = []
  const mutations = createMutations({
    post: (action) => new Promise((resolve) => posts.push({ action, answer: resolve })),
    follow() {},
    settled() {},
  })
  return { posts, mutations, cart: createCartStore(null, mutations) }
}

test('a form that hangs holds up neither another form nor the cart', async () => {
  const { posts, mutations, cart } = stage()
  void mutations.send('/session/town', new URLSearchParams())
  void mutations.send('/session/age', new URLSearchParams())
  void cart.send('/cart/lines', body())
  assert.deepEqual(
    posts.map(({ action }) => action),
    ['/session/town', '/session/age', '/cart/lines'],
  )
  assert.equal(cart.snapshot().count, 1)
  posts[2]?.answer(DONE)
  await turn()
  assert.equal(cart.snapshot().pending, false)
})

test('forms about the same thing go one after another', async () => {
  const { posts, mutations } = stage()
  void mutations.send('/session/table', new URLSearchParams(), { lane: 'table' })
  void mutations.send('/session/table/leave', new URLSearchParams(), { lane: 'table' })
  assert.equal(posts.length, 1)
  posts[0]?.answer(DONE)
  await turn()
  assert.equal(posts[1]?.action, '/session/table/leave')
})

test('the order waits for what other forms are still saying', async () => {
  const { posts, mutations } = stage()
  void mutations.send('/session/table', new URLSearchParams(), { lane: 'table' })
  void mutations.send('/orders', new URLSearchParams(), { lane: 'cart', last: true })
  await turn()
  assert.equal(posts.length, 1)
  posts[0]?.answer(DONE)
  await turn()
  assert.equal(posts[1]?.action, '/orders')
})

test('an answer without a cart leaves the cart as it is, also while a tap is on its way', async () => {
  const { posts, mutations, cart } = stage()
  const view = { mark: 7, version: 3, venueId: 1, venueName: 'V', count: 2, total: 200, lines: [] }
  void cart.send('/cart/lines', body())
  posts[0]?.answer({ answer: { cart: view, flash: null, redirect: null }, errors: [] })
  await turn()
  void mutations.send('/session/town', new URLSearchParams())
  posts[1]?.answer({ answer: { flash: null, redirect: null }, errors: [] })
  await turn()
  assert.equal(cart.snapshot().cart, view)
})

test('quantities wait for a network, an order does not', async () => {
  const waits: boolean[] = []
  const mutations = createMutations({
    post: async (_action, _body, _once, how) => {
      waits.push(Boolean(how))
      return DONE
    },
    follow() {},
    settled() {},
  })
  const cart = createCartStore(null, mutations)
  await cart.send('/cart/lines', body())
  await cart.send('/cart/bonus', new URLSearchParams({ bonus: '5' }))
  await cart.send('/orders', new URLSearchParams())
  assert.deepEqual(waits, [true, false, false])
})

test('while a quantity waits for a network what spends something is taken back, other quantities stay', async () => {
  const posts: { action: string; answer: (outcome: Outcome) => void }[] = []
  let away: (lost: Outcome) => void = () => {}
  const mutations = createMutations({
    post: (action, _body, _once, waits) => {
      if (waits) away = waits
      return new Promise((resolve) => posts.push({ action, answer: resolve }))
    },
    follow() {},
    settled() {},
  })
  const cart = createCartStore(null, mutations)
  const lost: Outcome = { answer: null, errors: [{ field: 'form', code: 'network', values: {} }], lost: true }
  void cart.send('/cart/lines', body())
  const spent = ['/fridge/close', '/cart/bonus'].map((action) => cart.send(action, new URLSearchParams()))
  const other = new URLSearchParams({ filial: '1', product: '6', delta: '1' })
  void cart.send('/cart/lines', other)
  away(lost)
  assert.deepEqual(await Promise.all(spent), [lost, lost])
  assert.deepEqual(
    mutations.news().unreported.map(({ action }) => action),
    ['/fridge/close', '/cart/bonus'],
  )
  assert.equal(cart.snapshot().count, 2)
  // What is pressed later is told the same, as long as there is no network.
  const late = cart.send('/fridge/close', new URLSearchParams())
  away(lost)
  away(lost)
  assert.equal(await late, lost)
  for (const one of [0, 1]) {
    posts[one]?.answer(DONE)
    await turn()
  }
  assert.deepEqual(
    posts.map(({ action }) => action),
    ['/cart/lines', '/cart/lines'],
  )
  assert.equal(cart.snapshot().pending, false)
})

test('the news tell what a form has no place for', async () => {
  const { posts, mutations } = stage()
  const error = (field: string): FieldError => ({ field, code: 'required', values: {} })
  const options = { mounted: () => true, beside: ['code'] }
  void mutations.send('/cart/promo', new URLSearchParams(), options)
  posts[0]?.answer({ answer: null, errors: [error('code'), error('form')] })
  await turn()
  assert.deepEqual(mutations.news().failure?.unplaced, [error('form')])
  assert.deepEqual(mutations.news().unreported, [])
})

test('the question of age goes with its answer, and what is refused then is an add that can be done once more', async () => {
  const { posts, mutations, cart } = stage()
  const refused = (code: FieldError['code']): Outcome => ({
    answer: { flash: null, redirect: null },
    errors: [{ field: 'form', code, values: {} }],
  })
  const codes = () => mutations.news().unreported.map((one) => [one.action, one.errors[0]?.code])
  void cart.send('/cart/lines', body())
  posts[0]?.answer(refused('age'))
  await turn()
  assert.deepEqual(codes(), [['/cart/lines', 'age']])
  void cart.send('/session/age', new URLSearchParams({ ...Object.fromEntries(body()), answer: 'yes' }))
  posts[1]?.answer(refused('otherVenue'))
  await turn()
  assert.deepEqual(codes(), [['/cart/lines', 'otherVenue']])
  void cart.send('/cart/lines', body())
  posts[2]?.answer(DONE)
  await turn()
  assert.deepEqual(codes(), [])
})

test('the question of age goes with an answer that is lost behind another change', async () => {
  const { posts, mutations, cart } = stage()
  void cart.send('/cart/lines', body())
  posts[0]?.answer({ answer: null, errors: [{ field: 'form', code: 'age', values: {} }] })
  await turn()
  void cart.send('/cart/lines/a', new URLSearchParams({ delta: '1' }))
  void cart.send('/session/age', new URLSearchParams({ answer: 'yes' }))
  posts[1]?.answer({ answer: null, errors: [{ field: 'form', code: 'network', values: {} }], lost: true })
  await turn()
  assert.deepEqual(
    mutations.news().unreported.map(({ errors }) => errors[0]?.code),
    ['network', 'network'],
  )
})
