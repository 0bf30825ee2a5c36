/** The server bundle as the engine runs it: no `Intl`, no timers, no web platform but URL; the same bytes each time. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import vm from 'node:vm'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'
import type { Category, PageData } from '../../components/lib/page-data.ts'
import { createText } from '../../components/lib/text/text.tsx'
import type { Rendered } from '../../components/pages/head.ts'
import { samplePages } from '../../components/pages/samples.ts'
import { fragmentCache } from '../bench/fragment_cache.mjs'
import { asAnotherGuest, atAnotherHour, generator, lineOf, longMenu, oneOf } from './random-menus.ts'

declare const SERVER_BUNDLE: string
declare const PROJECT_ROOT: string

const { catalogues } = compileTexts(readTexts(join(PROJECT_ROOT, 'components')).texts)

type Engine = {
  __render: (url: string, json: string, shared: number) => Promise<string>
  __warm: () => Promise<void>
}

let engine: Engine
/** The shared parts of the data that the engine was given, and their names. */
const parts = new Map<string, number>()
const cache = fragmentCache()
const pages = samplePages().map(({ url, data }) => ({ url, data, json: JSON.stringify(data) }))

function start(): Engine {
  const forbid = () => {
    throw new Error('not during a render')
  }
  // A context without the object behind it, which every global would be asked of.
  const scope = vm.createContext(vm.constants.DONT_CONTEXTIFY)
  Object.assign(scope, {
    console,
    URL,
    URLSearchParams,
    Intl: undefined,
    SNAPSHOT: true,
    __fragments: cache.engine(),
  })
  vm.runInContext(readFileSync(SERVER_BUNDLE, 'utf8'), scope)
  vm.runInContext('Date.now = Math.random = undefined', scope)
  Object.assign(scope, { setTimeout: forbid, fetch: forbid })
  return scope as Engine
}

async function render(page: { url: string; json: string }): Promise<{ head: Rendered; html: string }> {
  const answer = await answerOf(page.url, page.json)
  const end = answer.indexOf('\n')
  return { head: JSON.parse(answer.slice(0, end)), html: answer.slice(end + 1) }
}

/** The answer to a page, whose shared part goes by its name, as the engine gives it. */
async function answerOf(url: string, json: string): Promise<string> {
  return cache.filled(await rawOf(url, json))
}

/** The same with placeholders for what is cached. */
async function rawOf(url: string, json: string): Promise<string> {
  const { page }: PageData = JSON.parse(json)
  const isShared = page.route === 'menu' && !page.data.failed && !json.startsWith(BARE)
  return isShared
    ? withShared(url, json, JSON.stringify(page.data.categories))
    : engine.__render(url, json, 0)
}

function withShared(url: string, json: string, shared: string): Promise<string> {
  cache.shared = shared
  const name = parts.get(shared) ?? parts.size + 1
  parts.set(shared, name)
  return engine.__render(url, json.replace(`"categories":${shared}`, '"categories":null'), name)
}

/** Head and HTML, but for how much of them was rendered before. */
const bytes = async (url: string, json: string) => bytesOf(await answerOf(url, json))
const bytesOf = (answer: string) => answer.replace(/,"reused":\d+\}\n/, '}\n')

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

test('the bonuses in the header are told in the money of the venue that the page is about', async () => {
  for (const route of ['menu', 'cart', 'bill']) {
    // The guest looks at Georgia, the venue is in Kazakhstan.
    const page = pages.find(({ data }) => data.page.route === route && data.shell.country === 'ge')
    assert.ok(page)
    const { html } = await render(page)
    assert.match(html, /class="chip balance num"[^>]*>(?:(?!<\/a>).)*1\u00a0200\u00a0₸<\/a>/, route)
  }
})

test('the region that tells of old data is there before it has words: on orders, those of fridges too, and open bills', async () => {
  const live = pages.filter(({ data: { page } }) =>
    page.route === 'bill'
      ? page.data.state === 'open'
      : ['order', 'orderInfo', 'thankYou'].includes(page.route),
  )
  assert.ok(live.some(({ data: { page } }) => page.route === 'bill'))
  assert.ok(live.some(({ data: { page } }) => page.route === 'order' && page.data.fridge))
  for (const page of live) {
    const { html } = await render(page)
    assert.equal(html.match(/<p class="vh" aria-live="polite"><\/p>/g)?.length, 1, page.url)
  }
})

