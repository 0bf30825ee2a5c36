/** ST-01, ST-03, ST-06: one module names what the browser keeps, and what it keeps is read under the same name. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { recentMenus, rememberMenu } from '../../components/lib/browser/recent-menus.ts'
import { dropStored, readStored, writeStored } from '../../components/lib/browser/storage.ts'
import type { PageData } from '../../components/lib/page-data.ts'
import { begin, notePage } from '../../components/pages/background.ts'
import { samplePages } from '../../components/pages/samples.ts'

declare const PROJECT_ROOT: string

function fakeStorage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

let local: ReturnType<typeof fakeStorage>
let session: ReturnType<typeof fakeStorage>
let leave: () => void
const scope = (values: object) => {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
}

/** As much of a document as the module looks at. */
const documentWith = (cookie: string) => ({
  images: [],
  fonts: Object.assign([], { addEventListener() {} }),
  addEventListener() {},
  querySelectorAll: () => [],
  cookie,
})

beforeEach(() => {
  local = fakeStorage()
  session = fakeStorage()
  leave = () => {}
  scope({
    localStorage: local,
    sessionStorage: session,
    document: documentWith(''),
    addEventListener: (name: string, run: () => void) => {
      if (name === 'pagehide') leave = run
    },
  })
})

const menu = samplePages().find(({ data }) => data.page.route === 'menu')?.data as PageData

test('no other file touches storages or cookies', () => {
  const found: string[] = []
  for (const file of readdirSync(join(PROJECT_ROOT, 'components'), { recursive: true })) {
    if (!/\.tsx?$/.test(String(file))) continue
    const text = readFileSync(join(PROJECT_ROOT, 'components', String(file)), 'utf8')
    if (/\b(localStorage|sessionStorage)\b|document\.cookie|indexedDB/.test(text)) found.push(String(file))
  }
  // The inline script has no room for a module; its one name is the first of the module's own.
  assert.deepEqual(found.sort(), ['early/early.ts', 'lib/browser/storage.ts'])
  const early = readFileSync(join(PROJECT_ROOT, 'components/early/early.ts'), 'utf8')
  const names = [...early.matchAll(/sessionStorage\.(\w+)/g)].map(([, name]) => name)
  assert.deepEqual([...new Set(names)], ['early'])
})

test('what is written under a name is read under it, in its own storage', () => {
  writeStored('searchHistory', ['плов'])
  writeStored('typed', true)
  assert.deepEqual([readStored('searchHistory'), readStored('typed')], [['плов'], true])
  assert.deepEqual([[...local.kept.keys()], [...session.kept.keys()]], [['searchHistory'], ['typed']])
  dropStored('searchHistory')
  assert.equal(readStored('searchHistory'), undefined)
})

test('preferences that the server reads are mirrored under the names of the specification', () => {
  scope({
    document: documentWith('townId=3; lang=ru; other=x; service=takeaway; deviceId=abc; platform=ios'),
  })
  begin({ current: menu })
  const mirrored = { townId: '3', service: 'takeaway', lang: 'ru', platform: 'ios', deviceId: 'abc' }
  const kept = Object.fromEntries(local.kept)
  assert.deepEqual({ ...kept, ...mirrored }, kept)
  assert.equal(kept.version, menu.shell.version)
  assert.equal(kept.other, undefined)
  // Another choice is mirrored when the page goes, one that was wiped leaves.
  scope({ document: documentWith('townId=5') })
  leave()
  assert.deepEqual([local.kept.get('townId'), local.kept.get('service')], ['5', undefined])
})

test('nothing of a stranger is mirrored, and a blocked storage costs nothing', () => {
  const home = samplePages().find(({ data }) => data.page.route === 'home')?.data as PageData
  begin({ current: home })
  assert.deepEqual([...local.kept.keys()], [])
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  scope({ document: documentWith('townId=3') })
  begin({ current: menu })
  assert.deepEqual(recentMenus(), [])
})

test('the temporary terminals of a browser are the menus that were opened last, three, each once', () => {
  for (const [id, name] of [
    [1, 'A'],
    [2, 'B'],
    [3, 'C'],
    [1, 'A'],
    [4, 'D'],
  ] as const) {
    rememberMenu({ id, name })
  }
  assert.deepEqual(
    recentMenus().map(({ id }) => id),
    [4, 1, 3],
  )
  notePage(menu)
  assert.deepEqual(recentMenus()[0]?.id, menu.page.route === 'menu' ? menu.page.data.venue.id : 0)
  // The name of the session's own list is not used here.
  assert.deepEqual([...local.kept.keys()], ['temporaryTerminals'])
})

test('terminals of another shape are none', () => {
  for (const value of [null, 5, 'x', [1, 'a', null, {}, { id: '1', name: 'A' }, { id: -1, name: 'A' }]]) {
    writeStored('temporaryTerminals', value)
    assert.deepEqual(recentMenus(), [])
  }
})
