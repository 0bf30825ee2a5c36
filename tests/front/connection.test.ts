/** HT-20: the poor connection is told once, not per request. HT-10: what was given up on purpose tells nothing. */

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { answering, connection, isPoor, reach, watchConnection } from '../../components/lib/net/connection.ts'
import { fetchPage } from '../../components/lib/net/fetch-page.ts'
import { createPageSource } from '../../components/lib/net/page-source.ts'

const real = { fetch: globalThis.fetch }
const events = new EventTarget()
Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true })
Object.assign(globalThis, {
  addEventListener: events.addEventListener.bind(events),
  removeEventListener: events.removeEventListener.bind(events),
})
afterEach(() => {
  Object.assign(globalThis, real)
})

const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const well = () => Promise.resolve(new Response('{}'))
/** Never answers; ends when it is given up. */
const hanging = (_url: string | URL | Request, init?: RequestInit) =>
  new Promise<Response>((_, reject) => {
    const { signal } = init ?? {}
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

test('a poor stretch is told once, however many requests fail in it, and so is its end', async () => {
  const told: boolean[] = []
  const stop = watchConnection(() => told.push(isPoor()))
  for (let stretch = 1; stretch <= 2; stretch++) {
    globalThis.fetch = lost
    for (let n = 0; n < 5; n++) await assert.rejects(reach('/', {}))
    assert.deepEqual(told, stretch === 1 ? [true] : [true, false, true])
    globalThis.fetch = well
    for (let n = 0; n < 5; n++) await reach('/', {})
  }
  assert.deepEqual(told, [true, false, true, false])
  globalThis.fetch = lost
  await assert.rejects(reach('/', {}))
  events.dispatchEvent(new Event('online'))
  assert.equal(isPoor(), false)
  stop()
})

test('a request that was given up on purpose tells nothing of the network', async () => {
  const told: boolean[] = []
  const stop = watchConnection(() => told.push(isPoor()))
  globalThis.fetch = hanging
  const controller = new AbortController()
  const asked = reach('/', { signal: controller.signal })
  controller.abort()
  await assert.rejects(asked, { name: 'AbortError' })
  assert.deepEqual(told, [])
  stop()
})

test('a page that does not come is given up after a while and told as slow, a long one has time to arrive', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  globalThis.fetch = well
  await reach('/', {})
  globalThis.fetch = hanging
  const ahead = fetchPage('/cart', { prefetch: true })
  const asked = fetchPage('/cart')
  const given = new AbortController()
  const left = fetchPage('/cart', { signal: given.signal })
  given.abort()
  await assert.rejects(left, { name: 'AbortError' })
  const late = [ahead, asked].map((one) => assert.rejects(one, TypeError))
  t.mock.timers.tick(14_999)
  assert.equal(connection(), 'fine')
  t.mock.timers.tick(1)
  await late[0]
  await late[1]
  assert.equal(connection(), 'slow')
  // The first part of the answer tells that the line is alive.
  let end = () => {}
  const body = new ReadableStream({
    start(controller) {
      end = () => {
        controller.enqueue(new TextEncoder().encode('{"redirect":"/"}'))
        controller.close()
      }
    },
  })
  let answer = (_: Response) => {}
  globalThis.fetch = () => new Promise((resolve) => (answer = resolve))
  const long = fetchPage('/cart')
  t.mock.timers.tick(14_000)
  answer(new Response(body, { headers: { 'content-type': 'application/json' } }))
  await new Promise(setImmediate)
  t.mock.timers.tick(14_000)
  end()
  assert.deepEqual(await long, { kind: 'redirect', to: '/' })
})

test('what is only asked for ahead is not told when it does not come', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  globalThis.fetch = well
  await reach('/', {})
  globalThis.fetch = hanging
  const late = assert.rejects(fetchPage('/cart', { prefetch: true }), TypeError)
  t.mock.timers.tick(15_000)
  await late
  assert.equal(connection(), 'fine')
})

test('a server that is asked over a dead line is asked again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let asked = 0
  globalThis.fetch = (url, init) => (asked++ === 0 ? hanging(url, init) : well())
  const answers = answering()
  // The pause before, the patience, the longer pause after.
  for (const ms of [2000, 10_000, 4000]) {
    t.mock.timers.tick(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(asked, 2)
  assert.equal(await answers, false)
})

test('giving up a navigation gives up its request, also the one that was sent ahead of the tap', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  globalThis.fetch = (url, init) => {
    signals.push(init?.signal)
    return hanging(url, init)
  }
  const source = createPageSource(() => 1)
  source.prefetch('/filials/1013?item=1')
  for (const url of ['/filials/1013?item=1', '/filials/1013?item=2']) {
    const navigation = new AbortController()
    const { answer } = source.get(url, navigation.signal)
    navigation.abort()
    await assert.rejects(answer, { name: 'AbortError' })
  }
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [true, true],
  )
  assert.equal(isPoor(), false)
})
