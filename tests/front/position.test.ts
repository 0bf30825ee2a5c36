/** HB-06, ZZ-27: how a browser is asked where the guest is. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, mock, test } from 'node:test'
import { takePosition } from '../../components/lib/browser/known-position.ts'
import { lastAccuracy, locate, permission } from '../../components/lib/browser/position.ts'

declare const PROJECT_ROOT: string

type Found = { coords: { latitude: number; longitude: number; accuracy?: number } }
type Asked = { found: (position: Found) => void; lost: (error: { code: number }) => void; options: unknown }
let asked: Asked[]

// A plain browser: nothing is around its window.
Object.assign(globalThis, { window: globalThis, parent: globalThis, document: { cookie: '' } })

beforeEach(() => {
  asked = []
  takePosition()
  setGeolocation({
    getCurrentPosition: (found: Asked['found'], lost: Asked['lost'], options: unknown) => {
      asked.push({ found, lost, options })
    },
  })
})

function setGeolocation(geolocation: unknown, permissions?: unknown): void {
  Object.defineProperty(globalThis, 'navigator', { value: { geolocation, permissions }, configurable: true })
}

const ALMATY: Found = { coords: { latitude: 43.2, longitude: 76.9 } }

test('a position is asked for precisely, for five seconds, and for nothing old', async () => {
  const here = locate()
  assert.deepEqual(asked[0]?.options, { enableHighAccuracy: true, timeout: 5000, maximumAge: 0 })
  asked[0]?.found(ALMATY)
  assert.deepEqual(await here, [43.2, 76.9])
})

test('a refusal is told from a position that can not be found', async () => {
  for (const [code, why] of [
    [1, 'denied'],
    [2, 'notFound'],
    [3, 'notFound'],
  ] as const) {
    const here = locate()
    asked.at(-1)?.lost({ code })
    assert.equal(await here, why)
  }
  setGeolocation(undefined)
  assert.equal(await locate(), 'denied')
  assert.equal(takePosition(), undefined)
})

test('how exact a position is goes with it', async () => {
  const here = locate()
  asked[0]?.found({ coords: { ...ALMATY.coords, accuracy: 1400 } })
  await here
  assert.equal(lastAccuracy(), 1400)
})

test('a permission is granted, denied or not determined, and reading it shows no prompt', async () => {
  const said = (state: string) => ({ query: async () => ({ state }) })
  const geolocation = { getCurrentPosition: () => assert.fail('asked') }
  for (const [state, is] of [
    ['granted', 'granted'],
    ['denied', 'denied'],
    ['prompt', 'notDetermined'],
  ] as const) {
    setGeolocation(geolocation, said(state))
    assert.equal(await permission(), is)
  }
  // Where browsers do not tell, and where there is no position at all.
  setGeolocation(geolocation)
  assert.equal(await permission(), 'notDetermined')
  setGeolocation(undefined)
  assert.equal(await permission(), 'denied')
})

test('a webview that never answers is waited for as long as it may take, and for who reads its question', async () => {
  const geolocation = { getCurrentPosition() {} }
  const says = (state: string) => ({ query: async () => ({ state }) })
  for (const [permissions, limit] of [
    [undefined, 5000],
    [says('granted'), 5000],
    [says('prompt'), 10_000],
  ] as const) {
    mock.timers.enable({ apis: ['setTimeout'] })
    setGeolocation(geolocation, permissions)
    const here = locate()
    let answer: unknown
    here.then((value) => {
      answer = value
    })
    // What the browser says of the permission.
    await new Promise((resolve) => setImmediate(resolve))
    mock.timers.tick(limit - 1)
    await Promise.resolve()
    assert.equal(answer, undefined, `${limit}`)
    mock.timers.tick(1)
    assert.equal(await here, 'notFound')
    mock.timers.reset()
  }
})

test('a position goes with one page at most', async () => {
  const here = locate()
  asked[0]?.found(ALMATY)
  await here
  assert.deepEqual(takePosition(), [43.2, 76.9])
  assert.equal(takePosition(), undefined)
})

test('no other file asks for a position', () => {
  const root = join(PROJECT_ROOT, 'components')
  const asking = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .filter((name) => /\b(getCurrent|watch)Position\b/.test(readFileSync(join(root, name), 'utf8')))
  assert.deepEqual(asking, ['lib/browser/position.ts'])
})
