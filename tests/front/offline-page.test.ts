/** PW-03, PW-04: the page without a network says when what is kept was read, and why it is there. */

import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { rememberMenu } from '../../components/lib/find/last-menu.ts'
import {
  type CachedMenu,
  type CachedOrder,
  readFresh,
  writeCached,
} from '../../components/lib/offline/cached.ts'
import { keepShown } from '../../components/lib/offline/records.ts'
import type { Lang } from '../../components/lib/page-data.ts'
import { samplePages } from '../../components/pages/samples.ts'
import { offlinePage } from '../../components/worker/offline-page.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const OFFSET = 300
/** 28 November 2026, 23:50 at the venue. */
const READ = Date.UTC(2026, 10, 28, 18, 50)
const TIME = { time: '23:50', readAt: READ, utcOffset: OFFSET, at: READ }
const MENU: CachedMenu = {
  ...TIME,
  id: 1013,
  venue: 'Oqjetpes',
  groups: [{ name: 'Soups', dishes: [['Lagman', '2 000 ₸']] }],
}
const ORDER: CachedOrder = {
  ...TIME,
  number: '117',
  venue: 'Oqjetpes',
  status: 'Cooking',
  lang: 'en',
  device: 'one',
}

let now: number
mock.method(Date, 'now', () => now)

beforeEach(async () => {
  const records = new Map<string, string>()
  const cache = {
    put: async (name: string, value: Response) => void records.set(name, await value.text()),
    match: async (name: string) => (records.has(name) ? new Response(records.get(name)) : undefined),
  }
  Object.assign(globalThis, {
    caches: { open: async () => cache },
    document: { cookie: 'deviceId=one' },
  })
  now = READ
  await writeCached('lang', 'en')
})

const page = async (late = false) =>
  (await offlinePage('https://dastarkhan.example/filials/1013', { late })).text()

const DAYS: Record<Lang, [menu: string, order: string]> = {
  kk: ['Сақталған уақыты 28 қараша, 23:50', '28 қараша, 23:50 жағдайы'],
  ru: ['Сохранено 28 ноября, 23:50', 'По состоянию на 28 ноября, 23:50'],
  en: ['Saved on 28 November, 23:50', 'As of 28 November, 23:50'],
  ka: ['შენახულია: 28 ნოემბერი, 23:50', '28 ნოემბერი, 23:50-ის მდგომარეობით'],
}

test('what was read on another day is told with that day, in each language', async () => {
  await writeCached('menu', MENU)
  await writeCached('order', ORDER)
  now = READ + 9 * 60_000
  const today = await page()
  assert.match(today, />Saved at 23:50</)
  assert.match(today, />As of 23:50</)
  // Ten hours are less than a day and past midnight.
  now = READ + 10 * HOUR
  for (const [lang, words] of Object.entries(DAYS)) {
    await writeCached('lang', lang as Lang)
    const html = await page()
    for (const one of words) assert.ok(html.includes(`>${one}<`), `${one}: ${html}`)
  }
})

test('what its guest comes back to the next morning is as old as it was', async () => {
  const shown = samplePages().find(({ data }) => data.page.route === 'menu' && !data.page.data.failed)?.data
  assert.ok(shown)
  shown.shell = { ...shown.shell, now: READ, utcOffset: OFFSET }
  rememberMenu(shown)
  const { number, venue, status } = ORDER
  const look = () => keepShown(shown, () => ({ number, venue, status, utcOffset: OFFSET, readAt: READ }))
  await look()
  now = READ + 10 * HOUR
  await look()
  const html = await page()
  for (const one of DAYS[shown.shell.lang]) assert.ok(html.includes(`>${one}<`), html)
})

test('a phone whose clock is wrong tells the day of the venue', async () => {
  await writeCached('menu', { ...MENU, at: READ - 5 * DAY })
  now = READ - 5 * DAY + 60_000
  assert.match(await page(), />Saved at 23:50</)
  now += 10 * HOUR
  assert.match(await page(), />Saved on 28 November, 23:50</)
})

test('a menu is kept for a week, an order for a day', async () => {
  await writeCached('menu', MENU)
  await writeCached('order', ORDER)
  now = READ + 7 * DAY - 1
  const html = await page()
  assert.match(html, /Lagman/)
  assert.ok(!html.includes('117'))
  now = READ + 7 * DAY
  assert.ok(!(await page()).includes('Lagman'))
  assert.equal(await readFresh('menu'), null)
})

test('records of an older build have no day: the order has its hour, a menu of any age is none', async () => {
  const { readAt: _, utcOffset: __, ...order } = ORDER
  const { id, venue, time, groups } = MENU
  await writeCached('order', order)
  await writeCached('menu', { id, venue, time, groups } as CachedMenu)
  now = READ + 10 * HOUR
  const html = await page()
  assert.match(html, />As of 23:50</)
  assert.ok(!html.includes('Lagman'))
})

test('a page whose answer is late says that alone, and nothing of a network that is there', async () => {
  await writeCached('menu', MENU)
  const late = await page(true)
  assert.match(late, /<title>The answer takes long<.*<h1>The answer takes long</s)
  assert.match(late, /You can’t order from here/)
  assert.ok(!/internet|connection/.test(late), late)
  const lost = await page()
  assert.match(lost, /<title>No internet<.*<h1>No internet</s)
  assert.match(lost, /without the internet/)
})
