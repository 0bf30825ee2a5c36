/** Three instances on one Redis: what guests do by one is there by all, whatever dies meanwhile. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { diner, instances, redis } from './instances.mjs'
import { text, until, world } from './world.mjs'

const here = world()
after(() => here.close())

/** `make faults` sets a thousand. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3)
let store
let room

before(async () => {
  store = await redis(here)
  room = await instances(here, store.url, 3)
})

/** What a test has killed is started again. */
beforeEach(async () => {
  for (const [n, { child }] of room.all.entries())
    if (child.exitCode !== null || child.signalCode !== null) room.all[n] = await room.serve()
  await fetch(`http://${room.sandbox.sandbox}/_sandbox/api/faults`, { method: 'DELETE' })
})

test('a cart that is changed by one instance is the same by the others', async () => {
  const [one, two, three] = room.all
  const guest = diner()
  const [product] = await guest.sits(one)
  assert.equal((await guest.adds(two, product)).status, 303)
  assert.equal((await guest.adds(three, product)).status, 303)
  for (const instance of room.all) assert.deepEqual([...(await guest.cart(instance)).pieces], [[product, 2]])
})

test('a choice at a bill by one instance comes by the stream of another', async () => {
  const [one, two] = room.all
  const place = { filial_id: 1013, table_id: 't7' }
  const { data: bill } = await room.control('bill/open', place)
  const [first, second] = [diner(), diner()]
  const [product] = await first.sits(one)
  await second.sits(two)
  await room.control('bill/add', { bill_id: bill.id, product_id: Number(product), count: 2 })
  const table = '/filials/1013/bill?filial_id=1013&table_id=t7&main_terminal_id=1010'
  const seen = (await second.data(two, table)).page.data
  const stream = await second.get(two, seen.events)
  assert.equal(stream.status, 200)
  let said = ''
  const reading = (async () => {
    for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) said += chunk
  })().catch(() => {})
  await until(() => said.includes('retry:'), 'the stream is open')
  const before = said.length
  const fields = { bill: bill.id, [`unit.${seen.lines[0].key}`]: '1' }
  const chosen = await first.post(one, `${table.replace('/bill?', '/bill/dishes?')}`, fields)
  assert.equal(chosen.status, 303)
  assert.doesNotMatch(chosen.headers.get('location'), /problem/)
  await until(() => said.slice(before).includes('data:'), 'the other phone hears of it', 20_000)
  await stream.body.cancel?.().catch(() => {})
  void reading
})

/**
 * Twenty phones of one session add at once by three instances. Each then reads by another one: what it has added is
 * there (read your writes), the version never goes back (monotonic reads), and at the end every piece is there (no lost
 * update), once (no doubled one).
 */
async function twentyAtOnce(phones, dishes) {
  const owner = diner()
  await owner.sits(room.all[0])
  await owner.adds(room.all[0], dishes[0])
  const acknowledged = new Map([[dishes[0], 1]])
  const work = Array.from({ length: phones }, async (_, n) => {
    const phone = diner()
    for (const [name, value] of owner.cookies) phone.cookies.set(name, value)
    const product = dishes[n % dishes.length]
    let [version, own] = [0, 0]
    for (let turn = 0; turn < 2; turn++) {
      const answer = await phone.adds(room.all[(n + turn) % 3], product)
      assert.equal(answer.status, 303, await answer.text())
      own += 1
      acknowledged.set(product, (acknowledged.get(product) ?? 0) + 1)
      const cart = await phone.cart(room.all[(n + turn + 1) % 3])
      assert.ok(cart.pieces.get(product) >= own, 'read your writes')
      assert.ok(cart.version > version, 'monotonic reads')
      version = cart.version
    }
  })
  await Promise.all(work)
  for (const instance of room.all) {
    const { pieces, version } = await owner.cart(instance)
    assert.deepEqual(Object.fromEntries(pieces), Object.fromEntries(acknowledged), 'no lost update')
    assert.equal(version, 2 * phones + 1)
  }
}

test('twenty edits at once by three instances: none is lost, and no read is stale', async () => {
  const dishes = (await diner().sits(room.all[0])).slice(0, 10)
  for (let round = 0; round < ROUNDS; round++) await twentyAtOnce(20, dishes)
})

test('an instance that is killed takes no session and no cart along', async () => {
  const [one, two] = room.all
  const guest = diner()
  const [product] = await guest.sits(one)
  await guest.adds(one, product)
  // What the others have in hand is answered.
  const held = room.all
    .slice(1)
    .flatMap((other) => Array.from({ length: 10 }, () => guest.get(other, '/cart')))
  one.child.kill('SIGKILL')
  await one.ended
  for (const page of await Promise.all(held)) assert.equal(page.status, 200)
  assert.deepEqual([...(await guest.cart(two)).pieces], [[product, 1]])
  room.all[0] = await room.serve()
  assert.deepEqual([...(await guest.cart(room.all[0])).pieces], [[product, 1]])
})

