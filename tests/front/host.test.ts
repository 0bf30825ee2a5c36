/**
 * The bridge to a host app, method by method, with hosts that behave badly: each call ends as if there were no host
 * (HB-02, S-22, SC-10). And from whom a host is believed (HB-17). RT-10: who is told a position.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locate } from '../../components/lib/browser/position.ts'
import { createBridge, LIMIT } from '../../components/lib/host/bridge.ts'
import { openChannel, senderOf } from '../../components/lib/host/channel.ts'
import type { Method } from '../../components/lib/host/methods.ts'
import { languageOf } from '../../components/lib/host/watch.ts'
import { createPageSource } from '../../components/lib/net/page-source.ts'

const own = 'https://app.example'
const partner = 'https://host.example'
const evil = 'https://evil.example'

/** Each method with what it may answer, and what it may not. */
const METHODS: { [M in Method]: { good: unknown; told: unknown; wrong: unknown[] } } = {
  authorize: {
    good: { outcome: 'success', code: 'c', state: 's' },
    told: { outcome: 'success', code: 'c', state: 's' },
    wrong: [
      'success',
      { outcome: 'success' },
      { outcome: 'success', code: 1, state: 's' },
      { outcome: 'yes' },
    ],
  },
  pay: { good: { outcome: 'closed' }, told: 'closed', wrong: ['closed', { outcome: 'paid' }, true] },
  scanText: {
    good: { outcome: 'success', text: 'https://app.example/filials/1' },
    told: { outcome: 'success', text: 'https://app.example/filials/1', format: undefined },
    wrong: [
      'text',
      { outcome: 'success', text: '' },
      { text: 'x' },
      { outcome: 'success', text: 'x'.repeat(5000) },
    ],
  },
  scanBarcode: {
    good: { outcome: 'success', text: '4870001234564', format: 'ean_13' },
    told: { outcome: 'success', text: '4870001234564', format: 'ean_13' },
    wrong: [4870001234564, { outcome: 'success', text: 4870001234564 }, []],
  },
  geoPermission: { good: 'granted', told: 'granted', wrong: [true, 'yes', { state: 'granted' }] },
  cameraPermission: { good: 'denied', told: 'denied', wrong: [false, 'prompt'] },
  notificationPermission: { good: 'notDetermined', told: 'notDetermined', wrong: [null, 'default'] },
  locationEnabled: { good: false, told: false, wrong: ['false', 0, null] },
  position: {
    good: { latitude: 43.2, longitude: 76.9, accuracy: 5 },
    told: { latitude: 43.2, longitude: 76.9, accuracy: 5 },
    wrong: [
      [43.2, 76.9],
      { latitude: '43.2', longitude: 76.9 },
      { latitude: 91, longitude: 0 },
      { latitude: Number.NaN, longitude: 0 },
    ],
  },
  backHandler: { good: true, told: true, wrong: ['ok', false, {}] },
  clearCache: { good: null, told: true, wrong: [1] },
  haptic: { good: undefined, told: true, wrong: ['done'] },
  log: { good: true, told: true, wrong: [{}] },
  close: { good: true, told: true, wrong: [false] },
  copy: { good: true, told: true, wrong: [false, 'copied'] },
  language: { good: null, told: true, wrong: ['ru'] },
  userId: { good: true, told: true, wrong: [7] },
  pushToken: {
    good: { token: 't', analyticDeviceID: 'd' },
    told: { token: 't', analyticDeviceID: 'd' },
    wrong: ['t', { token: 5 }, { token: '' }, {}],
  },
}
const ALL = Object.entries(METHODS) as [Method, (typeof METHODS)[Method]][]

type Heard = { origin: string; source?: unknown; data: unknown }
type Sent = { id: string; method: Method }

