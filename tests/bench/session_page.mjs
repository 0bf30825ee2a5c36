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
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { longMenus } from './long_menus.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.resolve(here, '../..')
const binary = process.env.DASTARKHAN_BINARY ?? path.join(root, 'target/release/dastarkhan')
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const DISHES = Number(process.env.BENCH_DISHES ?? 60)
const [SERVER_CORE, LOAD_CORE] = ['0', '1']
/** What is asked for: nothing, what every browser sends, what Chrome and Firefox send. */
const ENCODINGS = process.env.BENCH_ONLY_ENCODING
  ? [process.env.BENCH_ONLY_ENCODING]
  : ['identity', 'gzip, deflate, br', 'gzip, deflate, br, zstd']

const space = mkdtempSync(path.join(tmpdir(), 'dastarkhan-session-'))
const children = []
const say = (text) => process.stderr.write(`session page: ${text}\n`)
const pause = promisify(setTimeout)
const ticks = Number(execFileSync('getconf', ['CLK_TCK']))

/** Starts a command on a core and waits for the addresses that it says. */
async function start(core, command, args, wanted, env = {}) {
  const child = spawn('taskset', ['-c', core, command, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOG: 'error', ADDRESS_SESSIONS_PER_MINUTE: '100000', ...env },
  })
  children.push(child)
  const found = {}
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)))
    child.stdout.on('data', (text) => {
      for (const [, name, url] of String(text).matchAll(/listening (\w+) (http:\S+)/g)) found[name] = url
      if (wanted.every((name) => found[name])) resolve()
    })
  })
  return { ...found, pid: child.pid, stop: () => child.kill('SIGKILL') }
}

/** Seconds of processor that a process has used, all of its threads. */
function used(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

/** One guest: the cookies that came so far go with every request. */
function guest(web) {
  const cookies = new Map()
  const cookie = () => [...cookies].map((pair) => pair.join('=')).join('; ')
  async function ask(address, options = {}) {
    const answer = await fetch(web + address, {
      redirect: 'manual',
      ...options,
      headers: { accept: 'text/html', cookie: cookie(), origin: web, ...options.headers },
    })
    for (const set of answer.headers.getSetCookie()) {
      const [name, ...value] = set.split(';')[0].split('=')
      cookies.set(name, value.join('='))
    }
    return answer
  }
  return { ask, cookie }
}

/** Puts two dishes without choices into the cart, as the forms of the page do. */
async function fillCart({ ask }, page) {
  const html = await (await ask(page)).text()
  const forms = [...html.matchAll(/<form[^>]*action="(\/cart\/lines)"[^>]*>(.*?)<\/form>/g)].slice(0, 2)
  if (forms.length < 2) throw new Error('the menu has no two dishes without choices')
  for (const [, action, inner] of forms) {
    const fields = [...inner.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const body = new URLSearchParams([...fields.map(([, name, value]) => [name, value]), ['delta', '1']])
    let answer = await ask(action, { method: 'POST', body })
    // Past the page that looks whether the browser keeps cookies.
    for (let leaps = 0; answer.status === 303 && leaps < 3; leaps++)
      answer = await ask(answer.headers.get('location'))
    if (answer.status !== 200) throw new Error(`${action}: ${answer.status}`)
  }
}

/** A turn of load: pages a second, processor milliseconds and bytes of each. */
async function turn({ url, pid, cookie }, encoding, rendered) {
  const headers = ['-H', `Accept-Encoding: ${encoding}`, '-H', 'Accept: text/html', '-H', `Cookie: ${cookie}`]
  const wrk = (time) => {
    const args = ['-c', LOAD_CORE, 'wrk', '-t1', '-c4', `-d${time}s`, ...headers, url]
    return new Promise((resolve, reject) => {
      const child = spawn('taskset', args, { stdio: ['ignore', 'pipe', 'inherit'] })
      let said = ''
      child.stdout.on('data', (text) => {
        said += text
      })
      child.once('close', (code) => (code ? reject(new Error(`wrk ended with ${code}`)) : resolve(said)))
    })
  }
  await wrk(1)
  const before = { used: used(pid), rendered: await rendered() }
  const said = await wrk(seconds)
  const count = Number(/(\d+) requests in/.exec(said)[1])
  const cpu = ((used(pid) - before.used) * 1000) / count
  if (/Non-2xx/.test(said)) throw new Error(`${url}: answers that are no pages: ${said}`)
  const pages = (await rendered()) - before.rendered
  // What was under way at the end is counted by the server alone.
  if (pages < count || pages > count + 8) throw new Error(`${count} answers, ${pages} rendered pages`)
  return { rate: count / seconds, cpu }
}

const unpack = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }

/** The bytes that are sent, and the text in them. */
async function sent({ url, cookie }, encoding) {
  const { default: http } = await import('node:http')
  const headers = { accept: 'text/html', 'accept-encoding': encoding, cookie }
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers, agent: false }, async (answer) => {
        const parts = []
        for await (const part of answer) parts.push(part)
        const body = Buffer.concat(parts)
        const name = answer.headers['content-encoding']
        resolve({ bytes: body.length, name: name ?? '', text: String(name ? unpack[name](body) : body) })
      })
      .once('error', reject)
  })
}

