/** Client navigation: what is shown, awaited and written into the history when moves cross each other. */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { replaceAddress } from '../../components/lib/browser/address.ts'
import type { PageData } from '../../components/lib/page-data.ts'
import { createNavigation, type Outcome } from '../../components/lib/router/navigation.ts'

/** A page that is told by nothing but its address. */
const pageOf = (url: string) => ({ shell: { url } }) as PageData

type Asked = {
  url: string
  signal: AbortSignal
  waits: boolean
  answer: (outcome: Outcome) => void
  fail: (error: Error) => void
}
type Entry = { url: URL; state: unknown }

let entries: Entry[]
let at: number
let asked: Asked[]
let pop: () => void
let left: string[]
let dataset: { prefix?: string }

beforeEach(() => {
  dataset = {}
  entries = [{ url: new URL('https://x/a'), state: null }]
  at = 0
  asked = []
  left = []
  const history = {
    get state() {
      return entries[at]?.state ?? null
    },
    replaceState(state: unknown, _: string, to?: string) {
      entries[at] = { url: to ? new URL(to, entries[at]?.url) : (entries[at]?.url as URL), state }
    },
    pushState(state: unknown, _: string, to: string) {
      if (entries.length === 5) throw new Error('SecurityError')
      entries.splice(at + 1, entries.length, { url: new URL(to, entries[at]?.url), state })
      at += 1
    },
    go(steps: number) {
      at += steps
      pop()
    },
  }
  const location = {
    get href() {
      return entries[at]?.url.href
    },
    get pathname() {
      return entries[at]?.url.pathname
    },
    get search() {
      return entries[at]?.url.search
    },
    get hash() {
      return entries[at]?.url.hash
    },
    assign: (to: string) => left.push(to),
  }
  const values = {
    history,
    window: { history, location },
    location,
    document: { documentElement: { dataset } },
    addEventListener: (_: string, run: () => void) => {
      pop = run
    },
  }
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
})

function begin() {
  const navigation = createNavigation(pageOf('/a'), (url, signal, waits) => {
    return new Promise((answer, fail) => asked.push({ url, signal, waits, answer, fail }))
  })
  const shown = () => {
    const { data, location, coming } = navigation.now()
    return [data.shell.url, location.pathname, coming?.pathname ?? null]
  }
  return { navigation, shown, urls: () => asked.map(({ url }) => url) }
}

const answer = (one: Asked | undefined) => one?.answer({ kind: 'page', data: pageOf(one.url) })
const settled = () => new Promise((done) => setImmediate(done))
const addresses = () => entries.map(({ url }) => url.pathname + url.search + url.hash)

test('a page stays until the next one is there, and has its entry then', async () => {
  const { navigation, shown } = begin()
  const going = navigation.navigate('/b?x=1')
  assert.deepEqual([shown(), addresses()], [['/a', '/a', '/b'], ['/a']])
  answer(asked[0])
  await going
  assert.deepEqual(
    [shown(), addresses()],
    [
      ['/b?x=1', '/b', null],
      ['/a', '/b?x=1'],
    ],
  )
  assert.deepEqual(Object.keys(entries[1]?.state ?? {}), ['usr', 'key', 'idx'])
})

test('the next navigation aborts the one before', async () => {
  const { navigation, shown } = begin()
  void navigation.navigate('/b')
  const going = navigation.navigate('/c')
  assert.equal(asked[0]?.signal.aborted, true)
  answer(asked[1])
  await going
  answer(asked[0])
  await settled()
  assert.deepEqual(
    [shown(), addresses()],
    [
      ['/c', '/c', null],
      ['/a', '/c'],
    ],
  )
})

test('a redirect makes one entry, of where it leads', async () => {
  const { navigation, shown } = begin()
  void navigation.navigate('/b')
  asked[0]?.answer({ kind: 'redirect', to: '/c#part', replace: false })
  await settled()
  answer(asked[1])
  await settled()
  assert.deepEqual(
    [shown(), addresses()],
    [
      ['/c', '/c', null],
      ['/a', '/c#part'],
    ],
  )
  void navigation.navigate('/d', { replace: true })
  asked[2]?.answer({ kind: 'redirect', to: '/e', replace: false })
  await settled()
  answer(asked[3])
  await settled()
  assert.deepEqual(addresses(), ['/a', '/e'])
})

