/** AN-01, AN-02, AN-04, AN-05, AN-08, HT-11: the session, the batches, which errors count, and who may be told anything. */

import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { onTrack } from '../../components/lib/browser/events.ts'
import { allowInsight, whenAllowed } from '../../components/lib/insight/allowed.ts'
import { type Batch, createBatch, PAUSE } from '../../components/lib/insight/batch.ts'
import { faultOf } from '../../components/lib/insight/fault.ts'
import { createSession, IDLE } from '../../components/lib/insight/session.ts'
import { faults, noteFault, notePage } from '../../components/pages/background.ts'
import { samplePages } from '../../components/pages/samples.ts'

const MINUTE = 60_000

function sessions({ blocked = false } = {}) {
  const world = { now: 1_000_000, kept: undefined as unknown, begun: 0, names: 0 }
  const open = () =>
    createSession({
      now: () => world.now,
      read: () => (blocked ? undefined : world.kept),
      write: (session) => {
        world.kept = session
      },
      name: () => `session-${++world.names}`,
      began: () => world.begun++,
    })
  return { world, open }
}

test('AN-01 a session goes on for as long as the guest does something within 30 minutes, and not from its begin', () => {
  assert.equal(IDLE, 30 * MINUTE)
  const { world, open } = sessions()
  const touch = open()
  assert.equal(touch(), 'session-1')
  // Two hours of somebody who does something now and then.
  for (let step = 0; step < 6; step++) {
    world.now += 20 * MINUTE
    assert.equal(touch(), 'session-1')
  }
  world.now += 30 * MINUTE
  assert.equal(touch(), 'session-1', 'thirty minutes are not over yet')
  world.now += 30 * MINUTE + 1
  assert.equal(touch(), 'session-2')
  assert.equal(world.begun, 2, 'each begin is told once')
})

test('AN-01 tabs and later pages share it; it ends for all of them', () => {
  const { world, open } = sessions()
  const [one, two] = [open(), open()]
  assert.equal(one(), two())
  world.now += 25 * MINUTE
  one()
  world.now += 25 * MINUTE
  assert.equal(two(), 'session-1', 'what was done in the other tab counts')
  world.now += IDLE + 1
  assert.deepEqual([one(), two(), open()()], ['session-2', 'session-2', 'session-2'])
  world.kept = 'anything'
  assert.equal(open()(), 'session-3', 'what can not be read is no session')
})

test('AN-05 where storage is blocked a session lasts as long as its page', () => {
  const { world, open } = sessions({ blocked: true })
  const touch = open()
  assert.equal(touch(), 'session-1')
  world.now += 10 * MINUTE
  assert.equal(touch(), 'session-1')
  world.now += IDLE + 1
  assert.equal(touch(), 'session-2')
})

test('AN-02 what is told goes together, a while after the first of it, with how long ago it was', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 5000
  const sent: Batch[] = []
  const batch = createBatch({ now: () => now, session: () => 's', send: (one) => sent.push(one) })
  batch.flush()
  assert.deepEqual(sent, [], 'nothing is no batch')
  batch.event({ name: 'menuOpened' })
  now += 4000
  batch.event({ name: 'basketOpened' })
  batch.vital({ name: 'LCP', value: 1 })
  t.mock.timers.tick(PAUSE - 1)
  assert.equal(sent.length, 0)
  now += 6000
  t.mock.timers.tick(1)
  assert.deepEqual(sent, [
    {
      session: 's',
      events: [
        { name: 'menuOpened', ago: 10_000 },
        { name: 'basketOpened', ago: 6000 },
      ],
      faults: [],
      vitals: [{ name: 'LCP', value: 1 }],
    },
  ])
  // The page hides: at once, and not a second time by the clock.
  batch.event({ name: 'menuOpened' })
  batch.flush()
  t.mock.timers.tick(10 * PAUSE)
  assert.equal(sent.length, 2)
  for (let count = 0; count < 80; count++) batch.event({ name: String(count) })
  batch.flush()
  const last = sent.at(-1) as Batch | undefined
  assert.equal(last?.events.length, 50, 'the oldest give way')
  assert.equal(last?.events[0]?.name, '30')
})

