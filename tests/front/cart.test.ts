/** The cart in the browser: one queue, quantities at once, sums from the server, and everything taken back that failed. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf } from '../../components/lib/cart/changes.ts'
import { CART_LANE, createCartStore } from '../../components/lib/cart/store.ts'
import { mutationId } from '../../components/lib/mutations/mutation-id.ts'
import {
  createMutations,
  type MutationLinks,
  type Outcome,
  type SendOptions,
} from '../../components/lib/mutations/mutations.ts'
import type { CartView, ErrorCode, FieldError } from '../../components/lib/page-data.ts'

/** Addresses have no prefix here. */
Object.assign(globalThis, { document: { documentElement: { dataset: {} } } })

const cart = (version: number, qty: number, mark = 7): CartView => ({
  mark,
  version,
  venueId: 1,
  venueName: 'V',
  count: qty,
  total: qty * 100,
  lines: [{ id: 'l1', productId: 5, name: 'N', qty, price: 100, sum: qty * 100, options: [], plain: true }],
})

const add = (product: number, delta = 1, filial = 1) =>
  new URLSearchParams({ filial: String(filial), product: String(product), delta: String(delta) })

const answered = (next: CartView | null, redirect: string | null = null): Outcome => ({
  answer: { cart: next, flash: null, redirect },
  errors: [],
})

/** A server that answers when told to. */
function heldServer() {
  const posts: { action: string; body: string; answer: (outcome: Outcome) => void }[] = []
  const followed: string[] = []
  const settled: string[] = []
  const links: MutationLinks = {
    post: (action, body) =>
      new Promise((resolve) => posts.push({ action, body: body.toString(), answer: resolve })),
    follow: (to) => {
      followed.push(to)
    },
    settled: (action) => {
      settled.push(action)
    },
  }
  return { posts, followed, settled, links }
}

/** The cart with the news of its changes. */
function createStore(first: CartView | null, links?: MutationLinks) {
  const mutations = createMutations(links)
  const store = createCartStore(first, mutations)
  return {
    ...store,
    send: (action: string, body: URLSearchParams, options: SendOptions = {}) =>
      mutations.send(action, body, { lane: CART_LANE, ...options }),
    news: mutations.news,
    dismiss: mutations.dismiss,
  }
}

const turn = () => new Promise((resolve) => setTimeout(resolve))

test('a tap shows at once and the sum waits for the server', async () => {
  const server = heldServer()
  const store = createStore(cart(1, 2), server.links)
  void store.send('/cart/lines', add(5))
  assert.equal(store.snapshot().quantity(5), 3)
  assert.equal(store.snapshot().lineQuantity('l1'), 3)
  assert.equal(store.snapshot().count, 3)
  assert.equal(store.snapshot().cart?.total, 200)
  assert.equal(store.snapshot().pending, true)
  assert.equal(store.serverSnapshot().quantity(5), 2)
  server.posts[0]?.answer(answered(cart(2, 3)))
  await turn()
  assert.equal(store.snapshot().cart?.total, 300)
  assert.equal(store.snapshot().pending, false)
  assert.deepEqual(server.settled, ['/cart/lines'])
})

test('changes go one after another, and those that wait for the same dish become one', async () => {
  const server = heldServer()
  const store = createStore(cart(1, 0), server.links)
  for (let tap = 0; tap < 5; tap += 1) void store.send('/cart/lines', add(5))
  assert.equal(store.snapshot().quantity(5), 5)
  assert.equal(server.posts.length, 1)
  server.posts[0]?.answer(answered(cart(2, 1)))
  await turn()
  assert.equal(server.posts.length, 2)
  assert.equal(new URLSearchParams(server.posts[1]?.body).get('delta'), '4')
  assert.equal(store.snapshot().quantity(5), 5)
})

test('a replayed tap keeps its own id and is joined with nothing', async () => {
  const server = heldServer()
  const store = createStore(cart(1, 0), server.links)
  for (const id of ['a', 'b', 'c']) {
    const body = add(5)
    body.set('m', id)
    void store.send('/cart/lines', body)
  }
  for (const [index, id] of ['a', 'b', 'c'].entries()) {
    assert.equal(new URLSearchParams(server.posts[index]?.body).get('m'), id)
    server.posts[index]?.answer(answered(cart(index + 2, index + 1)))
    await turn()
  }
  assert.equal(store.snapshot().quantity(5), 3)
})

