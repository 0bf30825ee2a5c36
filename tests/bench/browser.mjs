/**
 * What only a browser can tell: how soon an open menu or bill shows what changed (beyond.md, 9 and 17: within two
 * seconds), and how long React takes over menus of up to 2,000 products on a processor four times slower, and a dish of
 * them to open. Prints a Markdown table. `DASTARKHAN_BINARY` names another binary.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  findTable,
  launch,
  openHydrated,
  openPage,
  pause,
  startProduct,
  startServe,
  untilTrue,
} from '../browser/harness.mjs'
import { longMenus } from './long_menus.mjs'

const SIZES = [60, 500, 2000]
const CHANGES = 10
const LOADS = 5
/** Lighthouse's phone. */
const SLOWER = 4
/** So long after hydration a page fetches what it does at rest, milliseconds. */
const REST = 4500
/** Neither hydration nor what comes at rest may hold a tap up for longer. */
const MOST_TASK_MS = 100

const space = mkdtempSync(path.join(tmpdir(), 'dastarkhan-bench-'))
const say = (text) => process.stderr.write(`bench: ${text}\n`)
const sorted = (values) => values.toSorted((a, b) => a - b)
const middle = (values) => sorted(values)[Math.floor(values.length / 2)]
const rows = []

/** From the change at the venue to the row of an open menu. */
async function changes(browser, product) {
  const table = await findTable(product)
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, table.qr)
  const dish = table.plain[0]
  const row = page.locator(`.dishes > .dish:has(a[href$="item=${dish.id}"])`).first()
  const times = []
  for (let turn = 0; turn < CHANGES; turn++) {
    const available = turn % 2 === 1
    const began = performance.now()
    await product.sandboxApi.set('stock', { filial_id: table.filial_id, product_id: dish.id, available })
    await untilTrue(async () => (await row.locator('button').count()) > 0 === available, 15_000)
    times.push(performance.now() - began)
  }
  await context.close()
  const [gone, back] = [0, 1].map((rest) => times.filter((_, turn) => turn % 2 === rest))
  rows.push(['A dish is sold out, until its row of an open menu says so', summary(gone)])
  rows.push(['It is back, until it can be added', summary(back)])
}

/** From what happens at a table to the open page of its bill. */
async function bills(browser, product) {
  const table = await findTable(product)
  const { sandboxApi } = product
  const { data } = await sandboxApi.set('bill/open', {
    filial_id: table.filial_id,
    table_id: table.table_id,
  })
  const bring = () =>
    sandboxApi.set('bill/add', { bill_id: data.id, product_id: table.plain[0].id, count: 1 })
  await bring()
  const address = table.qr.replace(`/filials/${table.filial_id}?`, `/filials/${table.filial_id}/bill?`)
  const [own, friend] = [await openPage(browser, product), await openPage(browser, product)]
  await openHydrated(own.page, address)
  const sums = () => own.page.locator('main').innerText()
  async function until(happens) {
    const before = await sums()
    const began = performance.now()
    await happens()
    await untilTrue(async () => (await sums()) !== before, 15_000)
    return performance.now() - began
  }
  const brought = []
  for (let turn = 0; turn < CHANGES; turn++) brought.push(await until(bring))
  const chosen = []
  for (let turn = 0; turn < CHANGES / 2; turn++) {
    await openHydrated(friend.page, `${address}&split=dishes`)
    const piece = friend.page.locator('.dishes .plus, .dishes input[type="checkbox"]').first()
    chosen.push(await until(() => piece.click()))
  }
  await own.context.close()
  await friend.context.close()
  await sandboxApi.set('bill/close', { bill_id: data.id })
  rows.push(['A waiter brings a dish, until the open bill has it', summary(brought)])
  rows.push(['A friend chooses a dish, until the open bill says so', summary(chosen)])
}

const summary = (times) =>
  `median ${Math.round(middle(times))} ms, longest ${Math.round(Math.max(...times))} ms`

/**
 * Notes when React owns the first dish's plus and when the last dish, the tasks in which the page could not answer a tap,
 * and what ran in them. It looks at each dish once: looking at all of them in each frame would be measured, too.
 */
function watchHydration() {
  const [tasks, scripts] = [[], []]
  const watches = [
    ['longtask', (entry) => tasks.push(entry)],
    ['long-animation-frame', (entry) => scripts.push(...entry.scripts)],
  ].map(([type, note]) => {
    const watch = new PerformanceObserver((list) => list.getEntries().forEach(note))
    watch.observe({ type, buffered: true })
    return () => watch.takeRecords().forEach(note)
  })
  window.__tasks = () => {
    for (const flush of watches) flush()
    return tasks.map(({ startTime, duration }) => ({
      duration,
      // Not the reading and the first layout of the document, which no script is part of.
      hydrates: scripts.some(
        (one) =>
          one.sourceURL.includes('/assets/') &&
          one.startTime < startTime + duration &&
          one.startTime + one.duration > startTime,
      ),
    }))
  }
  const isOwned = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'))
  const dishes = document.getElementsByClassName('dish')
  let alive = 0
  const look = () => {
    if (!window.__owned) {
      // At night some venues are closed: their dishes have a link alone.
      const button = document.querySelector('.dishes form button, .dishes .dish a')
      if (button && isOwned(button)) window.__owned = performance.now()
    } else {
      while (alive < dishes.length && isOwned(dishes[alive])) alive++
      if (alive === dishes.length && !window._early) window.__all = performance.now()
    }
    if (!window.__all) setTimeout(look, 5)
  }
  look()
}

