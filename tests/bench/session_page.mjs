/**
 * What a page with a session costs: a menu of 60 dishes for a guest with a cart, on one pinned core (isolate, workers
 * and all), beside a plain Node server that renders the same page by the same components with `renderToString` each
 * time, in the same run. Ours takes from its isolate what is the same for every guest: all rows but the two of the cart.
 * Upstream and load are on another core, the catalogue is cached as in production. Prints a Markdown table.
 *
 * CPU is the process's own time over the answers that it gave. Four connections, so that nothing is shed; an answer
 * that is no rendered page fails the run.
 *
 * `DASTARKHAN_BINARY` names another binary, `BENCH_SECONDS` how long a turn takes, `BENCH_ROUNDS` how many there are.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { fillCart, guest } from './guest.mjs'
import { get, load, metrics, middle, SERVER_CORE, start, text, used } from './machine.mjs'
import { openWorld } from './world.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const DISHES = Number(process.env.BENCH_DISHES ?? 60)
/** What is asked for: nothing, what every browser sends, what Chrome and Firefox send. */
const ENCODINGS = process.env.BENCH_ONLY_ENCODING
  ? [process.env.BENCH_ONLY_ENCODING]
  : ['identity', 'gzip, deflate, br', 'gzip, deflate, br, zstd']

/** A turn of load: pages a second, processor milliseconds and bytes of each. */
async function turn({ url, pid, cookie }, encoding, rendered) {
  const headers = { 'Accept-Encoding': encoding, Cookie: cookie }
  await load(url, headers, { connections: 4, seconds: 1 })
  const before = { used: used(pid), rendered: await rendered() }
  const { count } = await load(url, headers, { connections: 4, seconds })
  const cpu = ((used(pid) - before.used) * 1000) / count
  const pages = (await rendered()) - before.rendered
  // What was under way at the end is counted by the server alone.
  if (pages < count || pages > count + 8) throw new Error(`${count} answers, ${pages} rendered pages`)
  return { rate: count / seconds, cpu }
}

const unpack = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }

/** The bytes that are sent, and the text in them. */
async function sent({ url, cookie }, encoding) {
  const { body, encoding: name } = await get(url, { 'accept-encoding': encoding, cookie })
  return { bytes: body.length, name, text: String(name ? unpack[name](body) : body) }
}

async function renderedPages(admin) {
  const of = await metrics(admin)
  if (of('sections_lost_total')) throw new Error('a page has lost a section')
  return of('pages_total', 'mode="ssr"')
}

async function main() {
  const { space, web, venueOf, serve, say } = await openWorld({ sizes: [DISHES], named: 'session page' })
  const server = await serve(SERVER_CORE, ['--isolates', '1', '--catalogue-fresh-ms', '600000'])
  const page = venueOf(DISHES)
  const { ask, cookie } = guest(server.web)
  await fillCart({ ask }, page)
  const ours = { url: server.web + page, pid: server.pid, cookie: cookie() }

  const data = await (await ask(`/_data${page}`, { headers: { accept: 'application/json' } })).text()
  const document = (await sent(ours, 'identity')).text
  if (!document.includes('<h1')) throw new Error('the page came without its HTML')
  if (JSON.parse(data).shell.cart?.count !== 2) throw new Error('the guest has no cart')
  const file = path.join(space, 'page.json')
  writeFileSync(file, JSON.stringify({ url: page, data, document }))
  const plain = path.join(here, 'plain_node.mjs')
  const node = await start(
    SERVER_CORE,
    process.execPath,
    [plain, path.join(web, 'server.js'), file],
    ['web'],
    { NODE_ENV: 'production' },
  )
  const theirs = { url: node.web, pid: node.pid, cookie: '' }
  const count = async () => Number(await text(`${node.web}/count`))

  if (!(await metrics(server.admin))('fragments_reused_total'))
    throw new Error('nothing was taken from the pages before')

  const rows = []
  for (const encoding of ENCODINGS) {
    const size = await sent(ours, encoding)
    const other = await sent(theirs, encoding)
    const results = { ours: [], theirs: [] }
    for (let round = 0; round < rounds; round++) {
      say(`${encoding}, round ${round + 1} of ${rounds}`)
      results.ours.push(await turn(ours, encoding, () => renderedPages(server.admin)))
      await pause(200)
      results.theirs.push(await turn(theirs, encoding, count))
      await pause(200)
    }
    const of = (who, what) => middle(results[who].map((one) => one[what]))
    rows.push([
      `\`${encoding}\``,
      `${of('ours', 'rate').toFixed(0)}/s`,
      `${of('ours', 'cpu').toFixed(2)} ms`,
      `${(size.bytes / 1000).toFixed(1)} KB ${size.name}`,
      `${of('theirs', 'rate').toFixed(0)}/s`,
      `${of('theirs', 'cpu').toFixed(2)} ms`,
      `${(other.bytes / 1000).toFixed(1)} KB ${other.name}`,
      `${middle(results.ours.map((one, at) => one.rate / results.theirs[at].rate)).toFixed(2)} ×`,
    ])
  }
  const titles = [
    'Asked for',
    'Rate',
    'CPU a page',
    'Sent',
    'Plain Node',
    'CPU a page',
    'Sent',
    'Rate against it',
  ]
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, menu of ${DISHES} dishes, session and cart, one core, middle of ${rounds} rounds of ${seconds} s\n`,
  )
  for (const cells of [titles, titles.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`)
}

await main()
process.exit(0)
