/** Several instances on one Redis, and guests who come by whichever of them. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { freePorts, until } from './world.mjs'

const VENUE = '/filials/1013'
const TABLE = `${VENUE}?filial_id=1013&table_id=t1&main_terminal_id=1010`
const any = '127.0.0.1:0'

/** A real server on a port of its own, ended by its id. */
export async function redis(here, more = [], port = undefined) {
  const at = port ?? (await freePorts(1))[0]
  const run = here.start('redis-server', ['--bind', '127.0.0.1', '--port', String(at), '--save', '', ...more])
  await until(() => {
    assert.equal(run.child.exitCode, null, run.output)
    return run.output.includes('Ready to accept connections')
  }, 'redis-server takes connections')
  return {
    ...run,
    port: at,
    url: `redis://127.0.0.1:${at}/0`,
    signal: (name) => process.kill(run.child.pid, name),
    async stop() {
      run.child.kill('SIGKILL')
      await run.ended
    },
  }
}

/** The sandbox, and instances that share a Redis; what each keeps for itself is made once for all. */
export async function instances(here, url, count, settings = {}) {
  const state = path.join(here.folder, 'state')
  const sandbox = await here.product([
    'sandbox',
    '--sandbox-listen',
    any,
    '--state-dir',
    path.join(here.folder, 'sandbox'),
  ])
  const env = {
    UPSTREAM_URL: `http://${sandbox.sandbox}`,
    SECRET_KEYS: randomBytes(32).toString('hex'),
    STATE_URL: url,
    STATE_DIR: state,
    RENDER_WAIT_MS: '10000',
    RENDER_LIMIT_MS: '5000',
    MUTATIONS_PER_MINUTE: '1000000',
    ADDRESS_MUTATIONS_PER_MINUTE: '1000000',
    ADDRESS_ORDERS_PER_MINUTE: '100000',
    ADDRESS_LOOKUPS_PER_MINUTE: '1000000',
    ADDRESS_SESSIONS_PER_MINUTE: '100000',
    ...settings,
  }
  const serve = (listen = any, admin = any, more = {}) =>
    here.product(['serve', '--listen', listen, '--admin-listen', admin], { ...env, ...more })
  const all = []
  // One after the other: the first makes V8's snapshot.
  for (let n = 0; n < count; n++) all.push(await serve())
  const control = async (name, body) => {
    const address = `http://${sandbox.sandbox}/_sandbox/api/${name}`
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(address, { ...sent, headers: { 'content-type': 'application/json' } })
    assert.ok(answer.ok, `${name}: ${answer.status}`)
    return answer.json()
  }
  return { all, env, serve, control, sandbox, orders: () => control('orders') }
}

/** A browser of sorts without scripts, which is led to another instance by each request. */
export function diner() {
  const cookies = new Map()
  const ask = async (instance, address, { fields, headers } = {}) => {
    const answer = await fetch(`http://${instance.web}${address}`, {
      method: fields ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(fields && { 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
      cookies.set(name, value)
    }
    return answer
  }
  const self = {
    ask,
    cookies,
    get: (instance, address) => ask(instance, address),
    post: (instance, address, fields) => ask(instance, address, { fields }),
    data: async (instance, address) => (await ask(instance, `/_data${address}`)).json(),
    /** Comes to a table: answers the products of its menu. */
    async sits(instance) {
      const menu = await ask(instance, TABLE)
      assert.equal(menu.status, 200)
      return [
        ...new Set([...(await menu.text()).matchAll(/name="product" value="(\d+)"/g)].map(([, id]) => id)),
      ]
    },
    adds: (instance, product, more = {}) =>
      ask(instance, '/cart/lines', {
        fields: { filial: 1013, product, delta: 1, back: VENUE, m: mutation(), ...more },
      }),
    /** The cart by an instance: its version, and pieces by product. */
    async cart(instance) {
      // Without a cart of any kind it says that it could not be read: a call of the store was too slow.
      const { page, shell } = await until(async () => {
        const read = await self.data(instance, '/cart')
        return 'cart' in read.shell && read
      }, 'the cart is read')
      const pieces = new Map()
      for (const line of shell.cart?.lines ?? [])
        pieces.set(String(line.productId), (pieces.get(String(line.productId)) ?? 0) + line.qty)
      const total = page.data.totals?.find(({ kind }) => kind === 'total')
      return { version: shell.cart?.version ?? 0, pieces, sum: total?.sum, route: page.route }
    },
    async orders(instance, { version, sum }) {
      return ask(instance, '/orders', { fields: { cart_version: version, total: sum, payment: 'cash' } })
    },
  }
  return self
}

/** The name of a change. */
const mutation = () => randomBytes(16).toString('base64url')
