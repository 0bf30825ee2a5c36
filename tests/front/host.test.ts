/** LC-17: a host app pushes a language; whom it is believed from, and what it may say. RT-10: who is told a position. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenToHost } from '../../components/lib/browser/host.ts'
import { locate } from '../../components/lib/browser/position.ts'
import { createPageSource } from '../../components/lib/net/page-source.ts'

const own = 'https://app.example'
let hear: (event: { origin: string; data: unknown }) => void

function listening() {
  const asked: string[] = []
  const values = {
    location: { origin: own },
    addEventListener: (_name: string, run: typeof hear) => {
      hear = run
    },
  }
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  listenToHost({
    hosts: ['https://host.example'],
    langs: ['kk', 'ru', 'en'],
    lang: 'kk',
    onLanguage: (lang) => asked.push(lang),
  })
  return asked
}

test('our own page and the named hosts are believed, nobody else', () => {
  const asked = listening()
  const data = { type: 'language', language: 'ru' }
  for (const origin of ['https://evil.example', 'null', '', 'https://host.example.evil.example']) {
    hear({ origin, data })
  }
  assert.deepEqual(asked, [])
  for (const origin of [own, 'https://host.example']) hear({ origin, data })
  assert.deepEqual(asked, ['ru', 'ru'])
})

test('a language comes as an object or as its text, with or without a region', () => {
  const asked = listening()
  for (const data of [
    { type: 'language', language: 'en' },
    '{"type":"language","language":"RU-kz"}',
    { type: 'language', language: 'en_US' },
  ]) {
    hear({ origin: own, data })
  }
  assert.deepEqual(asked, ['en', 'ru', 'en'])
})

test('the language of the page, one that the country does not have, and junk change nothing', () => {
  const asked = listening()
  for (const data of [
    { type: 'language', language: 'kk' },
    { type: 'language', language: 'ka' },
    { type: 'language', language: 5 },
    { type: 'language' },
    { type: 'theme', language: 'ru' },
    { language: 'ru' },
    '{"type":"language"',
    'ru',
    '',
    null,
    undefined,
    [],
    7,
  ]) {
    hear({ origin: own, data })
  }
  assert.deepEqual(asked, [])
})

test('where the guest is goes with the link of a table alone, and only when it is known', async () => {
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
