/**
 * An hour at half of what the server can do: guests open a table's menu, go on to the cart, put dishes in and take
 * them out, and order in cash now and then. Prints a Markdown table of the server's memory, descriptors and threads, each
 * minute; ends with 1 when either is above what it was after ten minutes by more than a twentieth at the end, or when
 * an answer was none.
 *
 * What it can do is measured first, with eight guests who do not rest. The sandbox is a process of its own.
 *
 * `SOAK_MINUTES` is how long, `DASTARKHAN_BINARY` names another binary.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { findTable, pause, startProduct, startServe } from '../browser/harness.mjs'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60)
const WARM = Math.min(10, Math.ceil(MINUTES / 3))
const GUESTS = 8
/** A guest who comes once more is another one. */
const STEPS = 40
const MOST = 1.05

const upstream = await startProduct()
const table = await findTable(upstream)
const state = await mkdtemp(path.join(tmpdir(), 'dastarkhan-half-'))
const many = Object.fromEntries(
  ['MUTATIONS', 'ORDERS', 'SESSIONS'].map((name) => [`ADDRESS_${name}_PER_MINUTE`, '1000000']),
)
const { child, web } = await startServe(upstream.sandbox, state, {
  ...many,
  MUTATIONS_PER_MINUTE: '1000000',
  TABLE_ORDERS_PER_HOUR: '1000000',
  LOG: 'error',
})
const agent = new http.Agent({ keepAlive: true, maxSockets: GUESTS })
const wrong = new Map()
let answers = 0

/** One request of a guest, whose cookies are kept. */
function ask(guest, method, address, body) {
  const { hostname, port } = new URL(web)
  const headers = { 'accept-encoding': 'br', cookie: [...guest].map((pair) => pair.join('=')).join('; ') }
  if (body) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    headers['sec-fetch-site'] = 'same-origin'
    headers.accept = 'application/json'
  }
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, method, path: address, headers, agent }, (answer) => {
      const parts = []
      answer.on('data', (part) => parts.push(part))
      answer.on('end', () => {
        for (const cookie of answer.headers['set-cookie'] ?? []) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
          guest.set(name, value)
        }
        answers += 1
        const { statusCode: status, headers: told } = answer
        const sent = Buffer.concat(parts)
        const text = (told['content-encoding'] === 'br' ? brotliDecompressSync(sent) : sent).toString()
        // A page that was left to the browser is none.
        if (status >= 400 || text.includes(' data-shell')) {
          const what = `${method} ${address.split('?')[0]} ${status}`
          wrong.set(what, (wrong.get(what) ?? 0) + 1)
        }
        resolve({ status, text })
      })
      answer.on('error', reject)
    })
    request.on('error', reject)
    request.end(body?.toString())
  })
}

const dishes = table.plain.slice(0, 4)

/** The cart's form of an order, as the page has it. */
function orderOf({ shell, page }) {
  const total = page.data.totals.find(({ kind }) => kind === 'total')
  return new URLSearchParams({ cart_version: shell.cart.version, total: total.sum, payment: 'cash' })
}

/** What a guest does, step by step; `rests` waits before each. */
async function visit(rests) {
  const guest = new Map()
  const step = async (...what) => {
    await rests()
    return ask(guest, ...what)
  }
  await step('GET', table.qr)
  for (let done = 0; done < STEPS; done += 1) {
    const { id } = dishes[done % dishes.length]
    const change = (delta) =>
      new URLSearchParams({ filial: table.filial_id, product: id, delta: String(delta), back: '/cart' })
    await step('POST', '/cart/lines', change(1))
    await step('GET', '/cart')
    if (done % 10 === 9) {
      const cart = JSON.parse((await step('GET', '/_data/cart')).text)
      // What was refused before is counted already.
      if (cart.shell?.cart) await step('POST', '/orders', orderOf(cart))
    } else await step('POST', '/cart/lines', change(-1))
    await step('GET', `/filials/${table.filial_id}`)
  }
}

/** All guests until `end`; how many answers there were in a second. */
async function guests(end, rests) {
  const [before, began] = [answers, performance.now()]
  const wait = async () => {
    if (performance.now() > end) throw new Error('over')
    await rests()
  }
  const one = async () => {
    for (;;) await visit(wait)
  }
  const isOver = (error) => {
    if (error.message !== 'over') throw error
  }
  await Promise.all(Array.from({ length: GUESTS }, () => one().catch(isOver)))
  return ((answers - before) * 1000) / (performance.now() - began)
}

function look(minute) {
  const read = (name) => readFileSync(`/proc/${child.pid}/${name}`, 'utf8')
  return {
    minute,
    answers,
    memory: Number(/VmRSS:\s+(\d+)/.exec(read('status'))[1]) / 1024,
    descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
    threads: Number(/Threads:\s+(\d+)/.exec(read('status'))[1]),
  }
}

const most = await guests(performance.now() + 15_000, () => {})
console.log(`all of it: ${most.toFixed(0)} answers a second; half: ${(most / 2).toFixed(0)}\n`)
const end = performance.now() + MINUTES * 60_000
const gap = (GUESTS * 1000) / (most / 2)
const rows = []
console.log('| minute | answers | memory MB | descriptors | threads |')
console.log('|---|---|---|---|---|')
const looks = setInterval(() => {
  const row = look(rows.length + 1)
  rows.push(row)
  const { minute, memory, descriptors, threads } = row
  console.log(`| ${[minute, row.answers, memory.toFixed(0), descriptors, threads].join(' | ')} |`)
}, 60_000)
// Each guest's own pace; one that is late does not hurry.
const rate = await guests(end, () => pause(gap * (0.5 + Math.random())))
clearInterval(looks)
if (rows.length === 0) rows.push(look(1))
child.kill('SIGTERM')
await upstream.stop()
agent.destroy()
await rm(state, { recursive: true, force: true })

const [warm, last] = [rows[Math.min(WARM, rows.length) - 1], rows.at(-1)]
const grown = ['memory', 'descriptors'].filter((name) => last[name] > warm[name] * MOST)
console.log(`\n${rate.toFixed(0)} answers a second, ${answers} in all`)
for (const [what, times] of wrong) console.log(`wrong: ${what}, ${times} times`)
for (const name of grown) console.log(`grown: ${name}, ${warm[name].toFixed(0)} to ${last[name].toFixed(0)}`)
if (wrong.size === 0 && grown.length === 0) console.log('nothing grew')
process.exit(wrong.size + grown.length > 0 ? 1 : 0)
