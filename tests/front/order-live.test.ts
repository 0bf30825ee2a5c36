/**
 * HT-19: a hidden order page asks for nothing, and pages that wake together do not come back together. OR-18: a question
 * without an answer does not end it.
 */

import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { watchOrder } from '../../components/parts/order/order-live.ts'

const real = { fetch: globalThis.fetch, random: Math.random }
const page = new EventTarget()
const state = { visibilityState: 'visible' }
let opened: FakeStream[]
let fetched: number

class FakeStream {
  onmessage: ((event: { data: string }) => void) | undefined
  onerror: unknown
  open = true
  constructor() {
    opened.push(this)
  }
  close() {
    this.open = false
  }
}

function show(visibilityState: 'visible' | 'hidden') {
  state.visibilityState = visibilityState
  page.dispatchEvent(new Event('visibilitychange'))
}

const open = () => opened.filter((stream) => stream.open).length

beforeEach(() => {
  opened = []
  fetched = 0
  state.visibilityState = 'visible'
  mock.timers.enable({ apis: ['setTimeout'] })
  Math.random = () => 0.5
  Object.assign(globalThis, {
    EventSource: FakeStream,
    location: { pathname: '/filials/1013/order/o_1', search: '' },
    addEventListener() {},
    removeEventListener() {},
    document: {
      get visibilityState() {
        return state.visibilityState
      },
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
    },
    fetch: async () => {
      fetched += 1
      throw new TypeError('Failed to fetch')
    },
  })
})
afterEach(() => {
  mock.timers.reset()
  Math.random = real.random
  Object.assign(globalThis, { fetch: real.fetch })
})

const settled = () => new Promise((resolve) => setImmediate(resolve))

async function pass(ms: number) {
  for (let gone = 0; gone < ms; gone += 500) {
    mock.timers.tick(500)
    await settled()
  }
}

for (const way of ['stream', 'polling'] as const) {
  test(`hidden, a page asks for nothing; seen again, it asks after a moment of its own (${way})`, async () => {
    const stop = watchOrder('/events', { read() {}, silent() {} }, 'o_1')
    assert.equal(open(), 1)
    // No first word: the stream is held back and polling begins.
    if (way === 'polling') await pass(4500)
    assert.equal(open(), way === 'stream' ? 1 : 0)
    assert.equal(fetched, way === 'stream' ? 0 : 1)

    show('hidden')
    const before = { opened: opened.length, fetched }
    await pass(10 * 60_000)
    assert.deepEqual({ opened: opened.length, fetched }, before)
    assert.equal(open(), 0)

    Math.random = () => 0.99
    show('visible')
    await pass(500)
    assert.deepEqual({ opened: opened.length, fetched }, before, 'not all phones in the same moment')
    await pass(500)
    const asked = opened.length + fetched - before.opened - before.fetched
    assert.equal(asked, 1)
    stop()
    await pass(10 * 60_000)
    assert.equal(opened.length + fetched - before.opened - before.fetched, 1)
  })
}

const silence: [string, () => Promise<never>][] = [
  ['fails', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['is never answered', () => new Promise(() => {})],
]
for (const [what, fetch] of silence) {
  test(`a quiet stream whose page asks and ${what} is begun anew, and the order is followed on`, async () => {
    Object.assign(globalThis, { fetch })
    const heard: (number | 'silent')[] = []
    const stop = watchOrder(
      '/events',
      { read: ({ rank }) => heard.push(rank), silent: () => heard.push('silent') },
      'o_1',
    )
    const say = (rank: number) =>
      opened.at(-1)?.onmessage?.({ data: JSON.stringify({ id: 'o_1', rank, readAt: rank, final: false }) })
    say(1)
    for (let gone = 0; opened.length < 2 && gone < 10 * 60_000; gone += 500) await pass(500)
    assert.deepEqual(heard, [1, 'silent'])
    assert.deepEqual([opened.length, open()], [2, 1])
    say(2)
    assert.deepEqual(heard, [1, 'silent', 2])
    stop()
    assert.equal(open(), 0)
  })
}

test('what is told to come is asked for once when it has come, and not again beside that', async () => {
  const eventOf = (readAt: number, nextAt: number | null) => ({
    id: 'o_1',
    rank: 1,
    final: false,
    readAt,
    nextAt,
  })
  const answer = (data: object) => {
    const body = JSON.stringify({ shell: {}, page: { route: 'order', data } })
    return async () => {
      fetched += 1
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }
  }
  Object.assign(globalThis, { fetch: answer(eventOf(46_000, null)) })
  const heard: number[] = []
  const stop = watchOrder(
    '/events',
    { read: ({ readAt }) => heard.push(readAt), silent: () => heard.push(-1) },
    'o_1',
  )
  opened.at(-1)?.onmessage?.({ data: JSON.stringify(eventOf(0, 45_000)) })
  await pass(45_500)
  assert.equal(fetched, 0, 'it has not come')
  await pass(1000)
  assert.deepEqual([fetched, heard], [1, [0, 46_000]])
  // The stream has had its word.
  await pass(45_000)
  assert.equal(fetched, 1)
  await pass(10_000)
  assert.equal(fetched, 2, 'quiet for long')
  stop()
})

test('what is told to come is not asked for while the page is hidden, and without an answer nothing is old yet', async () => {
  const heard: (number | 'silent')[] = []
  const stop = watchOrder(
    '/events',
    { read: ({ rank }) => heard.push(rank), silent: () => heard.push('silent') },
    'o_1',
  )
  const say = (rank: number) =>
    opened.at(-1)?.onmessage?.({
      data: JSON.stringify({ id: 'o_1', rank, final: false, readAt: 0, nextAt: 10_000 }),
    })
  say(1)
  show('hidden')
  await pass(60_000)
  assert.equal(fetched, 0)
  show('visible')
  await pass(1000)
  say(2)
  await pass(12_000)
  assert.deepEqual([fetched, heard, open()], [1, [1, 2], 1])
  await pass(40_000)
  assert.deepEqual([fetched, heard], [2, [1, 2, 'silent']])
  stop()
})