/** A page of ours inside of one of the partner's, and a clock that a test turns. */
function inFrame(onCall: (call: Sent, answer: (told: object, from?: Partial<Heard>) => void) => void) {
  const listeners: ((event: Event) => void)[] = []
  const frame = {
    postMessage(message: Sent, origin: string) {
      posted.push(origin)
      onCall(message, (told, from) => say({ id: message.id, type: 'answer', ...told }, from))
    },
  }
  const posted: string[] = []
  const timers: { at: number; run: () => void }[] = []
  let now = 0
  function say(data: object, from: Partial<Heard> = {}): void {
    const event = new MessageEvent('message', { data })
    Object.defineProperties(event, {
      origin: { value: from.origin ?? partner },
      source: { value: 'source' in from ? from.source : frame },
    })
    for (const listener of listeners) listener(event)
  }
  Object.assign(globalThis, {
    window: globalThis,
    parent: frame,
    location: { origin: own },
    document: { cookie: '', addEventListener: () => {} },
    addEventListener: (_: string, listener: (event: Event) => void) => listeners.push(listener),
  })
  const channel = openChannel([partner])
  let ids = 0
  const bridge = createBridge({
    send: channel.send,
    hear: channel.hear,
    newId() {
      ids += 1
      return `id-${ids}`
    },
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), 1)
    },
  })
  return {
    /** With something to tell where the method is told something: the shape is the types' matter. */
    call: (method: Method) =>
      (bridge.call as (name: Method, params: unknown) => Promise<unknown>)(method, {}),
    posted,
    say,
    frame,
    turn(ms: number) {
      now += ms
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.run()
      }
    },
  }
}

test('a host that answers is heard, and is told at its own origin alone', async () => {
  for (const [method, { good, told }] of ALL) {
    const host = inFrame((_, answer) => answer({ value: good }))
    assert.deepEqual(await host.call(method), told, method)
    assert.deepEqual(host.posted, [partner])
  }
})

test('HB-01 the webview of React Native, that of iOS and the page around are hosts; a tab of its own has none', () => {
  const told: string[] = []
  const tells = (whom: string) => ({ postMessage: () => told.push(whom) })
  const ios = { messageHandlers: { dastarkhan: tells('ios') } }
  for (const [own, around, whom] of [
    [{ ReactNativeWebView: tells('react native') }, undefined, 'react native'],
    [{ webkit: ios }, undefined, 'ios'],
    [{}, tells('page around'), 'page around'],
    [{}, undefined, undefined],
  ] as const) {
    inFrame(() => {})
    Object.assign(globalThis, own, { parent: around ?? globalThis })
    const channel = openChannel([partner])
    assert.equal(channel.isOpen(), whom !== undefined)
    if (whom) {
      channel.send({})
      assert.deepEqual(told.splice(0), [whom])
    } else assert.throws(() => channel.send({}))
    Object.assign(globalThis, { ReactNativeWebView: undefined, webkit: undefined })
  }
})

test('a host that never answers is waited for fifteen seconds, and not a second time', async () => {
  for (const [method] of ALL) {
    const host = inFrame(() => {})
    let ended = false
    const asked = host.call(method).then((answer) => {
      ended = true
      return answer
    })
    host.turn(LIMIT - 1)
    await Promise.resolve()
    assert.equal(ended, false, method)
    host.turn(1)
    assert.equal(await asked, undefined)
    assert.equal(await host.call(method), undefined)
    assert.equal(host.posted.length, 1)
  }
  assert.equal(LIMIT, 15_000)
})

test('a host that throws, or answers with an error, is as none', async () => {
  for (const [method, { good }] of ALL) {
    const broken = inFrame(() => {
      throw new Error('no such method')
    })
    assert.equal(await broken.call(method), undefined, method)
    const refusing = inFrame((_, answer) => answer({ error: 'unknown method', value: good }))
    assert.equal(await refusing.call(method), undefined, method)
  }
})

test('an answer after sixteen seconds comes too late, for this call and for any other', async () => {
  for (const [method, { good }] of ALL) {
    let late = () => {}
    const host = inFrame((_, answer) => {
      late = () => answer({ value: good })
    })
    const asked = host.call(method)
    host.turn(16_000)
    late()
    assert.equal(await asked, undefined, method)
    assert.equal(await host.call(method), undefined)
  }
})