test('an order whose instance is killed is taken up by another, as the one order', async () => {
  const [one, two] = room.all
  const guest = diner()
  const [product] = await guest.sits(one)
  await guest.adds(one, product)
  const before = (await room.orders()).length
  const cart = await guest.cart(one)
  await room.control('faults', {
    path: '/takeaway/v1/express/order',
    kind: 'hang',
    after_commit: true,
    times: 1,
  })
  const lost = guest.orders(one, cart).catch(() => {})
  await until(async () => (await room.orders()).length === before + 1, 'the upstream has it')
  one.child.kill('SIGKILL')
  await one.ended
  await lost
  // Pressed again elsewhere, until that one sees that no instance works on it.
  let page
  await until(async () => {
    const again = await guest.orders(two, cart)
    page = again.headers.get('location') ?? ''
    return /\/order\//.test(page)
  }, 'the guest finds the order')
  assert.equal((await room.orders()).length, before + 1)
  assert.equal((await guest.get(two, page)).status, 200)
})

test('a store that is emptied while an order is on its way leaves one order', async () => {
  const [one, two] = room.all
  const guest = diner()
  const [product] = await guest.sits(one)
  await guest.adds(one, product)
  const before = (await room.orders()).length
  const cart = await guest.cart(one)
  await room.control('faults', {
    path: '/takeaway/v1/express/order',
    kind: 'delay',
    delay_ms: 1500,
    times: 1,
  })
  const sent = guest.orders(one, cart)
  await until(
    async () => (await text(`http://${room.sandbox.sandbox}/_sandbox/log`)).includes('express/order'),
    'it is on its way',
  )
  const emptied = here.start('redis-cli', ['-p', String(store.port), 'FLUSHALL'])
  assert.equal(await emptied.ended, 0, emptied.output)
  await sent
  // Whatever the guest does now, by whichever instance: the cart is gone, and nothing is ordered again.
  for (const instance of [two, one]) await guest.orders(instance, cart)
  assert.equal((await room.orders()).length, before + 1)
  assert.equal((await guest.adds(two, product)).status, 303, 'guests go on')
})

for (const [how, away, back] of [
  ['frozen', () => store.signal('SIGSTOP'), () => store.signal('SIGCONT')],
  [
    'stopped',
    () => store.stop(),
    async () => {
      store = await redis(here, [], store.port)
    },
  ],
]) {
  test(`a store that is ${how}: menus can be read, changes are to be tried again, and all is well within two seconds`, async (t) => {
    const [one] = room.all
    const guest = diner()
    const [product] = await guest.sits(one)
    await guest.adds(one, product)
    const cookies = new Map(guest.cookies)
    await away()
    const began = performance.now()
    const menu = await guest.get(one, '/filials/1013')
    const waited = performance.now() - began
    assert.equal(menu.status, 200)
    assert.ok((await menu.text()).includes(product))
    const { shell } = await guest.data(one, '/filials/1013')
    assert.ok(!('cart' in shell), 'an open page keeps the cart that it shows')
    const change = await guest.adds(one, product)
    assert.equal(change.status, 503)
    assert.ok(change.headers.has('retry-after'))
    assert.equal((await guest.orders(one, { version: 1, sum: 1 })).status, 503)
    for (const own of ['/cart', '/orders']) {
      const page = await guest.get(one, own)
      assert.equal(page.status, 503, `${own} says that there is nothing, or asks to sign in`)
      assert.ok(page.headers.has('retry-after'))
    }
    assert.equal(
      (await diner().get(one, '/filials/1013')).status,
      200,
      'who has no session waits for nothing',
    )
    const ready = await fetch(`http://${one.admin}/readyz`)
    assert.equal(ready.status, 200)
    assert.match(await ready.text(), /^store down$/m)
    assert.match(await text(`http://${one.admin}/metrics`), /^state_health\{state="down"\} 1$/m)
    assert.deepEqual(guest.cookies, cookies, 'nobody lost the session')
    await back()
    const returned = performance.now()
    let added
    while (!added || added.status === 503) {
      added = await guest.adds(one, product)
      await pause(20)
    }
    const late = performance.now() - returned
    assert.ok(late < 2000, `${late} ms until changes went through`)
    if (how === 'frozen') {
      // What was frozen has forgotten nothing: what was told to be tried again counts as it was told.
      const pieces = (await guest.cart(one)).pieces.get(product)
      assert.ok(pieces >= 2 && pieces <= 3, String(pieces))
    }
    assert.match(await text(`http://${one.admin}/readyz`), /^store ok$/m)
    t.diagnostic(`a menu waited ${Math.round(waited)} ms, changes came back after ${Math.round(late)} ms`)
  })
}
