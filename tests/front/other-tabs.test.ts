/** Tabs of one browser have one cart. */

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { followTabs, isNews } from '../../components/lib/cart/other-tabs.ts'
import { createCartStore } from '../../components/lib/cart/store.ts'
import type { CartView } from '../../components/lib/page-data.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let listeners: Record<string, ((event: object) => void)[]>
let page: { hidden: boolean; addEventListener: typeof listen }

function listen(type: string, listener: (event: object) => void): void {
  listeners[type] = [...(listeners[type] ?? []), listener]
}

/** Messages take their time on a busy machine; what comes too much comes soon after. */
async function untilAsked(asked: { times: number }): Promise<void> {
  for (let tries = 0; asked.times === 0 && tries < 100; tries++) await pause(50)
  await pause(300)
}

const happens = (type: string, event: object = {}) => {
  for (const listener of listeners[type] ?? []) listener(event)
}

beforeEach(() => {
  listeners = {}
  page = { hidden: false, addEventListener: listen }
  for (const [name, value] of Object.entries({ document: page, addEventListener: listen }))
    Object.defineProperty(globalThis, name, { value, configurable: true })
})

// Node waits for open channels.
afterEach(() => happens('pagehide'))

const view = (mark: number, version: number): CartView => ({
  mark,
  version,
  venueId: 1,
  venueName: '',
  count: 1,
  total: 100,
  lines: [],
})

/** A tab that shows this cart, and how often it has asked for its page. */
function tab(cart: CartView | null) {
  const store = createCartStore(cart)
  const asked = { times: 0 }
  followTabs(store, () => {
    asked.times += 1
  })
  return { store, asked, hears: (next: CartView | null) => store.adopt(next, store.epoch()) }
}

test('a tab that is behind asks for its page, once for quick taps, and the one that told it does not', async () => {
  const [first, second] = [tab(view(7, 1)), tab(view(7, 1))]
  for (const version of [2, 3, 4]) first.hears(view(7, version))
  await untilAsked(second.asked)
  assert.deepEqual([first.asked.times, second.asked.times], [0, 1])
  second.hears(view(7, 4))
  await pause(400)
  assert.deepEqual([first.asked.times, second.asked.times], [0, 1], 'what both know is no news')
})

test('a tab that is not seen asks when it is', async () => {
  const [first, second] = [tab(view(7, 1)), tab(view(7, 1))]
  page.hidden = true
  first.hears(view(7, 2))
  await pause(400)
  assert.equal(second.asked.times, 0)
  page.hidden = false
  happens('visibilitychange')
  await untilAsked(second.asked)
  assert.equal(second.asked.times, 1)
})

test('a page that the browser keeps for Back has no open channel, and listens when it is back', async () => {
  const first = tab(view(7, 1))
  happens('pagehide')
  const second = tab(view(7, 2))
  await pause(400)
  assert.equal(first.asked.times, 0)
  happens('pageshow', { persisted: true })
  second.hears(view(7, 3))
  await untilAsked(first.asked)
  assert.equal(first.asked.times, 1)
})

test('of one cart the higher version is news, of two carts the other one', () => {
  assert.ok(isNews([7, 2], [7, 1]))
  assert.ok(!isNews([7, 1], [7, 2]))
  assert.ok(!isNews([7, 1], [7, 1]))
  assert.ok(isNews([8, 1], [7, 2]))
  assert.ok(isNews(null, [7, 2]))
  assert.ok(isNews([7, 2], null))
  assert.ok(!isNews(null, null))
})