test('a part of the page that is shown asks for nothing; the address that is shown takes its entry', async () => {
  const { navigation, urls } = begin()
  await navigation.navigate('/a#part')
  assert.deepEqual([urls(), addresses()], [[], ['/a', '/a#part']])
  const { data } = navigation.now()
  const again = navigation.navigate('/a#part')
  await again
  const reloaded = navigation.navigate('/a')
  answer(asked[0])
  await reloaded
  assert.deepEqual([urls(), addresses()], [['/a'], ['/a', '/a#part', '/a']])
  assert.notEqual(navigation.now().data, data)
})

test('a page that is asked for anew keeps its entry and its place; a move meanwhile is brought to its end', async () => {
  const { navigation, shown, urls } = begin()
  const { location } = navigation.now()
  const reloaded = navigation.revalidate()
  assert.deepEqual([navigation.now().reloading, navigation.now().coming], [true, null])
  answer(asked[0])
  await reloaded
  assert.equal(navigation.now().location, location)
  assert.equal(navigation.now().reloading, false)

  void navigation.navigate('/b')
  const both = navigation.revalidate()
  answer(asked[2])
  await both
  assert.deepEqual(
    [shown(), urls(), addresses()],
    [
      ['/b', '/b', null],
      ['/a', '/b', '/b'],
      ['/a', '/b'],
    ],
  )

  const late = navigation.revalidate()
  void navigation.navigate('/c')
  answer(asked[4])
  await late
  assert.deepEqual([shown(), asked[3]?.signal.aborted], [['/c', '/c', null], true])
})

test('Back shows the page of its entry with what was kept in it', async () => {
  const { navigation, shown } = begin()
  const going = navigation.navigate('/b', { state: { over: true } })
  answer(asked[0])
  await going
  void navigation.navigate(-1)
  answer(asked[1])
  await settled()
  assert.deepEqual([shown(), navigation.now().action], [['/a', '/a', null], 'POP'])
  void navigation.navigate(1)
  answer(asked[2])
  await settled()
  assert.deepEqual(navigation.now().location.state, { over: true })
})

test('what only leads on by now gives its entry to where it leads, by itself as by Back', async () => {
  const { navigation } = begin()
  const led = async (to: string) => {
    asked.at(-1)?.answer({ kind: 'redirect', to, replace: false })
    await settled()
    answer(asked.at(-1))
    await settled()
    return [at, addresses()]
  }
  for (const to of ['/pay', '/order']) {
    const going = navigation.navigate(to)
    answer(asked.at(-1))
    await going
  }
  void navigation.revalidate()
  assert.deepEqual(await led('/done'), [2, ['/a', '/pay', '/done']])
  void navigation.navigate(-1)
  assert.deepEqual(await led('/done?of=pay'), [1, ['/a', '/done?of=pay', '/done']])
})

test('what is pressed without a network stays undone; Back and what was not pressed wait for one', async () => {
  const { navigation, shown } = begin()
  const going = navigation.navigate('/b')
  assert.equal(asked[0]?.waits, false)
  asked[0]?.answer({ kind: 'lost' })
  await going
  assert.deepEqual([shown(), addresses()], [['/a', '/a', null], ['/a']])
  void navigation.navigate('/order', { waits: true })
  assert.equal(asked[1]?.waits, true)
  asked[1]?.answer({ kind: 'redirect', to: '/done', replace: false })
  await settled()
  assert.equal(asked[2]?.waits, true)
  answer(asked[2])
  await settled()
  void navigation.revalidate()
  answer(asked[3])
  await settled()
  void navigation.navigate(-1)
  assert.deepEqual([asked[3]?.waits, asked[4]?.waits], [true, true])
})