async function metric(admin) {
  const said = await (await fetch(`${admin}/metrics`)).text()
  if (/^sections_lost_total\S* [1-9]/m.test(said)) throw new Error('a page has lost a section')
  const lines = [...said.matchAll(/^pages_total\{[^}]*mode="ssr"[^}]*\} (\d+)$/gm)]
  return lines.reduce((sum, [, value]) => sum + Number(value), 0)
}

const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1]

async function main() {
  const web = path.join(space, 'web')
  execFileSync(process.execPath, ['components/build/build.mjs', '--out', web], { cwd: root, stdio: 'ignore' })
  const sandbox = await start(
    LOAD_CORE,
    binary,
    ['sandbox', '--sandbox-listen', '127.0.0.1:0', '--state-dir', path.join(space, 'sandbox')],
    ['sandbox'],
  )
  const tables = await (await fetch(`${sandbox.sandbox}/_sandbox/api/tables`)).json()
  const venue = tables.find((one) => one.country === 'kz').filial_id
  const front = await longMenus(sandbox.sandbox, new Map([[String(venue), DISHES]]))
  const any = '127.0.0.1:0'
  const args = ['serve', '--listen', any, '--admin-listen', any, '--state-dir', path.join(space, 'state')]
  const upstream = `http://127.0.0.1:${front.address().port}`
  const server = await start(
    SERVER_CORE,
    binary,
    [...args, '--upstream-url', upstream, '--isolates', '1', '--catalogue-fresh-ms', '600000'],
    ['web', 'admin'],
  )
  const page = `/filials/${venue}`
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
    {
      NODE_ENV: 'production',
    },
  )
  const theirs = { url: node.web, pid: node.pid, cookie: '' }
  const count = async () => Number(await (await fetch(`${node.web}/count`)).text())

  const reused = /^fragments_reused_total (\d+)/m.exec(await (await fetch(`${server.admin}/metrics`)).text())
  if (!Number(reused?.[1])) throw new Error('nothing was taken from the pages before')

  const rows = []
  for (const encoding of ENCODINGS) {
    const size = await sent(ours, encoding)
    const other = await sent(theirs, encoding)
    const results = { ours: [], theirs: [] }
    for (let round = 0; round < rounds; round++) {
      say(`${encoding}, round ${round + 1} of ${rounds}`)
      results.ours.push(await turn(ours, encoding, () => metric(server.admin)))
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
  front.close()
}

try {
  await main()
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(space, { recursive: true, force: true })
}
process.exit(0)
