/**
 * The size of it: what one guest's visit costs an instance, the shared store and the upstream, and from that how much of
 * each so many guests an hour need, and what is short first. Prints three Markdown tables.
 *
 * Measured: the processor time of the instance and of the store by their own count, one guest after the other, so another
 * process on the machine changes little; memory of a stream from many that wait.
 *
 * Simulated: an hour whose middle minutes see 1.8 times its mean, visits as they come by themselves (Poisson), steps with
 * the pauses of people, requests to whichever core is free first, as a proxy by least connections does; the smallest number of
 * cores with 99 of 100 answers within the limit is looked for by halving.
 *
 * `DASTARKHAN_BINARY` names another binary, `SIZING_GUESTS` how many are measured.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { instances, redis } from '../operation/instances.mjs'
import { phone } from '../operation/phone.mjs'
import { text, world } from '../operation/world.mjs'

const GUESTS = Number(process.env.SIZING_GUESTS ?? 200)
/** So long an order is looked at. */
const WATCHED_S = 20 * 60
/** Of what an answer waits and takes on a core, so that a page is there within its second on a slow network. */
const LIMIT_S = 0.2
const HOURLY = [1_000, 10_000, 100_000, 1_000_000]
const PEAK = 1.8
/** Of a core: above it the store's own waits are seen. */
const STORE_FULL = 0.6
const TABLE = '/filials/1013?filial_id=1013&table_id=t1&main_terminal_id=1010'

const here = world()
const store = await redis(here)
const room = await instances(here, store.url, 1, {
  ORDERS_PER_MINUTE: '1000000',
  TABLE_ORDERS_PER_HOUR: '1000000',
  ADDRESS_STREAMS: '100000',
  LOG: 'error',
})
const [one] = room.all
const [hostname, port] = one.web.split(':')
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