test('a refused change is taken back and says why', async () => {
  const server = heldServer()
  const store = createStore(cart(1, 2), server.links)
  const sent = store.send('/cart/lines', add(5))
  const errors: FieldError[] = [{ field: 'form', code: 'gone', values: {} }]
  server.posts[0]?.answer({ answer: { cart: cart(1, 2), flash: null, redirect: null }, errors })
  assert.deepEqual((await sent).errors, errors)
  assert.equal(store.snapshot().quantity(5), 2)
  assert.equal(store.news().failure?.fields.product, '5')
  store.dismiss()
  assert.equal(store.news().failure, null)
})

const LOST: Outcome = { answer: null, errors: [{ field: 'form', code: 'network', values: {} }], lost: true }

test('a lost network takes back everything that waits', async () => {
  const server = heldServer()
  const store = createStore(cart(1, 2), server.links)
  const first = store.send('/cart/lines', add(5))
  const second = store.send('/cart/lines', add(6))
  assert.equal(store.snapshot().count, 4)
  server.posts[0]?.answer(LOST)
  assert.equal((await first).errors[0]?.code, 'network')
  assert.equal((await second).errors[0]?.code, 'network')
  assert.equal(store.snapshot().count, 2)
  assert.equal(server.posts.length, 1)
})

const refused = (code: ErrorCode): Outcome => ({
  answer: { cart: cart(1, 2), flash: null, redirect: null },
  errors: [{ field: 'form', code, values: {} }],
})

test('a failure that no form holds is told until the same goes well, whatever else does', async () => {
  const server = heldServer()
  const store = createStore(cart(1, 2), server.links)
  const early = add(5)
  early.set('m', 'a')
  void store.send('/cart/lines', early)
  void store.send('/cart/lines', add(6), { mounted: () => true })
  server.posts[0]?.answer(refused('gone'))
  await turn()
  const [told] = store.news().unreported
  assert.deepEqual(told?.errors, refused('gone').errors)
  assert.deepEqual(told?.fields, { filial: '1', product: '5', delta: '1' }, 'to be sent as another change')
  server.posts[1]?.answer(answered(cart(2, 3)))
  await turn()
  assert.equal(store.news().failure, null)
  assert.equal(store.news().unreported.length, 1, 'another dish went well')
  void store.send('/cart/lines', add(5), { mounted: () => true })
  server.posts[2]?.answer(answered(cart(3, 4)))
  await turn()
  assert.deepEqual(store.news().unreported, [])
})

test('a form holds its failures while it is there, also those of a tap that joined', async () => {
  const server = heldServer()
  const store = createStore(cart(1, 2), server.links)
  let here = true
  const form = { mounted: () => here }
  void store.send('/cart/lines', add(6), form)
  void store.send('/cart/lines', add(5))
  void store.send('/cart/lines', add(5), form)
  server.posts[0]?.answer(refused('gone'))
  await turn()
  server.posts[1]?.answer(refused('gone'))
  await turn()
  assert.deepEqual(store.news().unreported, [])
  assert.equal(store.news().failure?.fields.product, '5')
  void store.send('/cart/lines', add(7), form)
  here = false
  server.posts[2]?.answer(refused('gone'))
  await turn()
  assert.deepEqual(
    store.news().unreported.map(({ fields }) => fields.product),
    ['7'],
  )
  store.dismiss()
  assert.deepEqual(store.news().unreported, [])
})

test('what is dropped with a lost network is told too, where no form holds it', async () => {
  const server = heldServer()
  const store = createStore(cart(1, 2), server.links)
  void store.send('/cart/lines', add(5), { mounted: () => true })
  void store.send('/cart/lines', add(6))
  server.posts[0]?.answer(LOST)
  await turn()
  assert.deepEqual(
    store.news().unreported.map(({ fields }) => fields.product),
    ['6'],
  )
})

