/**
 * Three times what the server can do: guests open a table's menu at an even rate, whatever becomes of those before
 * them; beside them orders, suggestions and looks at its health. The server has a core of its own, everything else another
 * one. A few seconds of it; `make faults` takes half a minute, by which the times are asked for as well
 * (`SATURATION_SECONDS`), and prints a Markdown table.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { findTable, startProduct, startServe, text } from '../browser/harness.mjs'
import { orderOf, phone } from './phone.mjs'

const LONG = Number(process.env.SATURATION_SECONDS ?? 0)
const SECONDS = LONG || 4
const TIMES = 3
const [SERVER_CORE, LOAD_CORE] = ['0', availableParallelism() > 1 ? '1' : '0']
const GUESTS = 50
/** So many wait for one page each while it is measured what the server can do. */
const AT_ONCE = 8

let upstream
let table
let state
let child
const at = {}
const agent = new http.Agent({ keepAlive: true, maxSockets: 3000 })
const guests = []

before(async () => {
  execFileSync('taskset', ['-p', '-c', LOAD_CORE, String(process.pid)])
  upstream = await startProduct()
  table = await findTable(upstream)
  state = await mkdtemp(path.join(tmpdir(), 'dastarkhan-saturation-'))
  const many = ['ADDRESS_MUTATIONS', 'ADDRESS_ORDERS', 'ADDRESS_SESSIONS', 'ADDRESS_LOOKUPS', 'MUTATIONS']
  const env = {
    ...Object.fromEntries(many.map((name) => [`${name}_PER_MINUTE`, '1000000'])),
    TABLE_ORDERS_PER_HOUR: '1000000',
    LOG: 'error',
    // As guests have it.
    RENDER_WAIT_MS: '200',
    RENDER_LIMIT_MS: '500',
  }
  const served = await startServe(upstream.sandbox, state, env, SERVER_CORE)
  child = served.child
  for (const name of ['web', 'admin']) at[name] = new URL(served[name]).host
  for (let one = 0; one < GUESTS; one++) guests.push(await seated(one))
})

after(async () => {
  child?.kill('SIGTERM')
  await upstream?.stop()
  agent.destroy()
  if (state) await rm(state, { recursive: true, force: true })
})

/** A guest at the table with a dish in the cart, and the cart's form of an order. */
async function seated(number) {
  const guest = phone(at.web, agent)
  const { id: product } = table.plain[number % 4]
  await guest.ask('GET', table.qr)
  await guest.ask('POST', '/cart/lines', { filial: table.filial_id, product, delta: '1', back: '/cart' })
  return { guest, order: orderOf(JSON.parse((await guest.ask('GET', '/_data/cart')).text)) }
}

/** What came, by kind: milliseconds of those who were let in and of those who were refused, and all that was neither. */
let kinds
const note = (kind, { status, took, ...answer }) => {
  kinds[kind] ??= { taken: [], refused: [], wrong: [], refusal: null }
  const all = kinds[kind]
  if (status === 503 && answer.headers['retry-after']) {
    all.refused.push(took)
    // What was loaded and not rendered in time is a page for who has scripts, and packed.
    if (!answer.headers['content-encoding']) all.refusal = answer
  } else if (status < 400) all.taken.push(took)
  else {
    const said = answer.text?.match(/role="alert"[^>]*>(?:<[^>]*>)*([^<]*)/)?.[1] ?? ''
    all.wrong.push(`${status} after ${Math.round(took)} ms: ${said}`)
  }
}

/** One request, packed as browsers ask for it; what a refusal says is kept. */
const ask = (host, address, headers = {}) =>
  new Promise((resolve) => {
    const began = performance.now()
    const [hostname, port] = host.split(':')
    const done = (answer) => resolve({ ...answer, took: performance.now() - began })
    http
      .get({ hostname, port, path: address, agent, headers }, (answer) => {
        const parts = []
        answer.on('data', (part) => answer.statusCode === 503 && parts.push(part))
        answer.on('end', () =>
          done({ status: answer.statusCode, headers: answer.headers, text: String(Buffer.concat(parts)) }),
        )
      })
      .on('error', (error) => done({ status: 599, headers: {}, text: error.message }))
  })

async function menu() {
  const { guest } = guests[Math.floor(Math.random() * GUESTS)]
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br', cookie: guest.cookie() }
  note('menus', await ask(at.web, `/filials/${table.filial_id}`, headers))
}

/**
 * Menus a second while a few guests wait for one each. Beside other tests a render may wait for a core as for other guests:
 * a time in which too many did is measured once more, and where that is always so what was served is all that it can do.
 */