test('of two answers the first counts', async () => {
  for (const [method, { good, told, wrong }] of ALL) {
    const host = inFrame((_, answer) => {
      answer({ value: good })
      answer({ value: wrong[0] })
      answer({ error: 'again' })
    })
    assert.deepEqual(await host.call(method), told, method)
    assert.deepEqual(await host.call(method), told, method)
  }
})

test('an answer of another shape is none', async () => {
  for (const [method, { wrong }] of ALL) {
    for (const value of wrong) {
      const host = inFrame((_, answer) => answer({ value }))
      assert.equal(await host.call(method), undefined, `${method} ${JSON.stringify(value)}`)
    }
  }
})

test('an answer of another origin or another window is none', async () => {
  for (const [method, { good }] of ALL) {
    for (const from of [{ origin: evil }, { origin: 'null' }, { source: {} }, { origin: evil, source: {} }]) {
      const host = inFrame((_, answer) => answer({ value: good }, from))
      const asked = host.call(method)
      host.say({ type: 'answer', id: 'id-2', value: good })
      host.turn(LIMIT)
      assert.equal(await asked, undefined, `${method} ${JSON.stringify(from)}`)
    }
  }
})

test('our parent is believed where its origin is named, our own scripts always, no other', () => {
  const { frame } = inFrame(() => {})
  const from = (origin: string, source: unknown) =>
    senderOf({ origin, source } as Pick<MessageEvent, 'origin' | 'source'>, [partner])
  assert.equal(from(partner, frame), partner)
  assert.equal(from(own, globalThis), own)
  assert.equal(from(own, null), own)
  for (const origin of [evil, 'null', '', `${partner}.evil.example`])
    assert.equal(from(origin, frame), undefined)
  // Another window of a named host is not the one that has us in it.
  assert.equal(from(partner, {}), undefined)
  assert.equal(from('', null), undefined)
  // A webview makes the event itself, and no origin with it.
  Object.assign(globalThis, { ReactNativeWebView: { postMessage() {} } })
  assert.equal(from('', null), own)
  assert.equal(from('', {}), undefined)
  Object.assign(globalThis, { ReactNativeWebView: undefined })
})

test('a language comes with or without a region, and junk is none', () => {
  for (const code of ['ru', 'RU-kz', 'ru_KZ']) assert.equal(languageOf(code), 'ru')
  for (const junk of [5, null, undefined, {}, []]) assert.equal(languageOf(junk), undefined)
})

test('where the guest is goes with the link of a table alone, and only when it is known', async () => {
  Object.assign(globalThis, { parent: globalThis, window: globalThis, document: { cookie: '' } })
  const sent: [string, string | null][] = []
  globalThis.fetch = async (input, init) => {
    sent.push([String(input), new Headers(init?.headers).get('x-near')])
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  }
  const source = createPageSource(() => 0)
  const ask = async (url: string) => {
    await source.get(url, new AbortController().signal).answer
    return sent.at(-1)?.[1] ?? null
  }
  const table = '/filials/1013?filial_id=1013&table_id=t7&main_terminal_id=1010'
  assert.equal(await ask(table), null)
  const found = { coords: { latitude: 43.2, longitude: 76.9 } }
  const geolocation = { getCurrentPosition: (tell: (position: typeof found) => void) => tell(found) }
  Object.defineProperty(globalThis, 'navigator', { value: { geolocation }, configurable: true })
  await locate()
  assert.equal(await ask(table), '43.2,76.9')
  assert.equal(await ask(table), null, 'the next page view asks again')
  await locate()
  assert.equal(await ask('/filials/1013'), null)
  assert.equal(await ask(table), null, 'the page that asked has been left')
  await locate()
  assert.equal(await ask('/filials/1013?item=5'), null)
})
