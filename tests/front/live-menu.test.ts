/** An open menu is loaded anew when dishes come or go (beyond.md, 9): as often as they do, and no more often. */

import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import type { CartStore } from '../../components/lib/cart/store.ts'
import { watchMenu } from '../../components/lib/live/live-menu.ts'
import { createLive } from '../../components/lib/live/live-store.ts'
import type { LiveMenu, MenuPage, PageData } from '../../components/lib/page-data.ts'
import { samplePages } from '../../components/pages/samples.ts'

let stream: FakeStream
let reloads: number

class FakeStream {
  onmessage?: (event: { data: string }) => void
  constructor() {
    stream = this
  }
  close() {}
}

beforeEach(() => {
  reloads = 0
  mock.timers.enable({ apis: ['setTimeout'] })
  Object.assign(globalThis, {
    EventSource: FakeStream,
    addEventListener() {},
    removeEventListener() {},
    document: { visibilityState: 'visible', addEventListener() {}, removeEventListener() {} },
  })
})
afterEach(() => mock.timers.reset())

const sample = samplePages().find(({ data }) => data.page.route === 'menu')?.data as PageData
const menu = sample.page.data as MenuPage
const cart = { snapshot: () => ({ cart: null }) } as unknown as CartStore

/** The menu as it is loaded at a revision; the function ends it. */
const opened = (rev: string) =>
  watchMenu({ ...menu, rev }, { live: createLive(), cart, reload: () => (reloads += 1) })

function say(event: Partial<LiveMenu>): void {
  const told = { open: menu.venue.open, bill: false, full: false, products: [], ...event }
  stream.onmessage?.({ data: JSON.stringify(told) })
}

function tell(event: Partial<LiveMenu>): void {
  say(event)
  // Guests who hear of it together do not load together.
  mock.timers.tick(1500)
}

test('a category that is hidden, shown and hidden again is each time seen', () => {
  let end = opened('1')
  tell({ rev: '1', shape: 'whole' })
  for (const [rev, shape] of [
    ['2', 'without'],
    ['3', 'whole'],
    ['4', 'without'],
    ['5', 'whole'],
  ] as const) {
    const before = reloads
    tell({ rev, shape })
    assert.equal(reloads, before + 1, `${rev} ${shape}`)
    end()
    end = opened(rev)
    tell({ rev, shape })
    assert.equal(reloads, before + 1, `${rev}: it is the menu of then`)
  }
  end()
})

test('a menu that comes as it was is not loaded for the same again', () => {
  for (let load = 0; load < 3; load++) {
    const end = opened('old')
    tell({ rev: 'new', shape: 'other', full: true })
    end()
  }
  assert.equal(reloads, 1)
})

test('a menu that is to be loaded anew is so, though the stock of a dish in the cart changes meanwhile', () => {
  const [product] = menu.categories.flatMap(({ products }) => products)
  assert.ok(product)
  const line = { id: 1, productId: product.id }
  const withLine = {
    snapshot: () => ({ cart: { venueId: menu.venue.id, lines: [line] } }),
    epoch: () => 0,
  } as unknown as CartStore
  Object.assign(globalThis, { fetch: () => new Promise(() => {}) })
  const links = { live: createLive(), cart: withLine, reload: () => (reloads += 1) }
  const end = watchMenu({ ...menu, rev: '1' }, links)
  tell({ rev: '1', shape: 'before it' })
  const before = reloads
  say({ rev: '2', shape: 'after it' })
  say({ rev: '3', shape: 'after it', products: [{ ...product, limit: 1 }] })
  mock.timers.tick(1500)
  assert.equal(reloads, before + 1)
  end()
})