test('a guest who came by a code is led to the menu of the venue by pages of what is not there or went wrong', async () => {
  for (const route of ['notFound', 'error', 'auth']) {
    let found = false
    for (const { url, data } of pages.filter((page) => page.data.page.route === route)) {
      const shell = { ...data.shell, home: '/filials/7', url: '/gone' }
      const { html } = await render({ url, json: JSON.stringify({ ...data, shell }) })
      const main = html.slice(html.indexOf('<main'))
      assert.doesNotMatch(main, /(href|value)="\/"/, `${route} ${url}`)
      found ||= main.includes('href="/filials/7"')
    }
    assert.ok(found, route)
  }
})

test('each list of restaurants and brands has a search and a way to the map (SE-01, SE-02)', async () => {
  for (const route of ['home', 'venues', 'brands', 'brandVenues']) {
    const all = await Promise.all(pages.filter((page) => page.data.page.route === route).map(render))
    const found = all.some(({ html }) => html.includes('role="search"') && /href="\/map\b/.test(html))
    assert.ok(found, route)
  }
})

test('where the towns have not come, lists say no name, and the page of towns offers another try', async () => {
  for (const route of ['venues', 'brandVenues', 'addresses', 'town']) {
    for (const { url, data } of pages.filter((page) => page.data.page.route === route)) {
      const shell = { ...data.shell, town: { id: 0, name: '' } }
      const { html } = await render({ url, json: JSON.stringify({ ...data, shell }) })
      assert.doesNotMatch(html, /<p class="soft"[^>]*>(<!-- -->)?:|: \. |“”|«»|„“/, `${route} ${url}`)
      assert.ok(
        !/class="chip"[^>]*>(<svg.*?<\/svg>)?<span><\/span>/.test(html),
        `${route}: a chip without words`,
      )
      const { page } = data
      if (page.route === 'town' && page.data.towns.length === 0)
        assert.match(html, /<a class="button" href="\/town\?back=%2F">/, url)
    }
  }
})

test('requests leave nothing behind: A, B, A gives the same bytes', async () => {
  const first = await Promise.all(pages.map((page) => bytes(page.url, page.json)))
  const again: string[] = []
  for (const page of pages.toReversed()) again.unshift(await bytes(page.url, page.json))
  assert.deepEqual(again, first)
})

test('a page says nothing of the language, the town or the tablet of the page before: A, B, A', async () => {
  const home = pages.find(({ data }) => data.page.route === 'home')
  assert.ok(home)
  const { shell } = home.data
  const kiosk = { rest: '/kiosk/filials/1043', idle: 90, warning: 20 }
  const others = [
    { lang: shell.lang === 'en' ? 'kk' : 'en' },
    { town: { ...shell.town, name: 'Canary town' } },
    { kiosk: { ...shell.kiosk, ...kiosk } },
  ]
  const first = await bytes(home.url, home.json)
  for (const other of others) {
    const json = JSON.stringify({ ...home.data, shell: { ...shell, ...other } })
    assert.notEqual(await bytes(home.url, json), first, JSON.stringify(other))
    assert.equal(await bytes(home.url, home.json), first, JSON.stringify(other))
  }
})

/** The same page with nothing shared. */
const BARE = '{"bare":true,'
const bare = (json: string) => json.replace('{', BARE)

test('a page of fragments has the bytes of one without', async () => {
  for (const page of pages) {
    const plain = await bytes(page.url, bare(page.json))
    for (const time of ['first', 'second']) {
      assert.equal(await bytes(page.url, page.json), plain, `${time} time, ${page.url}`)
    }
  }
})

test('of each menu that was rendered before, pieces are taken again', async () => {
  const menus = pages.filter(({ data }) => data.page.route === 'menu')
  assert.ok(
    menus.some(({ json }) => json.includes('"house":true')) &&
      !menus.every(({ json }) => json.includes('"house":true')),
  )
  for (const page of menus) {
    await render(page)
    assert.ok((await render(page)).head.reused > 0, page.url)
    assert.equal((await render({ url: page.url, json: bare(page.json) })).head.reused, 0)
  }
})

/** With `MENUS_SEED` other menus and other guests than each time. */
const SEED = Number(process.env.MENUS_SEED ?? 7)
/** How many guests come to each menu of the samples, and to a long one in each language. */
const GUESTS = 800
const GUESTS_OF_LONG = 100
/** How many come before the stock changes again. */
const GUESTS_A_STOCK = 10
/** How many stocks are asked for beside each other: pages of the one before are still on their way. */
const STOCKS = 4

test('whatever is in the cart, out of stock, gone, locked, dearer or in a list: the same bytes with fragments, and none of a guest in them', async () => {
  const menus = pages.flatMap(({ url, json, data }) =>
    data.page.route === 'menu' ? [{ url, json, data, page: data.page, most: GUESTS }] : [],
  )
  for (const menu of menus.filter(({ url, page }) => !url.includes('?') && !page.data.house)) {
    const categories = longMenu(menu.page.data.categories, 60)
    menus.push({
      ...menu,
      page: { ...menu.page, data: { ...menu.page.data, categories } },
      most: GUESTS_OF_LONG,
    })
  }
  let compared = 0
  for (const [at, { url, json, data, page, most }] of menus.entries()) {
    const random = generator(SEED + at)
    const stocks: { categories: Category[]; shared: string }[] = []
    for (let guest = 0; guest < most; guest++) {
      if (guest % GUESTS_A_STOCK === 0) {
        const categories = atAnotherHour(page.data.categories, random)
        stocks.unshift({ categories, shared: JSON.stringify(categories) })
        stocks.splice(STOCKS)
      }
      const { categories, shared } = oneOf(stocks, random)
      const guests = JSON.stringify(asAnotherGuest({ ...data, page }, categories, random))
      const fragments = bytesOf(cache.filled(await withShared(url, guests, shared)))
      const plain = bytesOf(await engine.__render(url, guests, 0))
      const place = `MENUS_SEED=${SEED}, menu ${at}, guest ${guest}`
      if (fragments !== plain) assert.fail(`${place}: ${difference(fragments, plain)}`)
      compared++
    }
    // No cart is left in what the next guest gets.
    assert.equal(await bytes(url, json), await bytes(url, bare(json)))
  }
  assert.ok(compared >= 10_000, `${compared} pages`)
})

/** Where two pages begin to differ: whole they are too long to read. */
function difference(one: string, other: string): string {
  let at = 0
  while (one[at] === other[at]) at++
  const part = (text: string) => text.slice(Math.max(0, at - 80), at + 80)
  return `"${part(one)}" instead of "${part(other)}"`
}

test('a dish that is in the cart is rendered once for each number of it', async () => {
  const page = pages.find(({ data }) => data.page.route === 'menu')
  assert.ok(page)
  const data: PageData = JSON.parse(page.json)
  assert.ok(data.page.route === 'menu')
  const { categories, venue } = data.page.data
  const [product] = categories
    .flatMap(({ products }) => products)
    .filter(({ options, out }) => !options && !out)
  assert.ok(product)
  // It was not rendered at this price yet.
  product.price += 1234
  venue.open = { ...venue.open, open: true }
  const own = `name="product" value="${product.id}"`
  const rawly = async (qty: number) => {
    const line = { ...lineOf(product, 0, () => 0), qty, plain: true }
    data.shell.cart = {
      mark: 7,
      version: 1,
      venueId: venue.id,
      venueName: venue.name,
      count: qty,
      total: 100,
      lines: [line],
    }
    const answer = await rawOf(page.url, JSON.stringify(data))
    return answer.includes(own)
  }
  assert.deepEqual([await rawly(2), await rawly(2)], [true, false])
  assert.deepEqual([await rawly(3), await rawly(2), await rawly(3)], [true, false, false])
  assert.deepEqual([await rawly(12), await rawly(12)], [true, true], 'few guests have as many')
})

test('a text that looks like a placeholder stays a text of its own page', async () => {
  const page = pages.find(({ data }) => data.page.route === 'menu')
  assert.ok(page)
  const evil = page.json.replaceAll('Лағман', '\\u0001=0\\u0002\\u0001b0\\u0002Лағман')
  assert.notEqual(evil, page.json)
  // Whatever was kept of it may have made way for others.
  await render(page)
  const before = await render(page)
  await render({ url: page.url, json: evil })
  assert.deepEqual(await render(page), before)
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
    // The name of the venue stands in the header too.
    [
      ['name', false],
      ['screen', true],
    ],
  )
  assert.match(html, /class="head"/)
  assert.match(html, /data-lost="screen"/)
  assert.deepEqual(await render(page), before)
})
