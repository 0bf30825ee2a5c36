/**
 * What a shared store is asked for and holds: commands of a page, a change and an order, bytes of a session with its cart.
 * Counted by the store itself, so the machine's speed is no matter. Prints a Markdown table.
 *
 * `DASTARKHAN_BINARY` names another binary.
 */
import { execFileSync } from 'node:child_process'
import { diner, instances, redis } from '../operation/instances.mjs'
import { world } from '../operation/world.mjs'

const GUESTS = 200
const here = world()
const store = await redis(here)
const room = await instances(here, store.url, 1)
const [one] = room.all
const cli = (...args) => execFileSync('redis-cli', ['-p', String(store.port), ...args], { encoding: 'utf8' })

/** Scripts, transactions, and records that were read, within scripts too; without signs of life and reports. */
function calls() {
  const count = (name) => Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0)
  const stats = cli('INFO', 'commandstats')
  return { scripts: count('evalsha') + count('eval'), reads: count('hmget'), sessions: count('multi') }
}
const memory = () => Number(/^used_memory:(\d+)/m.exec(cli('INFO', 'memory'))[1])
/** Bytes that came in and went out since the last reset. */
const traffic = () => {
  const stats = cli('INFO', 'stats')
  const of = (name) => Number(new RegExp(`^total_net_${name}_bytes:(\\d+)`, 'm').exec(stats)[1])
  return of('input') + of('output')
}

const rows = []
async function measured(what, act) {
  const guests = Array.from({ length: GUESTS }, diner)
  const prepared = []
  for (const guest of guests) prepared.push(await act.before?.(guest))
  cli('CONFIG', 'RESETSTAT')
  const began = { traffic: traffic(), memory: memory() }
  for (const [n, guest] of guests.entries()) await act.do(guest, prepared[n])
  const sent = (traffic() - began.traffic) / GUESTS
  const held = (memory() - began.memory) / GUESTS
  const { scripts, reads, sessions } = calls()
  rows.push([what, scripts / GUESTS, sessions / GUESTS, Math.round(sent), Math.round(held), reads / GUESTS])
}

const sits = async (guest) => {
  const [product] = await guest.sits(one)
  return product
}
const adds = async (guest) => {
  const product = await sits(guest)
  await guest.adds(one, product)
  return guest.cart(one)
}
await measured('a menu for a visitor without a session', { do: (guest) => guest.get(one, '/filials/1013') })
await measured('arriving at a table: a session begins', { do: sits })
await measured('a menu with a session and no cart', {
  before: sits,
  do: (guest) => guest.get(one, '/filials/1013'),
})
await measured('the cart', { before: adds, do: (guest) => guest.get(one, '/cart') })
await measured('the first dish: a cart begins', {
  before: sits,
  do: (guest, product) => guest.adds(one, product),
})
await measured('an order', { before: adds, do: (guest, cart) => guest.orders(one, cart) })

console.log(
  '| What, one of each of %d guests | Scripts | Transactions | Records read, in scripts too | Bytes on the line | Bytes more in memory |',
  GUESTS,
)
console.log('|---|---|---|---|---|---|')
for (const [what, scripts, sessions, sent, held, reads] of rows)
  console.log(`| ${what} | ${scripts} | ${sessions} | ${reads} | ${sent} | ${held} |`)
await here.close()
