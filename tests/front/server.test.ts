/** The server bundle as the engine runs it: no `Intl`, no timers, no web platform but URL; the same bytes each time. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import vm from 'node:vm'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'
import { createText } from '../../components/lib/text/text.tsx'
import type { Rendered } from '../../components/pages/head.ts'
import { samplePages } from '../../components/pages/samples.ts'

declare const SERVER_BUNDLE: string
declare const PROJECT_ROOT: string

const { catalogues } = compileTexts(readTexts(join(PROJECT_ROOT, 'components')).texts)

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

async function render(page: { url: string; json: string }): Promise<{ head: Rendered; html: string }> {
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

/** The menu with a dish that no screen can draw: React takes no objects. */
function burnt(json: string, dish: string): string {
  assert.ok(json.includes(`"name":"${dish}"`), dish)
  return json.replaceAll(`"name":"${dish}"`, '"name":{"burnt":true}')
}

test('a part that throws says so in its place and in the head, the others stay (SR-09)', async () => {
  for (const page of pages.filter(({ data }) => data.page.route === 'menu')) {
    assert.ok(page.data.page.route === 'menu')
    const { categories } = page.data.page.data
    const [bad, ...good] = categories.filter(({ products }) => products.length > 0)
    assert.ok(bad?.products[0] && good.length > 0, 'categories to compare')
    const whole = await render(page)
    assert.deepEqual(whole.head.losses, [])
    const { head, html } = await render({ url: page.url, json: burnt(page.json, bad.products[0].name) })
    assert.match(html, new RegExp(`data-lost="cat-${bad.id}"`))
    const { lang } = page.data.shell
    assert.ok(html.includes(createText(lang, catalogues[lang] ?? {})('failure.part')), lang)
    const why = head.losses.find(({ section }) => section === `cat-${bad.id}`)?.error
    assert.match(why ?? '', /^(TypeError|Error): .+\n +at /, 'what was thrown, and where')
    assert.ok(!head.losses.some(({ whole }) => whole), 'not the whole screen')
    for (const { id, products } of good) {
      if (products.some(({ name }) => name === bad.products[0]?.name)) continue
      assert.match(html, new RegExp(`id="cat-${id}"`))
      for (const { name } of products) assert.ok(html.includes(name), name)
    }
  }
})

test('a screen that throws leaves what stands around it, and the next render knows nothing of it', async () => {
  const page = pages.find(({ data }) => data.page.route === 'menu')
  assert.ok(page?.data.page.route === 'menu')
  const before = await render(page)
  const { head, html } = await render({
    url: page.url,
    json: burnt(page.json, page.data.page.data.venue.name),
  })
  assert.deepEqual(
    head.losses.map(({ section, whole }) => [section, whole]),
    [['screen', true]],
  )
  assert.match(html, /class="head"/)
  assert.match(html, /data-lost="screen"/)
  assert.deepEqual(await render(page), before)
})