test('AN-04 what the server has seen is asked for once, though nothing is told, and not by a page that goes away', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: Batch[] = []
  const batch = createBatch({ now: () => 0, session: () => 's', send: (one) => sent.push(one) })
  const nothing = { session: 's', events: [], faults: [], vitals: [] }
  batch.ask()
  batch.ask()
  t.mock.timers.tick(PAUSE)
  assert.deepEqual(sent.splice(0), [{ ...nothing, ask: true }])
  t.mock.timers.tick(10 * PAUSE)
  assert.deepEqual(sent, [])
  batch.ask()
  batch.fault({})
  batch.flush()
  assert.deepEqual(sent.splice(0), [{ ...nothing, faults: [{}] }])
  // It has stayed nevertheless.
  batch.fault({})
  t.mock.timers.tick(PAUSE)
  assert.deepEqual(sent, [{ ...nothing, faults: [{}], ask: true }])
})

test('AN-02 a menu, the cart and another venue are events once, also when the page is loaded anew', () => {
  const heard: unknown[] = []
  const stop = onTrack((event) => heard.push(event))
  const page = (route: string) => {
    const found = samplePages().find(({ data }) => data.page.route === route && data.status === 200)
    assert.ok(found, route)
    return found.data
  }
  const menu = page('menu')
  const venue = menu.page.route === 'menu' ? menu.page.data.venue.id : 0
  notePage(menu)
  notePage(structuredClone(menu))
  notePage({ ...menu, shell: { ...menu.shell, url: `${menu.shell.url}?item=5` } })
  assert.deepEqual(heard, [
    { name: 'venueSelected', venue },
    { name: 'menuOpened', venue },
  ])
  notePage(page('cart'))
  notePage(menu)
  assert.deepEqual(heard.slice(2), [{ name: 'basketOpened' }, { name: 'menuOpened', venue }])
  stop()
})

test('HT-11 what network and aborts do is no fault; anything else is told with our own file and line', () => {
  for (const error of [
    new TypeError('Failed to fetch'),
    new TypeError('Load failed'),
    new TypeError('NetworkError when attempting to fetch resource.'),
    new TypeError('Failed to fetch dynamically imported module: https://x/assets/menu-A.js'),
    new DOMException('The user aborted a request.', 'AbortError'),
    new DOMException('signal timed out', 'TimeoutError'),
    'Script error.',
    'ResizeObserver loop limit exceeded',
    'ResizeObserver loop completed with undelivered notifications.',
  ]) {
    assert.equal(faultOf('error', error), null, String(error))
  }
  const error = new TypeError('x is not a function')
  error.stack = 'TypeError: x\n    at y (https://example.kz/assets/menu-AB12.js:1:234)\n    at z'
  assert.deepEqual(faultOf('rejection', error), {
    kind: 'rejection',
    name: 'TypeError',
    message: 'x is not a function',
    place: 'menu-AB12.js:1:234',
  })
  assert.deepEqual(faultOf('error', { a: 1 })?.message, '[object Object]')
  for (let count = 0; count < 30; count++) noteFault('error', new Error(String(count)))
  assert.equal(faults.length, 10, 'a page says enough with ten')
})

beforeEach(() => mock.reset())

test('AN-04, AN-05 a browser may be told of at once; in a host app everything waits for its word', async () => {
  const browser = (cookie: string, framed = false) => {
    const page: { parent?: unknown } = {}
    page.parent = framed ? {} : page
    const world = { document: { cookie }, window: page, parent: page.parent }
    for (const [name, value] of Object.entries(world)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    }
  }
  const settled = async (answer: Promise<unknown>) =>
    Promise.race([answer, new Promise((resolve) => setImmediate(resolve, 'waits'))])
  browser('lang=ru')
  assert.equal(await settled(whenAllowed()), null)
  browser('platform=ios; lang=ru')
  assert.equal(await settled(whenAllowed()), 'waits')
  browser('', true)
  assert.equal(await settled(whenAllowed()), 'waits')
  const log = () => {}
  allowInsight(log)
  assert.equal(await settled(whenAllowed()), log)
})
