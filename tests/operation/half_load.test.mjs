/**
 * What the server holds while it works and afterwards. At half of what it can do guests open a table's menu, go on
 * to the cart, put dishes in and take them out, and order in cash now and then; memory and descriptors are looked at each
 * second. `make soak` takes an hour of it: `SOAK_MINUTES` is how long, and prints a Markdown table. The sandbox is a
 * process of its own.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { findTable, pause, startProduct, startServe } from '../browser/harness.mjs'
import { orderOf, phone } from './phone.mjs'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 0.7)
const WARM = Math.min(10, MINUTES / 3)
/** Memory is given back every ten seconds, and for a moment an isolate stands beside the one that follows it: a period's median counts. */
const PERIOD = Math.max(10_000, MINUTES * 1000)
const GUESTS = 8
/** A guest who comes once more is another one. */
const STEPS = 40
/** So much may be added from the end of the warm-up to the end. */
const MOST = 0.05
/** What is left of a burst's most memory once it is over. */
const LEFT = 0.89

let upstream
let table
let state
let child
let web
const agent = new http.Agent({ keepAlive: true, maxSockets: GUESTS })

before(async () => {
  upstream = await startProduct()
  table = await findTable(upstream)
  state = await mkdtemp(path.join(tmpdir(), 'dastarkhan-half-'))
  const many = Object.fromEntries(
    ['MUTATIONS', 'ORDERS', 'SESSIONS'].map((name) => [`ADDRESS_${name}_PER_MINUTE`, '1000000']),
  )
  const served = await startServe(upstream.sandbox, state, {
    ...many,
    MUTATIONS_PER_MINUTE: '1000000',
    TABLE_ORDERS_PER_HOUR: '1000000',
    LOG: 'error',
  })
  child = served.child
  web = served.web
})

after(async () => {
  child?.kill('SIGTERM')
  await upstream?.stop()
  agent.destroy()
  if (state) await rm(state, { recursive: true, force: true })
})

/** Megabytes of a line of the process' status. */
function megabytes(name) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]) / 1024
}

const look = () => ({
  memory: megabytes('VmRSS'),
  descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
})

const wrong = new Map()
let answers = 0

/** One request of a guest. */
async function ask(guest, method, address, body) {
  const answer = await guest.ask(method, address, body)
  answers += 1
  // A page that was left to the browser is none.
  if (answer.status >= 400 || answer.text.includes(' data-shell')) {
    const what = `${method} ${address.split('?')[0]} ${answer.status}`
    wrong.set(what, (wrong.get(what) ?? 0) + 1)
  }
  return answer
}

const newGuest = () => phone(new URL(web).host, agent)

/** What a guest does, step by step; `rests` waits before each. */
async function visit(rests) {
  const guest = newGuest()
  const dishes = table.plain.slice(0, 4)
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

/** All guests for so long, each with a step every `gap` milliseconds or so; how many answers there were in a second. */
async function guests(milliseconds, gap) {
  const [first, began] = [answers, performance.now()]
  const one = async () => {
    let due = performance.now()
    const rests = async () => {
      if (performance.now() > began + milliseconds) throw new Error('over')
      // A late request does not make the next ones early.
      due = Math.max(performance.now(), due + gap * (0.5 + Math.random()))
      if (gap) await pause(Math.max(0, due - performance.now()))
    }
    for (;;) await visit(rests)
  }
  const isOver = (error) => {
    if (error.message !== 'over') throw error
  }
  await Promise.all(Array.from({ length: GUESTS }, () => one().catch(isOver)))
  return ((answers - first) * 1000) / (performance.now() - began)
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** By how much of its begin the line through the values rises from the first to the last. */
function rise(values) {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const [over, under] = values.reduce(
    ([up, down], value, n) => [up + (n - middle) * (value - mean), down + (n - middle) ** 2],
    [0, 0],
  )
  const slope = over / under
  return (slope * (values.length - 1)) / (mean - slope * middle)
}

test('memory that many pages at once needed goes back to the system', async () => {
  const list = await ask(newGuest(), 'GET', '/filials')
  const venues = [...new Set(list.text.match(/\/filials\/\d+/g))]
  assert.ok(venues.length > 10, list.text)
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, megabytes('RssAnon'))
  }, 10)
  // Caches fill meanwhile: a later burst adds nothing to them.
  try {
    for (let round = 1; ; round += 1) {
      for (const lang of ['kk', 'ru', 'en', 'ka'])
        await Promise.all(venues.map((venue) => ask(newGuest(), 'GET', `${venue}?lang=${lang}&n=${round}`)))
      for (let waited = 0; waited < 15; waited += 1) {
        if (megabytes('RssAnon') < most * LEFT) return
        await pause(1000)
      }
      assert.ok(round < 3, `${most.toFixed(1)} MB were held, ${megabytes('RssAnon').toFixed(1)} MB still are`)
    }
  } finally {
    clearInterval(watch)
  }
})

test('at half of what the server can do its memory and descriptors stay as they are', async () => {
  const most = await guests(8000, 0)
  console.log(`all of it: ${most.toFixed(0)} answers a second; half: ${(most / 2).toFixed(0)}\n`)
  wrong.clear()
  const first = answers
  const periods = []
  console.log('| minutes | answers | memory MB | at most | descriptors | at most |')
  console.log('|---|---|---|---|---|---|')
  const began = performance.now()
  let looks = []
  const watch = setInterval(() => {
    looks.push(look())
    if (performance.now() < began + (periods.length + 1) * PERIOD) return
    const values = (name) => looks.map((one) => one[name])
    const [memory, descriptors] = [median(values('memory')), median(values('descriptors'))]
    const minutes = (performance.now() - began) / 60_000
    periods.push({ minutes, memory, descriptors })
    const most = ['memory', 'descriptors'].map((name) => Math.max(...values(name)).toFixed(0))
    looks = []
    const row = [minutes.toFixed(1), answers - first, memory.toFixed(1), most[0], descriptors, most[1]]
    console.log(`| ${row.join(' | ')} |`)
  }, 1000)
  const gap = (GUESTS * 1000) / (most / 2)
  const rate = await guests(MINUTES * 60_000 + 1000, gap).finally(() => clearInterval(watch))
  const all = answers - first
  console.log(`\n${rate.toFixed(0)} answers a second, ${all} in all`)
  for (const [what, times] of wrong) console.log(`refused: ${what}, ${times} times`)

  const warm = periods.filter(({ minutes }) => minutes > WARM)
  assert.ok(warm.length > 2, `${periods.length} looks are too few`)
  for (const name of ['memory', 'descriptors']) {
    const values = warm.map((period) => period[name])
    const part = rise(values)
    console.log(`${name}: ${(part * 100).toFixed(1)} % from ${WARM} minutes on`)
    assert.ok(part <= MOST, `${name} grew: ${values.map((value) => value.toFixed(0)).join(' ')}`)
  }
  // A busy machine sheds some; where it is many, something else was measured.
  const refused = [...wrong.values()].reduce((sum, times) => sum + times, 0)
  assert.ok(refused <= all / 100, `${refused} of ${all} were refused`)
})
