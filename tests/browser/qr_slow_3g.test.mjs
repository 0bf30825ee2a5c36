/** A table's QR link on a slow phone: what the first bytes hold, and what becomes of taps before hydration. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import zlib from 'node:zlib'
import {
  addPlain,
  cartOf,
  holdScripts,
  hydrated,
  importSource,
  openPage,
  PATIENCE,
  pageData,
  pause,
  plainSpaces,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

/** 400 ms round trip, 400 kbit/s, a processor four times slower. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const FIRST_ROUND_TRIP = 14_600

setStage()

/** The answer to a request as it comes over the wire: head, then the body without its chunk frames. */
function overTheWire(address, limit) {
  const { hostname, port } = new URL(product.web)
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname)
    const parts = []
    socket.on('error', reject)
    socket.on('data', (part) => parts.push(part))
    socket.on('end', () => resolve(split(Buffer.concat(parts).subarray(0, limit))))
    socket.write(`GET ${address} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/html\r\n`)
    socket.write('Accept-Encoding: gzip, deflate, br\r\nConnection: close\r\n\r\n')
  })
}

function split(bytes) {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, end).toString('latin1')
  const body = bytes.subarray(end + 4)
  return { head, body: /transfer-encoding: chunked/i.test(head) ? dechunk(body) : body }
}

function dechunk(bytes) {
  const parts = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (end < 0 || !size) break
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(parts)
}

/** What a browser can read of a stream that was cut off. */
function decodeCut(body) {
  return zlib
    .brotliDecompressSync(body, { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH })
    .toString('utf8')
}

const visibleText = (html) => {
  const start = html.indexOf('<div id="app"')
  const end = html.indexOf('<script type="application/json"')
  const body = html.slice(start, end < 0 ? undefined : end)
  const words = body
    .replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<!--[\s\S]*?-->|<[^>]*>/g, '')
  return plainSpaces(
    words
      .replace(/&#x27;/g, "'")
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, '<')
      .replace(/&amp;/g, '&'),
  )
}

test('names and prices of the first five dishes come within the first 14,600 bytes', async () => {
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const { shell, page } = await pageData(product.web, table.qr)
  const { head, body } = await overTheWire(table.qr, FIRST_ROUND_TRIP)
  assert.match(head, /^HTTP\/1\.1 200 /)
  assert.match(head, /content-encoding: br/i)
  const text = visibleText(decodeCut(body))
  const first = page.data.categories.flatMap((one) => one.products).slice(0, 5)
  assert.equal(first.length, 5)
  let from = 0
  for (const dish of first) {
    const at = text.indexOf(plainSpaces(dish.name), from)
    assert.ok(at >= 0, `${dish.name} is not in the first ${FIRST_ROUND_TRIP} bytes: ${text.slice(0, 600)}`)
    const price = plainSpaces(formatMoney(dish.promo ?? dish.price, shell.money))
    assert.ok(text.indexOf(price, at) >= 0, `${price} of ${dish.name} is not there`)
    from = at
  }
})

