/**
 * `make bench`: measures the release binary on this machine and prints a Markdown table.
 *
 * The sandbox upstream runs in a process of its own; in front of it stands a small relay that makes menus of any
 * length. Load comes from wrk over loopback, so it shares the cores with the server, as any load here would.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { longMenus } from './long_menus.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const binary = process.env.DASTARKHAN_BINARY ?? path.join(root, 'target/release/dastarkhan')
const seconds = Number(process.env.BENCH_SECONDS ?? 8)
/** `memory`: the row about resident memory alone. */
const only = process.env.BENCH_ONLY
const connections = 16
const SIZES = [10, 60, 200, 500, 1000, 2000]
const PAGE = 60
const space = mkdtempSync(path.join(tmpdir(), 'dastarkhan-bench-'))
const children = new Set()
const rows = []

const say = (text) => process.stderr.write(`bench: ${text}\n`)
const row = (what, result, note = '') => rows.push([what, result, note])
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const ms = (value) => (value >= 100 ? `${value.toFixed(0)} ms` : `${value.toFixed(2)} ms`)

/** Starts a command and waits for the addresses that it says it listens on. */
async function start(args, wanted, env = {}) {
  const began = performance.now()
  const child = spawn(binary, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LOG: 'warn', ADDRESS_SESSIONS_PER_MINUTE: '100000', ...env },
  })
  children.add(child)
  const found = {}
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}: ${said}`)))
    child.stdout.on('data', (text) => {
      for (const [, name, url] of String(text).matchAll(/listening (\w+) (http:\S+)/g)) found[name] = url
      if (wanted.every((name) => found[name])) resolve()
    })
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    children.delete(child)
  }
  return { ...found, pid: child.pid, began, stop }
}

const serve = (upstream, state, extra = []) =>
  start(
    [
      'serve',
      '--listen',
      '127.0.0.1:0',
      '--admin-listen',
      '127.0.0.1:0',
      '--state-dir',
      state,
      '--upstream-url',
      upstream,
      ...extra,
    ],
    ['web', 'admin'],
  )

/** Runs a command to its end; the relay goes on answering meanwhile. */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const parts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (part) => {
        parts[name] += part
      })
    }
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(parts.stdout)
      else
        reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${parts.stderr || parts.stdout}`))
    })
  })
}

/** wrk's rate and latencies. */
async function load(url, headers = {}, options = {}) {
  const args = [
    '-t',
    '1',
    '-c',
    String(options.connections ?? connections),
    '-d',
    `${options.seconds ?? seconds}s`,
  ]
  const named = Object.entries({ 'Accept-Encoding': 'br', Accept: 'text/html', ...headers })
  for (const [name, value] of named) args.push('-H', `${name}: ${value}`)
  const said = await run('wrk', [...args, '--latency', url])
  const latency = (percent) => {
    const match = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s)\\b`).exec(said)
    return Number(match[1]) * { us: 0.001, ms: 1, s: 1000 }[match[2]]
  }
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(said)
  if (failed) throw new Error(`${url}: ${failed[1]} answers were errors`)
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(said)[1]),
    p50: latency(50),
    p99: latency(99),
  }
}

const rated = ({ rate, p50, p99 }) =>
  `${rate >= 100 ? rate.toFixed(0) : rate.toFixed(1)}/s, p50 ${ms(p50)}, p99 ${ms(p99)}`

async function metric(admin, name) {
  const said = await text(`${admin}/metrics`)
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+]+)$`, 'm').exec(said)?.[1] ?? Number.NaN)
}

/** Milliseconds that one render takes inside the engine, over what `work` does. */
async function renderTime(admin, work) {
  const read = async () => [
    await metric(admin, 'ssr_render_microseconds_total'),
    await metric(admin, 'ssr_renders_total'),
  ]
  const before = await read()
  const result = await work()
  const after = await read()
  return {
    result,
    renders: after[1] - before[1],
    time: (after[0] - before[0]) / (after[1] - before[1]) / 1000,
  }
}

/** The same server bundle looped in this Node, in a process of its own. */
async function loopInNode(web, data, url, ...how) {
  const file = path.join(space, 'data.json')
  writeFileSync(file, JSON.stringify({ url, json: data }))
  const loop = path.join(root, 'tests/bench/loop.mjs')
  return JSON.parse(
    await run(process.execPath, [loop, path.join(web, 'server.js'), file, String(seconds), ...how]),
  )
}