async function takeOver(browser, web, address) {
  const loads = []
  for (let turn = 0; turn < LOADS; turn++) {
    const { page, context } = await openPage(browser, { web })
    const cdp = await context.newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await page.addInitScript(watchHydration)
    // Playwright's own way to ask has 50 ms of script to run first.
    const read = async (expression) =>
      (await cdp.send('Runtime.evaluate', { expression, returnByValue: true })).result.value
    await cdp.send('Page.navigate', { url: web + address })
    await untilTrue(() => read('window.__all > 0'))
    await pause(REST)
    const [owned, all, tasks] = await read('[window.__owned, window.__all, window.__tasks()]')
    const longest = (some) => Math.max(0, ...some.map(({ duration }) => duration))
    loads.push({
      all,
      owned,
      blocked: tasks.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
      hydration: longest(tasks.filter((one) => one.hydrates)),
      longest: longest(tasks),
    })
    await context.close()
  }
  return (name) => sorted(loads.map((one) => Math.round(one[name])))
}

/** Presses the first dish as soon as React owns it, or so much later, and notes how long its sheet took. */
function pressDish(later) {
  const isOwned = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'))
  const look = () => {
    const link = document.querySelector('.dishes .dish h3 a')
    if (!link || !isOwned(link) || window._early) return void setTimeout(look, 5)
    setTimeout(() => {
      const began = performance.now()
      link.click()
      const seen = () => {
        if (!document.querySelector('dialog[open]')) return void setTimeout(seen, 5)
        // Behind the frame that shows it.
        requestAnimationFrame(() => setTimeout(() => (window.__opened = performance.now() - began)))
      }
      seen()
    }, later)
  }
  look()
}

async function opens(browser, web, address, later) {
  const times = []
  for (let turn = 0; turn < LOADS; turn++) {
    const { page, context } = await openPage(browser, { web })
    const cdp = await context.newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await page.addInitScript(pressDish, later)
    await cdp.send('Page.navigate', { url: web + address })
    const read = async () =>
      (await cdp.send('Runtime.evaluate', { expression: 'window.__opened' })).result.value
    await untilTrue(read)
    times.push(await read())
    await context.close()
  }
  return Math.round(middle(times))
}

async function hydrations(browser, product) {
  const tables = (await product.sandboxApi.tables()).filter((one) => one.country === 'kz')
  const venues = [...new Set(tables.map((one) => one.filial_id))].slice(0, SIZES.length)
  const lengths = new Map(venues.map((id, at) => [String(id), SIZES[at]]))
  const front = await longMenus(product.sandbox, lengths)
  const server = await startServe(`http://127.0.0.1:${front.address().port}`, space, { LOG: 'warn' })
  for (const [at, size] of SIZES.entries()) {
    say(`a menu of ${size} products in the browser`)
    const of = await takeOver(browser, server.web, `/filials/${venues[at]}`)
    const usual = (name) => middle(of(name))
    rows.push([
      `Menu of ${size} products, processor ${SLOWER} × slower: first dish answers a tap / all of it`,
      `${usual('owned')} ms / ${usual('all')} ms after the address was opened, ${usual('blocked')} ms of long tasks beyond 50 ms each`,
    ])
    const longest = of('hydration')
    const isMet = middle(longest) <= MOST_TASK_MS
    rows.push([
      'The longest task of its scripts, until it rests',
      `${middle(longest)} ms, ${longest.at(-1)} in the worst of ${LOADS} (longest of all ${usual('longest')} ms); ${isMet ? '' : 'MISSED: '}budget: ${MOST_TASK_MS} ms`,
    ])
    rows.push([
      'A dish is pressed amid hydration / at rest, until its sheet is there',
      `${await opens(browser, server.web, `/filials/${venues[at]}`, 0)} ms / ${await opens(browser, server.web, `/filials/${venues[at]}`, 2 * REST)} ms`,
    ])
  }
  server.child.kill('SIGKILL')
  front.close()
}

const product = await startProduct()
const browser = await launch()
try {
  say('changes of an open menu')
  await changes(browser, product)
  say('changes of an open bill')
  await bills(browser, product)
  await hydrations(browser, product)
  console.log('\n| In Chromium | Result |\n| --- | --- |')
  for (const [what, result] of rows) console.log(`| ${what} | ${result} |`)
} finally {
  await browser.close()
  await product.stop()
  rmSync(space, { recursive: true, force: true })
}
