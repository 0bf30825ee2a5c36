/**
 * How long guests wait for a menu while slow clients are held (S-19): alone, beside slow bodies and beside slow readers, in
 * turn, several rounds, so that a machine that is busy otherwise is so for all three. Prints a Markdown table.
 *
 * `DASTARKHAN_BINARY` names another binary, `SLOW_CLIENTS` how many there are, `BENCH_SECONDS` how long a turn takes and
 * `BENCH_ROUNDS` how many there are. The slow ones are a process of their own: they share the cores, not the clock.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const binary = process.env.DASTARKHAN_BINARY ?? path.join(here, '../../target/release/dastarkhan')
const slow = Number(process.env.SLOW_CLIENTS ?? 1000)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
/** Guests who look at menus at the same time, and how long each rests before the next. */
const GUESTS = 4
const REST = 25
const MENU = '/filials/1013'
const TABLE = `${MENU}?filial_id=1013&table_id=t7&main_terminal_id=1010`

const space = mkdtempSync(path.join(tmpdir(), 'dastarkhan-slow-'))
const say = (text) => process.stderr.write(`slow clients: ${text}\n`)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function startProduct() {
  const any = '127.0.0.1:0'
  const args = ['demo', '--listen', any, '--sandbox-listen', any, '--admin-listen', any, '--state-dir', space]
  const child = spawn(binary, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, LOG: 'error' },
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const found = {}
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, url] = /^listening (\w+) (\S+)/.exec(line) ?? []
    if (name) found[name] = url
    if (found.web) break
  }
  return { child, ...found }
}

/** One answer, read whole: its cookie and how long it took. */
function ask(web, address, cookie, agent) {
  const headers = { accept: 'text/html', 'accept-encoding': 'br', ...(cookie && { cookie }) }
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.get(web + address, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${address}: ${response.statusCode}`))
      response.resume().once('end', () => {
        const set = response.headers['set-cookie']?.find((one) => one.startsWith('dk='))
        resolve({ cookie: set?.split(';')[0], took: performance.now() - began })
      })
    })
    request.once('error', reject)
  })
}

/** The waits of all guests for `seconds`. */
async function guests(web, cookie) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: GUESTS })
  const end = performance.now() + seconds * 1000
  const waits = []
  const look = async () => {
    while (performance.now() < end) {
      waits.push((await ask(web, MENU, cookie, agent)).took)
      await pause(REST)
    }
  }
  await Promise.all(Array.from({ length: GUESTS }, look))
  agent.destroy()
  return waits
}

/** Slow clients, once all of them are there; `held` is how many there were at least since. */
async function hold(web, kind) {
  const address = kind === 'body' ? '/csp-report' : MENU
  const args = [path.join(here, 'slow_clients.py'), kind, new URL(web).port, String(slow), address]
  const child = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const stop = () => {
    process.off('exit', kill)
    kill()
  }
  const clients = { held: 0, stop }
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the slow clients ended')))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (Number(line) === slow && clients.held === 0) {
        clients.held = slow
        resolve()
      }
      clients.held = Math.min(clients.held, Number(line))
    })
  })
  return clients
}

const at = (waits, part) => waits.toSorted((a, b) => a - b)[Math.floor((waits.length - 1) * part)]
const ms = (value) => `${value.toFixed(2)} ms`

const { child, web } = await startProduct()
/** Descriptors that the server has open: its sockets, above all. */
const open = () => readdirSync(`/proc/${child.pid}/fd`).length
const { cookie } = await ask(web, TABLE)
const KINDS = [
  ['a stranger, from the page cache', undefined],
  ['a guest at a table, rendered', cookie],
]
const BESIDE = ['', 'body', 'reader']
const waits = new Map()
const held = new Map()
await guests(web, cookie)
const usual = open()
for (let round = 1; round <= rounds; round++) {
  for (const kind of BESIDE) {
    const clients = kind && (await hold(web, kind))
    for (const [who, named] of KINDS) {
      const name = `${who}|${kind}`
      waits.set(name, [...(waits.get(name) ?? []), ...(await guests(web, named))])
    }
    if (clients) {
      held.set(kind, Math.min(held.get(kind) ?? slow, clients.held))
      say(`round ${round}, ${kind}: at least ${clients.held} held, ${open()} descriptors of the server`)
      clients.stop()
    }
    // Those that are gone are noticed before the next turn.
    while (kind && open() > usual + 2 * GUESTS) await pause(200)
  }
}
child.kill('SIGKILL')
rmSync(space, { recursive: true, force: true })

const BESIDES = { '': 'nobody', body: 'slow bodies', reader: 'slow readers' }
console.log('| Menu of 60 products for | Beside | Answers | p50 | p95 | p95 against alone |')
console.log('|---|---|---|---|---|---|')
for (const [who] of KINDS) {
  const alone = at(waits.get(`${who}|`), 0.95)
  for (const kind of BESIDE) {
    const all = waits.get(`${who}|${kind}`)
    const beside = kind ? `${held.get(kind)} ${BESIDES[kind]}` : BESIDES[kind]
    const p95 = at(all, 0.95)
    console.log(
      `| ${who} | ${beside} | ${all.length} | ${ms(at(all, 0.5))} | ${ms(p95)} | ${(p95 / alone).toFixed(2)} × |`,
    )
  }
}
process.exit(0)