const resident = (pid) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/** One request on a connection of its own: what a pool keeps open, a busy server may have closed. */
function ask(url, headers = {}) {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers, agent: false }, (answer) => {
        const parts = []
        answer.on('data', (part) => parts.push(part))
        answer.on('end', () => {
          const body = Buffer.concat(parts)
          if (answer.statusCode === 200) resolve(body)
          else reject(new Error(`${url}: ${answer.statusCode} ${body.subarray(0, 300)}`))
        })
        answer.on('error', reject)
      })
      .on('error', reject)
  })
}

const text = async (url, accept = 'text/html') => (await ask(url, { accept })).toString('utf8')

async function main() {
  say('bundling')
  const web = path.join(space, 'web')
  await run(process.execPath, ['components/build/build.mjs', '--out', web])

  const sandbox = await start(
    ['sandbox', '--sandbox-listen', '127.0.0.1:0', '--state-dir', path.join(space, 'sandbox')],
    ['sandbox'],
  )
  const tables = JSON.parse(await text(`${sandbox.sandbox}/_sandbox/api/tables`))
  const venues = [...new Set(tables.filter((one) => one.country === 'kz').map((one) => one.filial_id))]
  const lengths = new Map(SIZES.map((size, at) => [String(venues[at]), size]))
  const front = await longMenus(sandbox.sandbox, lengths)
  const upstream = `http://127.0.0.1:${front.address().port}`
  const venueOf = (size) => `/filials/${venues[SIZES.indexOf(size)]}`
  const page = venueOf(PAGE)
  const state = path.join(space, 'state')
  // The pages stay uncached, the catalogue cached: what is measured is the server, not the sandbox.
  const uncached = ['--page-fresh-ms', '0', '--catalogue-fresh-ms', '600000']

  say('one isolate, then two')
  const byIsolates = {}
  let sizes
  for (const isolates of only === 'memory' ? [2] : [1, 2]) {
    const server = await serve(upstream, state, [...uncached, '--isolates', String(isolates)])
    const html = await text(server.web + page)
    if (!html.includes('<h1')) throw new Error('the page came without its HTML')
    await load(server.web + page, {}, { seconds: 3 })
    byIsolates[isolates] = await renderTime(server.admin, async () => load(server.web + page))
    row(
      `Menu page of ${PAGE} products, rendered per request, ${isolates} isolate${isolates > 1 ? 's' : ''}, brotli`,
      rated(byIsolates[isolates].result),
      `${byIsolates[isolates].time.toFixed(2)} ms in the engine per render`,
    )
    if (isolates === 1) {
      say('the same bundle looped in Node')
      const data = await text(`${server.web}/_data${page}`, 'application/json')
      const alone = await renderTime(server.admin, async () =>
        load(server.web + page, {}, { connections: 1 }),
      )
      const bare = await loopInNode(web, data, page, 'bare')
      const node = await loopInNode(web, data, page)
      const engine = await engineAlone(web, data, page)
      row('Snapshot with the app evaluated and warmed', engine.size, `made in ${ms(engine.made)}`)
      row(
        'Isolate from the snapshot: ready / its first page',
        `${ms(engine.ready)} / ${ms(engine.first)}`,
        'warmed before it serves',
      )
      row('The same without warming', `${ms(engine.cold)} / ${ms(engine.coldFirst)}`)
      row('The engine without HTTP, one isolate', `${engine.rate} renders/s`, `heap ${engine.heap}`)
      row('One connection through HTTP', rated(alone.result), `${ms(alone.time)} in the engine per render`)
      row('The render alone in the engine, median', ms(engine.median), `p99 ${ms(engine.p99)}`)
      row(
        `The same bundle looped in Node ${process.versions.node}, median`,
        ms(node.p50),
        `p99 ${ms(node.p99)}, ${(1000 / node.time).toFixed(0)} renders/s`,
      )
      row('The same without fragments, median', ms(bare.p50), `p99 ${ms(bare.p99)}`)
      row(
        'Engine against that, time per render',
        `${(engine.median / bare.p50).toFixed(2)} ×`,
        'budget: at most 0.3 ×',
      )
      say('ten to two thousand products')
      sizes = []
      for (const size of SIZES) {
        await text(server.web + venueOf(size))
        const one = await renderTime(server.admin, async () =>
          load(server.web + venueOf(size), {}, { connections: 1, seconds: Math.min(seconds, 4) }),
        )
        sizes.push([size, one])
      }
    } else {
      say('memory after ten thousand renders')
      const enough = Math.max(0, 10_000 - (await metric(server.admin, 'ssr_renders_total')))
      const rate = byIsolates[2].result.rate
      if (enough > 0) await load(server.web + page, {}, { seconds: Math.ceil(enough / rate) + 1 })
      const renders = await metric(server.admin, 'ssr_renders_total')
      row(
        `Resident memory, two isolates, after ${renders} renders`,
        `${resident(server.pid).toFixed(0)} MB`,
        'budget: 200 MB',
      )
    }
    await server.stop()
  }
  if (only === 'memory') {
    front.close()
    await sandbox.stop()
    return
  }
  for (const [size, one] of sizes) {
    row(
      `Render of a menu of ${size} products`,
      ms(one.time),
      `${((one.time / size) * 1000).toFixed(1)} µs a product; ${rated(one.result)} through HTTP`,
    )
  }

  say('page cache against a static file')
  const cached = await serve(upstream, state, ['--page-fresh-ms', '600000', '--catalogue-fresh-ms', '600000'])
  await text(cached.web + page)
  await pause(1_000)
  const { length } = await ask(cached.web + page, { accept: 'text/html', 'accept-encoding': 'br' })
  await cached.stop()
  const withFile = path.join(space, 'web-file')
  cpSync(web, withFile, { recursive: true })
  writeFileSync(path.join(withFile, 'public/static/bench.bin'), randomBytes(length))
  const server = await serve(upstream, state, [
    '--page-fresh-ms',
    '600000',
    '--catalogue-fresh-ms',
    '600000',
    '--web-dir',
    withFile,
  ])
  await text(server.web + page)
  await pause(1_000)
  const rendersBefore = await metric(server.admin, 'ssr_renders_total')
  const hit = await load(server.web + page)
  const rendered = (await metric(server.admin, 'ssr_renders_total')) - rendersBefore
  const file = await load(`${server.web}/static/bench.bin`, { 'Accept-Encoding': 'identity' })
  await server.stop()
  row(`Page-cache hit, ${length} bytes of brotli`, rated(hit), `${rendered} renders meanwhile`)
  row('Static file of the same size, same server', rated(file))
  row(
    'Page cache against static file, rate',
    `${(hit.rate / file.rate).toFixed(2)} ×`,
    'budget: at least 0.8 ×',
  )

  say('start')
  row(
    'Start to first rendered page, snapshot there',
    ms(await firstPage(upstream, state, page)),
    'budget: 300 ms; median of 5',
  )
  row('The very first start, which makes the snapshot', ms(await firstPage(upstream, null, page)))
  front.close()
  await sandbox.stop()
}