test('an older cart never replaces a newer one', () => {
  const store = createStore(cart(5, 2))
  store.adopt(cart(4, 9), store.epoch())
  assert.equal(store.snapshot().cart?.version, 5)
  store.adopt(cart(6, 3), store.epoch())
  assert.equal(store.snapshot().cart?.version, 6)
})

test('another cart is believed whatever its version, when nothing was answered since it was asked for', async () => {
  const server = heldServer()
  const store = createStore(cart(5, 2), server.links)
  store.adopt(cart(1, 9, 8), store.epoch())
  assert.equal(store.snapshot().cart?.mark, 8)
  const epoch = store.epoch()
  void store.send('/cart/lines', add(5))
  server.posts[0]?.answer(answered(cart(2, 10, 8)))
  await turn()
  store.adopt(cart(5, 2), epoch)
  assert.equal(store.snapshot().cart?.mark, 8)
})

test('a page without a cart is believed only when nothing was answered since it was asked for', async () => {
  const server = heldServer()
  const store = createStore(null, server.links)
  const epoch = store.epoch()
  void store.send('/cart/lines', add(5))
  server.posts[0]?.answer(answered(cart(1, 1)))
  await turn()
  store.adopt(null, epoch)
  assert.equal(store.snapshot().count, 1)
  // The server could not read it: it is as it was.
  store.adopt(undefined, store.epoch())
  assert.equal(store.snapshot().count, 1)
  store.adopt(null, store.epoch())
  assert.equal(store.snapshot().count, 0)
})

test('the order is placed once however often the button is pressed, and the answer is followed', async () => {
  const server = heldServer()
  const store = createStore(cart(1, 2), server.links)
  const both = [
    store.send('/orders', new URLSearchParams({ cart_version: '1' })),
    store.send('/orders', new URLSearchParams({ cart_version: '1' })),
  ]
  server.posts[0]?.answer(answered(null, '/filials/1/order/o_1'))
  await Promise.all(both)
  assert.equal(server.posts.length, 1)
  assert.deepEqual(server.followed, ['/filials/1/order/o_1'])
  assert.equal(store.snapshot().count, 2, 'what was ordered stays until its page is there')
  store.adopt(null, store.epoch())
  assert.equal(store.snapshot().cart, null)
  assert.deepEqual(store.unanswered(), [])
})

test('what is unanswered when the page goes can be kept, the order never', () => {
  const server = heldServer()
  const store = createStore(cart(1, 2), server.links)
  void store.send('/cart/lines', add(5))
  void store.send('/orders', new URLSearchParams())
  assert.deepEqual(
    store.unanswered().map(({ action }) => action),
    ['/cart/lines'],
  )
  assert.match(store.unanswered()[0]?.body ?? '', /m=[\w-]{22}/)
})

test('a cart of another venue is not touched before the server has agreed', () => {
  const server = heldServer()
  const store = createStore(cart(1, 2), server.links)
  void store.send('/cart/lines', add(5, 1, 2))
  assert.equal(store.snapshot().count, 2)
  assert.equal(store.snapshot().quantity(5, 2), 0)
  assert.equal(store.snapshot().quantity(5, 1), 2)
})

test('changes are read from their forms', () => {
  const of = (action: string, fields: Record<string, string>) => changeOf(action, new URLSearchParams(fields))
  assert.deepEqual(of('/cart/lines', { filial: '1', product: '5' }), {
    kind: 'product',
    venueId: 1,
    productId: 5,
    delta: 1,
  })
  assert.equal(of('/cart/lines', { filial: '1', product: '5', 'option.11': '1' }).kind, 'configured')
  assert.deepEqual(of('/cart/lines/a%20b', { delta: '-1' }), { kind: 'line', lineId: 'a b', delta: -1 })
  assert.deepEqual(of('/cart/lines/a', { qty: '0' }), { kind: 'lineQuantity', lineId: 'a', quantity: 0 })
  assert.equal(of('/cart/clear', {}).kind, 'clear')
  assert.equal(of('/session/town', {}).kind, 'none')
})

test('mutation ids are 22 url-safe characters and never the same', () => {
  const ids = new Set(Array.from({ length: 1000 }, mutationId))
  assert.equal(ids.size, 1000)
  for (const id of ids) assert.match(id, /^[\w-]{22}$/)
})
