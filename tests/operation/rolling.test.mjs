/** A rolling restart of three instances on one Redis behind the proxy, while guests never stop. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { instances, redis } from './instances.mjs'
import { guest, until, world } from './world.mjs'

const here = world()
after(() => here.close())

const VENUE = '/filials/1013'
const TABLE = `${VENUE}?filial_id=1013&table_id=t1&main_terminal_id=1010`
const names = ['one', 'two', 'three']
let proxy
let room

before(async () => {
  proxy = await here.proxy([])
  const store = await redis(here)
  // Longer than the proxy needs to see it, no longer than a test should take.
  room = await instances(here, store.url, 3, {
    PUBLIC_URL: proxy.origin,
    TRUSTED_PROXIES: '127.0.0.1',
    LINGER_SECONDS: '4',
  })
  for (const [n, { web, admin }] of room.all.entries()) {
    proxy.env[`INSTANCE_${names[n].toUpperCase()}`] = web
    proxy.env[`INSTANCE_${names[n].toUpperCase()}_ADMIN`] = admin.split(':')[1]
  }
  proxy.begin()
  for (const name of names) await until(() => proxy.isUp(name), `${name} is ready`)
})

test('three instances are restarted one after the other: no request fails, and no cart is lost', async (t) => {
  const failed = []
  let asked = 0
  let going = true
  const crowd = Array.from({ length: 6 }, async (_, n) => {
    const eater = guest(proxy.origin)
    const menu = await eater.get(TABLE)
    const [, product] = /name="product" value="(\d+)"/.exec(menu.body)
    let added = 0
    while (going) {
      // Half of them read, half of them change.
      const { status } =
        n % 2
          ? await eater.get('/faq')
          : await eater.post('/cart/lines', { filial: 1013, product, delta: added % 2 ? -1 : 1, back: VENUE })
      asked += 1
      added += 1
      if (status >= 400) failed.push(status)
    }
    const { shell } = JSON.parse((await eater.get('/_data/cart')).body)
    eater.close()
    return n % 2 ? undefined : [shell.cart?.count ?? 0, added % 2]
  })
  for (const [n, name] of names.entries()) {
    const { child, ended, web, admin } = room.all[n]
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
    room.all[n] = await room.serve(web, admin)
    await until(() => proxy.isUp(name), `${name} is back`)
  }
  going = false
  for (const counted of await Promise.all(crowd))
    if (counted) assert.equal(counted[0], counted[1], 'every change counts once')
  assert.deepEqual(failed, [])
  t.diagnostic(`${asked} requests`)
})

test('a script of a new build is brought while only one instance has it, and one of no build is not found', async () => {
  const state = path.join(here.folder, 'newer')
  await mkdir(path.join(state, 'builds/newer'), { recursive: true })
  await writeFile(path.join(state, 'builds/newer/entry-NEWER000.js'), '// of the next build\n')
  const { child, ended, web, admin } = room.all[2]
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
  room.all[2] = await room.serve(web, admin, { STATE_DIR: state })
  await until(() => proxy.isUp('three'), 'three is back')
  const eater = guest(proxy.origin)
  const told = []
  for (let n = 0; n < 12; n++) told.push((await eater.get('/assets/entry-NEWER000.js')).status)
  assert.deepEqual(told, Array(12).fill(200))
  assert.equal((await eater.get('/assets/entry-NOWHERE0.js')).status, 404)
  eater.close()
})