/** Milliseconds from starting the process to the end of its first page; the median of five. */
async function firstPage(upstream, state, page) {
  const times = []
  for (let turn = 0; turn < 5; turn++) {
    const server = await serve(upstream, state ?? path.join(space, `fresh-${turn}`))
    await text(server.web + page)
    times.push(performance.now() - server.began)
    await server.stop()
  }
  return times.sort((a, b) => a - b)[2]
}

/** What the engine's own benchmark says: snapshot, start of an isolate, renders without HTTP around them. */
async function engineAlone(web, data, url) {
  const file = path.join(space, 'engine.json')
  writeFileSync(file, data)
  const example = ['run', '--release', '--locked', '--quiet', '-p', 'ssr', '--example', 'bench', '--']
  const said = await run('cargo', [...example, path.join(web, 'server.js'), url, file, '4000'])
  const found = (pattern) => said.match(pattern)?.slice(1) ?? []
  const [size, made] = found(/snapshot: (.+) in (\S+)/)
  const [ready, first] = found(/warmed true: ready in ([^,]+), first page (\S+)/)
  const [cold, coldFirst] = found(/warmed false: ready in ([^,]+), first page (\S+)/)
  const [median, p99] = found(/median ([^,]+), p99 (\S+)/)
  const [rate, heap] = found(/at a time: (\d+) renders per second, heap (.+)/)
  const times = { made, ready, first, cold, coldFirst, median, p99 }
  for (const [name, time] of Object.entries(times)) times[name] = milliseconds(time)
  return { ...times, size, rate, heap }
}

/** Rust's `1.23ms` or `456.7µs` in milliseconds. */
function milliseconds(duration) {
  const [, value, unit] = /^([\d.]+)(µs|ms|s)$/.exec(duration)
  return Number(value) * { µs: 0.001, ms: 1, s: 1000 }[unit]
}

function print() {
  const { model } = cpus()[0]
  const pad = (text, width) => text + ' '.repeat(Math.max(0, width - [...text].length))
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((one) => [...one[at]].length), 6))
  const line = (cells) => `| ${cells.map((cell, at) => pad(cell, widths[at])).join(' | ')} |`
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${model}, ${connections} connections, ${seconds} s each\n`,
  )
  console.log(line(['What', 'Result', 'Note']))
  console.log(line(widths.map((width) => '-'.repeat(width))))
  for (const one of rows) console.log(line(one))
}

try {
  await main()
  print()
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(space, { recursive: true, force: true })
}
process.exit(0)