/** Seconds of processor that a process has used, all of its threads; ticks are a hundredth. */
function used(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
const memory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
const storeInfo = (section) =>
  execFileSync('redis-cli', ['-p', String(store.port), 'INFO', section], { encoding: 'utf8' })
const number = (said, name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(said)[1])
const storeUsed = () => {
  const cpu = storeInfo('cpu')
  return number(cpu, 'used_cpu_sys') + number(cpu, 'used_cpu_user')
}
const storeHeld = () => number(storeInfo('memory'), 'used_memory')
async function upstreamCalls() {
  const metrics = await text(`http://${one.admin}/metrics`)
  return [...metrics.matchAll(/^upstream_calls_total\{[^}]*\} (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
}

/** A guest whom nothing may refuse. */
function guest() {
  const { ask, cookie } = phone(one.web, agent)
  return {
    cookie,
    async ask(method, address, fields) {
      const answer = await ask(method, address, fields)
      if (answer.status >= 400) throw new Error(`${method} ${address}: ${answer.status}`)
      return answer
    },
  }
}
const json = async (who, address) => JSON.parse((await who.ask('GET', `/_data${address}`)).text)
const adds = (product) => ({ filial: 1013, product, delta: 1, back: '/filials/1013' })

const first = await fetch(`http://${one.web}${TABLE}`)
const [, dish] = /name="product" value="(\d+)"/.exec(await first.text())

/** What each guest does, `n` times in a visit, after a pause of so many seconds. */
const STEPS = [
  {
    what: 'the table’s QR code: a session begins, the menu',
    n: 1,
    after: 0,
    do: (who) => who.ask('GET', TABLE),
  },
  { what: 'a dish into the cart', n: 3, after: 25, do: (who) => who.ask('POST', '/cart/lines', adds(dish)) },
  { what: 'the menu again', n: 1, after: 20, do: (who) => who.ask('GET', '/filials/1013') },
  { what: 'the cart', n: 1, after: 20, do: (who) => who.ask('GET', '/cart') },
  {
    what: 'the order, in cash',
    n: 1,
    after: 30,
    before: async (who) => {
      const { shell, page } = await json(who, '/cart')
      const total = page.data.totals.find(({ kind }) => kind === 'total').sum
      return { cart_version: shell.cart.version, total, payment: 'cash' }
    },
    async do(who, fields) {
      const said = await who.ask('POST', '/orders', fields)
      who.order = said.location ?? JSON.parse(said.text).redirect
      return said
    },
  },
  { what: 'its page', n: 1, after: 1, do: (who) => who.ask('GET', who.order) },
]

const all = Array.from({ length: GUESTS }, guest)
const held = storeHeld()
for (const step of STEPS) {
  const prepared = []
  for (const who of all) prepared.push(await step.before?.(who))
  const before = { cpu: used(one.child.pid), store: storeUsed(), calls: await upstreamCalls() }
  let bytes = 0
  for (let time = 0; time < step.n; time += 1)
    for (const [index, who] of all.entries()) bytes += (await step.do(who, prepared[index])).sent.length
  const times = GUESTS * step.n
  // What it does afterwards by itself is a part of it.
  await pause(300)
  step.cpu = (used(one.child.pid) - before.cpu) / times
  step.store = (storeUsed() - before.store) / times
  step.calls = ((await upstreamCalls()) - before.calls) / times
  step.bytes = bytes / times
}
const guestBytes = (storeHeld() - held) / GUESTS

/** Streams that wait: their memory, and what a minute of them costs. */
const watched = []
for (const who of all) watched.push((await json(who, who.order)).page.data.events)
const idle = { memory: memory(one.child.pid) }
// One of each order: those of one order would share what is asked of the upstream.
const streams = await Promise.all(
  all.map(
    (who, index) =>
      new Promise((resolve, reject) => {
        const headers = { cookie: who.cookie(), accept: 'text/event-stream' }
        http.get({ hostname, port, path: watched[index], headers, agent: false }, resolve).on('error', reject)
      }),
  ),
)
for (const stream of streams) {
  if (stream.statusCode !== 200) throw new Error(`a stream: ${stream.statusCode}`)
  stream.resume()
}
await pause(2000)
const before = { cpu: used(one.child.pid), store: storeUsed(), calls: await upstreamCalls() }
const SECONDS = 60
await pause(SECONDS * 1000)
const stream = {
  memory: (memory(one.child.pid) - idle.memory) / GUESTS,
  cpu: (used(one.child.pid) - before.cpu) / GUESTS / SECONDS,
  store: (storeUsed() - before.store) / GUESTS / SECONDS,
  calls: ((await upstreamCalls()) - before.calls) / GUESTS / SECONDS,
}
for (const one of streams) one.destroy()
const base = idle.memory
await here.close()
agent.destroy()

const ms = (seconds) => (seconds * 1000).toFixed(2)
console.log(
  `| One of each of ${GUESTS} guests | instance, CPU ms | store, CPU ms | upstream calls | bytes as sent |`,
)
console.log('|---|---|---|---|---|')
for (const { what, cpu, store, calls, bytes } of STEPS)
  console.log(`| ${what} | ${ms(cpu)} | ${ms(store)} | ${calls.toFixed(2)} | ${bytes.toFixed(0)} |`)
console.log(
  `| a minute of a stream that waits, of ${GUESTS} | ${ms(stream.cpu * 60)} | ${ms(stream.store * 60)} | ${(stream.calls * 60).toFixed(2)} | |`,
)
const visit = Object.fromEntries(
  ['cpu', 'store', 'calls', 'bytes'].map((name) => [
    name,
    STEPS.reduce((sum, step) => sum + step[name] * step.n, 0) + (stream[name] ?? 0) * WATCHED_S,
  ]),
)
console.log(
  `| **a visit with ${WATCHED_S / 60} minutes of watching** | ${ms(visit.cpu)} | ${ms(visit.store)} | ${visit.calls.toFixed(1)} | ${visit.bytes.toFixed(0)} |\n`,
)
console.log(
  `A stream holds ${(stream.memory * 1024).toFixed(0)} kB of an instance that has ${base.toFixed(0)} MB; a guest ${(guestBytes / 1000).toFixed(1)} kB of the store.\n`,
)

/** A number as likely as the last, the same in each run. */
function dice(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Requests of the hour's busiest minutes, as [second, seconds of a core], sorted. */
function arrivals(hourly) {
  const random = dice(hourly)
  const exponential = (mean) => -Math.log(1 - random()) * mean
  // Long enough that steps of earlier visits fall into the part that is looked at.
  const [length, rate] = [Math.min(1800, Math.max(400, 2e7 / hourly)), (hourly * PEAK) / 3600]
  const found = []
  for (let at = exponential(1 / rate); at < length; at += exponential(1 / rate)) {
    let then = at
    for (const step of STEPS)
      for (let time = 0; time < step.n; time += 1) {
        if (step.after) then += exponential(step.after)
        // Menus are of different lengths: half to twice the measured one.
        found.push([then, step.cpu * 2 ** (2 * random() - 1)])
      }
  }
  return found.filter(([at]) => at > 240 && at < length).sort(([one], [other]) => one - other)
}

/** The wait and work that 99 of 100 requests have at most; streams take their share of each core. */
function slowest(requests, cores, share) {
  if (share >= 1) return Number.POSITIVE_INFINITY
  const free = new Float64Array(cores)
  const took = new Float64Array(requests.length)
  // The earliest free core stands first: a heap.
  const settle = () => {
    let at = 0
    for (;;) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < cores && free[child] < free[least]) least = child
      if (least === at) return
      ;[free[at], free[least]] = [free[least], free[at]]
      at = least
    }
  }
  for (const [index, [at, work]] of requests.entries()) {
    const end = Math.max(at, free[0]) + work / (1 - share)
    took[index] = end - at
    free[0] = end
    settle()
  }
  return took.sort()[Math.floor(took.length * 0.99)]
}

console.log(
  '| Guests an hour | requests a second at the peak | cores | 99 of 100 within, ms | streams | memory of streams, GB | store, of one core | store, GB a day | upstream calls a second | Mbit a second |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|')
for (const hourly of HOURLY) {
  const rate = (hourly * PEAK) / 3600
  const open = rate * WATCHED_S
  const requests = arrivals(hourly)
  const share = (cores) => (open * stream.cpu) / cores
  let [low, high] = [0, 1]
  while (slowest(requests, high, share(high)) > LIMIT_S) [low, high] = [high, high * 2]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (slowest(requests, middle, share(middle)) > LIMIT_S) low = middle
    else high = middle
  }
  const cells = [
    hourly.toLocaleString('en'),
    (rate * STEPS.reduce((sum, { n }) => sum + n, 0)).toFixed(0),
    high,
    ms(slowest(requests, high, share(high))),
    open.toFixed(0),
    ((open * stream.memory) / 1024).toFixed(2),
    `${(rate * visit.store * 100).toFixed(1)} %`,
    // Sessions stay for thirty days, what changes and orders leave for one; of a day with eight such hours.
    ((8 * hourly * guestBytes) / 1e9).toFixed(2),
    (rate * visit.calls).toFixed(0),
    ((rate * visit.bytes * 8) / 1e6).toFixed(1),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
const full = (STORE_FULL * 3600) / visit.store / PEAK
console.log(
  `\nThe store's core is ${STORE_FULL * 100} % busy at ${Math.round(full).toLocaleString('en')} guests an hour.`,
)
