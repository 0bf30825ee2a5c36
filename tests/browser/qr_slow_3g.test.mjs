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
  putOff,
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

/** The first HTML of a bill, as it is sent. */
const MOST_OF_A_BILL = 10 * 1024

/** A new bill of the table with ten lines, and the address of its page. */
async function openBill() {
  const { sandboxApi } = product
  const place = { filial_id: table.filial_id, table_id: table.table_id }
  const { data: old } = await sandboxApi.set('bill/open', place)
  await sandboxApi.set('bill/close', { bill_id: old.id })
  const { data: bill } = await sandboxApi.set('bill/open', place)
  for (let at = 0; at < 10; at++) {
    const { id: product_id } = table.plain[at % table.plain.length]
    await sandboxApi.set('bill/add', { bill_id: bill.id, product_id, count: 1 + (at % 3) })
  }
  return table.qr.replace('?', '/bill?')
}

test('what is to be paid of a bill comes with the first HTML, which is at most 10 KB', async (t) => {
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const address = await openBill()
  for (const lang of ['kk', 'ru', 'en']) {
    const there = `${address}&lang=${lang}`
    const { page } = await pageData(product.web, there)
    const { total, left, lines, money } = page.data
    const { head, body } = await overTheWire(there)
    assert.match(head, /^HTTP\/1\.1 200 /)
    assert.match(head, /content-encoding: br/i)
    t.diagnostic(`${lang}: ${body.length} bytes of HTML`)
    assert.ok(body.length <= MOST_OF_A_BILL, `${lang}: ${body.length}`)
    const text = visibleText(decodeCut(body))
    assert.ok(total > 0 && left === total)
    for (const words of [formatMoney(total, money), ...lines.map(({ name }) => name)])
      assert.ok(text.includes(plainSpaces(words)), `${words} is not in ${text}`)
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

async function paintsAtOnce(t, address, says) {
  const { context, page, problems } = await slowPage()
  const held = Promise.withResolvers()
  await page.route('**', async (route) => {
    if (!route.request().isNavigationRequest()) await held.promise
    await route.continue().catch(() => {})
  })
  await page.goto(address, { waitUntil: 'commit' })
  const painted = () =>
    page.evaluate(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      return paint && paint.startTime - performance.getEntriesByType('navigation')[0].responseStart
    })
  await untilTrue(painted, PATIENCE, 'the first paint')
  t.diagnostic(`first contentful paint ${(await painted()).toFixed(0)} ms after the first byte`)
  // Everything else is held: what is seen is of the document.
  if (says) await page.getByText(says).first().waitFor()
  held.resolve()
  await page.waitForLoadState()
  assert.deepEqual(problems, [])
  await context.close()
}

test('on slow 3G the first paint waits for one request only', (t) => paintsAtOnce(t, table.qr))

test('on slow 3G the first paint of a bill waits for one request only, with what is to be paid', async (t) => {
  const { formatMoney } = await importSource('components/lib/format/format.ts')
  const address = await openBill()
  const { page } = await pageData(product.web, address)
  await paintsAtOnce(t, address, formatMoney(page.data.left, page.data.money))
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

/** At once: on a slow machine a form with the first taps would take the page away from the others. */
async function tapFiveTimes(page, dish) {
  const form = page.locator(`form:has(input[name="product"][value="${dish.id}"])`).first()
  await form.locator('button').first().waitFor()
  const before = page.url()
  await form.evaluate((element) => {
    const buttons = [...element.querySelectorAll('button')]
    const button = buttons.find((one) => one.value !== '-1') ?? buttons[0]
    for (let tap = 0; tap < 5; tap++) button.click()
  })
  assert.equal(page.url(), before)
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
  // How long taps wait for the app before they go as a form.
  await putOff(page, [2000])
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

test('taps while React takes over piece by piece count once each', async () => {
  const { context, page, problems } = await openPage(browser, product)
  await putOff(page, [2000])
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  const dish = table.plain[1]
  await page.addInitScript((id) => {
    window.taps = { before: 0, after: 0 }
    const tap = () => {
      const buttons = [...document.querySelectorAll('.dishes .dish')]
        .find((one) => one.querySelector(`a[href$="item=${id}"]`))
        ?.querySelectorAll('form button')
      const plus = buttons && [...buttons].at(-1)
      if (plus) {
        window.taps[window._early ? 'before' : 'after']++
        plus.click()
      }
      if (window.taps.after < 2) setTimeout(tap, 15)
    }
    tap()
  }, dish.id)
  await page.goto(table.qr, { waitUntil: 'commit' })
  await untilTrue(() => page.evaluate(() => window.taps.after === 2))
  const { before, after } = await page.evaluate(() => window.taps)
  assert.ok(before > 0, 'some came before it')
  const all = before + after
  await untilTrue(async () => (await cartOf(page)).count >= all, PATIENCE, `${all} pieces in the cart`)
  await pause(1_500)
  assert.equal((await cartOf(page)).count, all)
  assert.deepEqual(problems, [])
  await context.close()
})

test('taps after hydration add to those before it', async () => {
  const { context, page } = await openPage(browser, product)
  await putOff(page, [2000])
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