async function most(seconds, { tries = LONG ? 1 : 5, isWell = Boolean(LONG) } = {}) {
  kinds = {}
  const began = performance.now()
  const one = async () => {
    while (performance.now() < began + seconds * 1000) await menu()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  const { taken, refused } = kinds.menus
  const tooMany = refused.length > (LONG ? 0 : taken.length / 20)
  if (tooMany && tries > 1) return most(seconds, { tries: tries - 1, isWell })
  assert.ok(taken.length > 0, 'no menu was served')
  if (isWell) assert.ok(!tooMany, `of a few guests ${refused.length} were refused`)
  return (taken.length * 1000) / (performance.now() - began)
}

/**
 * Orders. The upstream shares a core with the load and with other tests: where it is too late the guest presses again,
 * as told, and again while the first press is still on its way (409). Admission refuses no change.
 */
async function ordered({ guest, order }) {
  for (let presses = LONG ? 1 : 8; ; presses--) {
    const answer = await guest.ask('POST', '/orders', order)
    const isLate = [409, 503].includes(answer.status) || answer.text.includes('"unavailable"')
    if (!isLate || presses === 1) return answer
    await pause(1000)
  }
}

/** Begins one every `gap` milliseconds, whatever becomes of those before. */
async function every(gap, one) {
  const began = performance.now()
  const all = []
  for (let due = began; due < began + SECONDS * 1000; due += gap) {
    const rest = due - performance.now()
    if (rest > 1) await pause(rest)
    all.push(one(all.length))
  }
  return () => Promise.all(all)
}

const share = (values, part) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]

test('at three times saturation admitted requests are served, the others refused at once, and orders are taken', async (t) => {
  await most(2)
  const peak = await most(LONG ? 10 : 2)
  kinds = {}
  const began = performance.now()
  const rests = await Promise.all([
    every(1000 / (peak * TIMES), menu),
    every((SECONDS * 1000) / GUESTS, async (turn) => {
      if (!guests[turn]) return
      const sent = performance.now()
      const { status, text } = await ordered(guests[turn])
      note('orders', { status, headers: {}, text, took: performance.now() - sent })
    }),
    every(50, async (turn) => {
      const typed = encodeURIComponent('лагман'.slice(0, 2 + (turn % 5)))
      note('suggestions', await ask(at.web, `/search/suggest?q=${typed}`, { accept: 'application/json' }))
    }),
    every(100, async () => note('health', await ask(at.admin, '/livez'))),
  ])
  const seconds = (performance.now() - began) / 1000
  for (const rest of rests) await rest()

  const ms = (value) => (value === undefined ? '' : `${value.toFixed(0)} ms`)
  t.diagnostic(
    `| ${TIMES} × ${peak.toFixed(0)} a second, ${SECONDS} s | served | p50 | p99 | refused | p50 | p99 |`,
  )
  t.diagnostic('|---|---|---|---|---|---|---|')
  for (const [kind, { taken, refused }] of Object.entries(kinds)) {
    const times = [taken, refused].map(
      (all) => `${all.length} | ${ms(share(all, 0.5))} | ${ms(share(all, 0.99))}`,
    )
    t.diagnostic(`| ${kind} | ${times.join(' | ')} |`)
  }
  const { menus, orders, suggestions, health } = kinds
  const goodput = menus.taken.length / seconds / peak
  t.diagnostic(`${goodput.toFixed(2)} of the most were served`)

  for (const [kind, { wrong }] of Object.entries(kinds)) assert.deepEqual(wrong, [], kind)
  assert.ok(orders.taken.length >= GUESTS - 1, 'every order is taken')
  const { text: metrics } = await phone(at.admin, agent).ask('GET', '/metrics')
  const refusedKinds = [...metrics.matchAll(/^admission_refused_total\{kind="(\w+)"\}/gm)].map(
    ([, kind]) => kind,
  )
  // What is typed may find too many searches under way before its own turn is looked at.
  assert.deepEqual(refusedKinds.filter((kind) => kind !== 'search').toSorted(), ['page', 'suggestion'])
  assert.equal(health.refused.length, 0)
  assert.ok(menus.refused.length > 0, 'who is too many is refused')
  assert.ok(suggestions.refused.length > 0, 'suggestions stay away before anything else')
  // In the guest's language, and it comes again by itself.
  assert.ok(menus.refusal.text.includes(text(table.lang, 'error.overloaded')), menus.refusal.text)
  assert.match(menus.refusal.text, /<meta http-equiv="refresh" content="[2-5]">/)
  assert.match(menus.refusal.headers['retry-after'], /^[2-5]$/)
  if (!LONG) return
  assert.ok(goodput >= 0.8, 'goodput')
  assert.ok(share(menus.taken, 0.99) <= 1000, 'an admitted request does not wait for long')
  assert.ok(share(menus.refused, 0.95) < 10, 'a refused one is answered at once')
})

test('after the overload no request is refused', async () => {
  // Beside other tests some seconds may be theirs.
  const isWell = () =>
    most(1, { isWell: true }).then(
      () => true,
      (error) => error,
    )
  let last = await isWell()
  for (let again = LONG ? 0 : 9; last !== true && again > 0; again--) last = await isWell()
  if (last !== true) throw last
})