test('Back and asking anew go on after a link that was pressed meanwhile in vain', async () => {
  const { navigation, shown, urls } = begin()
  const there = navigation.navigate('/b')
  answer(asked[0])
  await there
  void navigation.navigate(-1)
  const going = navigation.navigate('/c')
  assert.equal(asked[1]?.signal.aborted, true)
  asked[2]?.answer({ kind: 'lost' })
  await going
  assert.deepEqual([shown(), asked[3]?.waits], [['/b', '/b', '/a'], true])
  answer(asked[3])
  await settled()
  assert.deepEqual(
    [shown(), urls(), at, addresses()],
    [['/a', '/a', null], ['/b', '/a', '/c', '/a'], 0, ['/a', '/b']],
  )

  let isReloaded = false
  void navigation.revalidate().then(() => {
    isReloaded = true
  })
  const again = navigation.navigate('/d')
  asked[5]?.answer({ kind: 'lost' })
  await again
  assert.deepEqual([shown(), navigation.now().reloading, isReloaded], [['/a', '/a', null], true, false])
  answer(asked[6])
  await settled()
  assert.deepEqual([navigation.now().reloading, isReloaded, urls()[6], at], [false, true, '/a', 0])
  assert.deepEqual(addresses(), ['/a', '/b'])

  // What a page has written into its entry leads nowhere.
  history.replaceState(history.state, '', '/a?q=1')
  void navigation.navigate('/d')
  asked.at(-1)?.answer({ kind: 'lost' })
  await settled()
  assert.deepEqual([shown(), urls().length], [['/a', '/a', null], 8])

  // Both: the page that Back leads to is as new as what was asked for.
  void navigation.navigate(1)
  void navigation.revalidate()
  void navigation.navigate('/c')
  asked.at(-1)?.answer({ kind: 'lost' })
  await settled()
  assert.deepEqual([shown(), asked.at(-1)?.waits], [['/a', '/a', '/b'], true])
  answer(asked.at(-1))
  await settled()
  assert.deepEqual([shown(), navigation.now().reloading], [['/b', '/b', null], false])
})

test('a page that can not be shown is said to have failed, and the next one is as any other', async (t) => {
  t.mock.method(console, 'error', () => {})
  const { navigation, shown } = begin()
  const going = navigation.navigate('/b')
  asked[0]?.fail(new Error('no code'))
  await going
  assert.deepEqual([navigation.now().failed, shown()[1]], [true, '/b'])
  const back = navigation.navigate('/a')
  answer(asked[1])
  await back
  assert.equal(navigation.now().failed, false)
})

test('where the browser takes no more entries the document is loaded', async () => {
  const { navigation } = begin()
  for (const to of ['/b', '/c', '/d', '/e', '/f']) {
    const going = navigation.navigate(to)
    answer(asked.at(-1))
    await going
  }
  assert.deepEqual([entries.length, left], [5, ['/f']])
})

test("a tablet's addresses have their prefix once, and nothing else has", async () => {
  entries = [{ url: new URL('https://x/kiosk/a?x=1'), state: null }]
  dataset.prefix = '/kiosk'
  const { navigation, urls } = begin()
  assert.equal(navigation.now().location.pathname, '/a')
  for (const to of ['/b', '/kiosk/c', '?y=2', '#part', '/']) {
    const going = navigation.navigate(to)
    answer(asked.at(-1))
    await going
  }
  // What is asked of the server is the page, for tablets as for phones.
  assert.deepEqual(urls(), ['/b', '/c', '/c?y=2', '/'])
  assert.deepEqual(addresses(), ['/kiosk/a?x=1', '/kiosk/b', '/kiosk/c', '/kiosk/c?y=2', '/kiosk/c?y=2#part'])
})

test('a link that is pressed while Back is under way makes an entry: the one that Back led to is not taken', async () => {
  const { navigation, shown } = begin()
  const there = navigation.navigate('/b', { state: { over: true } })
  answer(asked[0])
  await there
  void navigation.navigate(-1)
  // The window is back at /a already, the page of /b is still shown.
  const again = navigation.navigate('/b', { state: { over: true } })
  answer(asked[2])
  await again
  assert.deepEqual([shown()[1], addresses()], ['/b', ['/a', '/b']])
})

test('a page that asks by itself waits for what is under way: an answer that is slow, a link that was pressed', async () => {
  const { navigation, shown, urls } = begin()
  const first = navigation.ask()
  const second = navigation.ask()
  assert.deepEqual([urls(), asked[0]?.signal.aborted], [['/a'], false])
  answer(asked[0])
  await Promise.all([first, second])
  const going = navigation.navigate('/b')
  await navigation.ask()
  assert.deepEqual([urls(), asked[1]?.signal.aborted], [['/a', '/b'], false])
  answer(asked[1])
  await going
  assert.deepEqual(shown(), ['/b', '/b', null])
})

test('a page that is asked for anew is asked for by what it has written into its address', async () => {
  const { navigation, shown, urls } = begin()
  replaceAddress('/a?q=1')
  const reloaded = navigation.revalidate()
  answer(asked[0])
  await reloaded
  assert.deepEqual([urls(), shown(), addresses()], [['/a?q=1'], ['/a?q=1', '/a', null], ['/a?q=1']])
  const going = navigation.navigate('/b')
  answer(asked[1])
  await going
  void navigation.revalidate()
  assert.equal(urls()[2], '/b')
})
