/** The server bundle as the engine runs it: no `Intl`, no timers, no web platform but URL; the same bytes each time. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import vm from 'node:vm'
import type { Head } from '../../components/lib/head.ts'
import { samplePages } from '../../components/lib/samples.ts'

declare const SERVER_BUNDLE: string

type Engine = { __render: (url: string, json: string) => Promise<string>; __warm: () => Promise<void> }

let engine: Engine
const pages = samplePages().map(({ url, data }) => ({ url, data, json: JSON.stringify(data) }))

function start(): Engine {
  const forbid = () => {
    throw new Error('not during a render')
  }
  const scope = vm.createContext({ console, URL, URLSearchParams, Intl: undefined, SNAPSHOT: true })
  vm.runInContext(readFileSync(SERVER_BUNDLE, 'utf8'), scope)
  vm.runInContext('Date.now = Math.random = undefined', scope)
  Object.assign(scope, { setTimeout: forbid, fetch: forbid })
  return scope as Engine
}

async function render(page: { url: string; json: string }): Promise<{ head: Head; html: string }> {
  const answer = await engine.__render(page.url, page.json)
  const end = answer.indexOf('\n')
  return { head: JSON.parse(answer.slice(0, end)), html: answer.slice(end + 1) }
}

before(() => {
  engine = start()
})

test('the snapshot’s warm-up renders every screen', async () => {
  await start().__warm()
})

test('every sample renders with one heading and its head on the first line', async () => {
  for (const page of pages) {
    const { head, html } = await render(page)
    const place = `${page.data.shell.lang} ${page.url}`
    assert.ok(head.title, place)
    assert.equal(html.match(/<h1[ >]/g)?.length, 1, place)
  }
})

test('requests leave nothing behind: A, B, A gives the same bytes', async () => {
  const first = await Promise.all(pages.map((page) => engine.__render(page.url, page.json)))
  const again: string[] = []
  for (const page of pages.toReversed()) again.unshift(await engine.__render(page.url, page.json))
  assert.deepEqual(again, first)
})

test('a page in one language holds no letter of the Georgian texts', async () => {
  for (const page of pages) {
    if (page.data.shell.country === 'ge') continue
    const { html, head } = await render(page)
    assert.doesNotMatch(html + JSON.stringify(head), /[\u10a0-\u10ff]/, page.url)
  }
})

test('text of the upstream stays text', async () => {
  const page = pages.find(({ data }) => data.page.route === 'menu')
  assert.ok(page)
  const evil = page.json.replaceAll('Лағман', '</script><script>alert(1)</script>')
  const { html } = await render({ url: page.url, json: evil })
  assert.doesNotMatch(html, /<script/)
})
