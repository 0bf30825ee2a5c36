/**
 * Lighthouse on Home, Filials, Menu and Details as guests get them: the release binary behind the proxy of
 * server/operation, by TLS and HTTP/2, on a phone with Lighthouse's own throttling. Prints the four scores of each page
 * as a Markdown table, beside them Lighthouse's own measure of this machine while it ran and the blocking time, as
 * Lighthouse counts it and by the processor's time alone, and every audit that cost a point; ends with 1 below the
 * targets. `DASTARKHAN_BINARY` names another binary, `LIGHTHOUSE_PAGES=menu,details` only some pages.
 */
import path from 'node:path'
import lighthouse from 'lighthouse'
import { ProcessedTrace } from 'lighthouse/core/computed/processed-trace.js'
import { chromium } from 'playwright-core'
import { freePorts, until, world } from '../operation/world.mjs'

const wanted = process.env.LIGHTHOUSE_PAGES?.split(',')
const TARGETS = { performance: 100, accessibility: 100, 'best-practices': 100, seo: 100 }
/** Simulated on a page that was loaded on this machine: the middle of so many runs. */
const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 5)

const here = world()
const say = (text) => process.stderr.write(`lighthouse: ${text}\n`)

/** The product with its sandbox behind its proxy: its origin, and the path of a venue with tables. */
async function startProduct() {
  const any = '127.0.0.1:0'
  const { web, admin, output } = await here.product(
    [
      ...['demo', '--listen', any, '--sandbox-listen', any, '--admin-listen', any],
      ...['--state-dir', path.join(here.folder, 'state')],
    ],
    { TRUSTED_PROXIES: '127.0.0.1' },
  )
  const table = await until(() => /^table (\S+)/m.exec(output()), 'it names a table')
  const front = await here.proxy([{ web, admin: admin.split(':').at(-1) }])
  front.begin()
  await until(() => front.isUp('one'), 'the product is ready')
  return { origin: front.origin, menu: new URL(table[1]).pathname }
}

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/**
 * Blocking time of all tasks of a page, in milliseconds, by the processor's time: Lighthouse counts by the clock, and four
 * times, also what a thread waits for a core or for the kernel.
 */
async function blockingByCpu(trace) {
  const { mainThreadEvents } = await ProcessedTrace.request(trace, { computedCache: new Map() })
  const tasks = mainThreadEvents.filter(({ ph, name }) => ph === 'X' && name === 'RunTask')
  return tasks.reduce((sum, { tdur }) => sum + Math.max(0, (4 * tdur) / 1000 - 50), 0)
}

async function measure(address, port) {
  const runs = []
  const byCpu = []
  // A busy machine can lose a trace: that run is made again.
  for (let turn = 0; runs.length < RUNS; turn++) {
    // Its defaults are the phone, simulated slow 4G and four times slower computing.
    const { lhr, artifacts } = await lighthouse(address, { port, output: 'json', logLevel: 'error' })
    if (!lhr.runtimeError) {
      runs.push(lhr)
      byCpu.push(await blockingByCpu(artifacts.Trace))
    } else if (turn > 2 * RUNS) throw new Error(`${address}: ${lhr.runtimeError.message}`)
  }
  const scores = {}
  for (const name of Object.keys(TARGETS)) {
    scores[name] = Math.round(middle(runs.map((run) => run.categories[name].score)) * 100)
  }
  const machine = Math.round(middle(runs.map((run) => run.environment.benchmarkIndex)))
  const blocking = middle(runs.map((run) => run.audits['total-blocking-time'].numericValue))
  const times = `${Math.round(blocking)} / ${Math.round(middle(byCpu))} ms`
  return { scores, machine, times, last: runs.at(-1) }
}

/** The audits that keep a category below 100. */
function costs({ categories, audits }, name) {
  return categories[name].auditRefs
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
    .map(({ id }) => {
      const { title, displayValue, score, details } = audits[id]
      const nodes = (details?.items ?? []).map((item) => item.node?.snippet).filter(Boolean)
      const value = displayValue ? ` (${displayValue})` : ''
      return `${name}: ${title}${value}, ${Math.round(score * 100)}${nodes.length > 0 ? `: ${nodes.slice(0, 3).join(' ')}` : ''}`
    })
}

async function main() {
  const { origin, menu } = await startProduct()
  const [port] = await freePorts(1)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    chromiumSandbox: false,
    args: [`--remote-debugging-port=${port}`, '--disable-gpu', '--ignore-certificate-errors'],
  })
  const pages = { home: '/', filials: '/filials', menu, details: `${menu}/details` }
  const names = Object.keys(TARGETS)
  console.log(
    `\n| Page | ${names.join(' | ')} | machine | blocking, by the clock / the processor |\n|---|${names.map(() => '---').join('|')}|---|---|`,
  )
  let below = 0
  const why = []
  try {
    for (const [page, address] of Object.entries(pages)) {
      if (wanted && !wanted.includes(page)) continue
      say(page)
      const { scores, machine, times, last } = await measure(origin + address, port)
      console.log(`| ${page} | ${names.map((name) => scores[name]).join(' | ')} | ${machine} | ${times} |`)
      for (const name of names) {
        if (scores[name] < TARGETS[name]) below++
        for (const cost of costs(last, name)) why.push(`- ${page}, ${cost}`)
      }
    }
  } finally {
    await browser.close()
  }
  if (why.length > 0) console.log(`\n${why.join('\n')}`)
  const targets = names.map((name) => `${name} ${TARGETS[name]}`).join(', ')
  console.log(`\nTargets: ${targets}; scores below: ${below}`)
  return below === 0
}

let fine = false
try {
  fine = await main()
} finally {
  await here.close()
}
process.exit(fine ? 0 : 1)
