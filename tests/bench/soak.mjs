/**
 * Holds the page of a delivery open for two hours: the courier moves all the time, and every ten minutes the phone freezes
 * the page for one. Prints a Markdown table of what grows: connections to the server, the page's heap after a collection,
 * its nodes and listeners, the server's memory. Ends with 1 when a page holds more than one connection at rest, or when
 * the last quarter is above the second by more than a twentieth: in the first one caches fill.
 *
 * `SOAK_MINUTES` is how long, `DASTARKHAN_BINARY` names another binary.
 */
import { readFileSync } from 'node:fs'
import { buy, signIn } from '../browser/flows.mjs'
import { launch, openHydrated, openPage, pause, startProduct } from '../browser/harness.mjs'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 120)
const FREEZE_EVERY = 10
const ESTABLISHED = '01'
const PHONE = '+77010000777'

// The courier is on the way for hours.
const product = await startProduct({ env: { SANDBOX_SPEED: '0.01' } })
const browser = await launch()
const opened = await openPage(browser, product)
const { page, context, problems } = opened
await signIn(opened, { phone: PHONE })
const { id } = await buy(product, PHONE, 'delivery')
await product.sandboxApi.set('order/status', { order_id: id, status: 'delivery' })
await openHydrated(page, `/orders/${id}`)
const session = await context.newCDPSession(page)
await session.send('Performance.enable')

let events = 0
await session.send('Network.enable')
session.on('Network.eventSourceMessageReceived', () => {
  events += 1
})

const port = Number(new URL(product.web).port).toString(16).toUpperCase().padStart(4, '0')

/** Connections of the server's port, as the kernel counts them. */
function connections() {
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  return rows.filter((row) => {
    const [, local, , state] = row.trim().split(/\s+/)
    return local?.endsWith(`:${port}`) && state === ESTABLISHED
  }).length
}

const serverMemory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))[1]) / 1024

async function look(minute) {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name) => metrics.find((one) => one.name === name).value
  return {
    minute,
    connections: connections(),
    events,
    heap: of('JSHeapUsedSize') / 1024 / 1024,
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    server: serverMemory(),
  }
}

const rows = []
console.log('| minute | connections | events | heap MB | nodes | listeners | server MB |')
console.log('|---|---|---|---|---|---|---|')
for (let minute = 1; minute <= MINUTES; minute += 1) {
  if (minute % FREEZE_EVERY === 0) {
    await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    await pause(30_000)
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await pause(30_000)
  } else await pause(60_000)
  const row = await look(minute)
  rows.push(row)
  const cells = [row.minute, row.connections, row.events, row.heap.toFixed(2), row.nodes, row.listeners]
  console.log(`| ${[...cells, row.server.toFixed(0)].join(' | ')} |`)
}
const live = await page.locator('.courier').count()
await browser.close()
await product.stop()

const quarter = Math.max(1, Math.floor(rows.length / 4))
const mean = (part, name) => part.reduce((sum, row) => sum + row[name], 0) / part.length
const wrong = []
// Keep-alive connections of the page's first requests end within minutes.
const atRest = rows.slice(Math.min(5, rows.length - 1))
if (atRest.some((row) => row.connections > 1)) wrong.push('more than one connection')
for (const name of ['heap', 'nodes', 'listeners', 'server']) {
  const [before, last] = [mean(rows.slice(quarter, 2 * quarter), name), mean(rows.slice(-quarter), name)]
  if (last > before * 1.05) wrong.push(`${name}: ${before.toFixed(1)} before, ${last.toFixed(1)} at last`)
}
if (rows.length > 1 && rows.at(-1).events === rows[0].events) wrong.push('no events came')
if (live === 0) wrong.push('the courier is gone')
if (problems.length > 0) wrong.push(...problems)
console.log(wrong.length > 0 ? `\nwrong: ${wrong.join('; ')}` : '\nnothing grew')
process.exit(wrong.length > 0 ? 1 : 0)