async function slowPage() {
  const opened = await openPage(browser, product, { isMobile: true, hasTouch: true })
  const devtools = await opened.context.newCDPSession(opened.page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', SLOW_3G)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return { ...opened, devtools }
}

/** When things happened on the page's own clock, in milliseconds since the navigation began. */
async function timesOf(page, devtools, address) {
  const answers = new Map()
  const finished = []
  let began
  devtools.on('Network.requestWillBeSent', ({ timestamp }) => {
    began ??= timestamp
  })
  devtools.on('Network.responseReceived', ({ requestId, timestamp, response }) =>
    answers.set(requestId, { url: response.url, at: (timestamp - began) * 1000 }),
  )
  devtools.on('Network.loadingFinished', ({ requestId, timestamp }) => {
    const url = answers.get(requestId)?.url
    if (url && !url.startsWith('data:')) finished.push({ url, at: (timestamp - began) * 1000 })
  })
  await page.goto(address, { waitUntil: 'load' })
  const painted = await page.evaluate(
    () =>
      new Promise((resolve) =>
        new PerformanceObserver((list) => {
          for (const entry of list.getEntriesByName('first-contentful-paint')) resolve(entry.startTime)
        }).observe({ type: 'paint', buffered: true }),
      ),
  )
  const [document] = answers.values()
  return { painted, firstByte: document.at, before: finished.filter(({ at }) => at < painted) }
}

test('on slow 3G the first paint waits for one request only', async (t) => {
  let best
  // The machine that runs this is slow at times by itself: the best of three tells what the page needs.
  for (let turn = 0; turn < 3; turn++) {
    const { context, page, devtools, problems } = await slowPage()
    const times = await timesOf(page, devtools, table.qr)
    t.diagnostic(
      `first byte ${times.firstByte.toFixed(0)} ms, first contentful paint ${times.painted.toFixed(0)} ms`,
    )
    assert.deepEqual(problems, [])
    if (!best || times.painted - times.firstByte < best.painted - best.firstByte) best = times
    await context.close()
  }
  const others = best.before.map(({ url }) => url).filter((url) => url !== product.web + table.qr)
  assert.deepEqual(others, [], 'answered before the first paint')
  const wait = best.painted - best.firstByte
  assert.ok(wait <= SLOW_3G.latency + 200, `first paint ${wait.toFixed(0)} ms after the first byte`)
})

/** Ids of mutations as they left the page, from single posts and from the early queue. */
function watchMutations(page) {
  const ids = []
  page.on('request', (request) => {
    if (request.method() !== 'POST') return
    const fields = new URLSearchParams(request.postData() ?? '')
    if (fields.has('m')) ids.push(fields.get('m'))
    for (const one of JSON.parse(fields.get('queue') ?? '[]'))
      ids.push(new URLSearchParams(one.body).get('m'))
  })
  return ids
}

async function tapFiveTimes(page, dish) {
  await page.locator(`form:has(input[name="product"][value="${dish.id}"]) button`).first().waitFor()
  for (let tap = 0; tap < 5; tap++) {
    const before = page.url()
    await page.evaluate((id) => {
      const form = document.querySelector(`form:has(input[name="product"][value="${id}"])`)
      const buttons = [...form.querySelectorAll('button')]
      ;(buttons.find((one) => one.value !== '-1') ?? buttons[0]).click()
    }, dish.id)
    assert.equal(page.url(), before)
    await pause(100)
  }
}

async function exactlyFive(page, dish, ids) {
  await untilTrue(
    async () => (await cartOf(page).catch(() => null))?.count >= 5,
    PATIENCE,
    'five pieces in the cart',
  )
  await pause(1_500)
  const cart = await cartOf(page)
  assert.deepEqual(
    cart.lines.map((line) => [line.productId, line.qty]),
    [[dish.id, 5]],
  )
  assert.equal(new Set(ids).size, 5, `mutation ids: ${ids.join(', ')}`)
}

test('five taps while the bundle is held for ten seconds count as exactly five', async () => {
  const { context, page } = await slowPage()
  const release = await holdScripts(page)
  const ids = watchMutations(page)
  await page.goto(table.qr, { waitUntil: 'commit' })
  await pause(1_000)
  await tapFiveTimes(page, table.plain[0])
  await pause(9_000)
  release()
  await exactlyFive(page, table.plain[0], ids)
  await context.close()
})

test('five taps shortly before hydration are replayed, each once, without leaving the page', async () => {
  const { context, page, problems } = await openPage(browser, product)
  const release = await holdScripts(page)
  const ids = watchMutations(page)
  await page.goto(table.qr, { waitUntil: 'commit' })
  await tapFiveTimes(page, table.plain[1])
  await page.evaluate(() => {
    window.samePage = true
  })
  release()
  await hydrated(page)
  await exactlyFive(page, table.plain[1], ids)
  assert.equal(await page.evaluate(() => window.samePage), true)
  assert.deepEqual(problems, [])
  await context.close()
})

test('taps after hydration add to those before it', async () => {
  const { context, page } = await openPage(browser, product)
  const release = await holdScripts(page)
  const ids = watchMutations(page)
  await page.goto(table.qr, { waitUntil: 'commit' })
  await tapFiveTimes(page, table.plain[2])
  release()
  await hydrated(page)
  await exactlyFive(page, table.plain[2], ids)
  await addPlain(page, table.plain[2])
  await untilTrue(async () => (await cartOf(page)).count === 6)
  await context.close()
})
