/** The product behind the repository's proxy, watched by a Prometheus with the repository's configuration. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { parse, stringify } from 'yaml'
import { BINARY, freePorts, guest, operation, read, text, until, world } from './world.mjs'

const here = world()
after(() => here.close())

const VENUE = '/filials/1013'
const TABLE = `${VENUE}?filial_id=1013&table_id=t1&main_terminal_id=1010`
const any = '127.0.0.1:0'
const state = path.join(here.folder, 'state')
let sandbox
let proxy
let one

/** The settings of compose.yaml where they are not another machine's. */
const serve = (environment, listen = any, admin = any) =>
  here.product(['serve', '--listen', listen, '--admin-listen', admin, '--state-dir', state], {
    PROFILE: 'production',
    UPSTREAM_URL: `http://${sandbox.sandbox}`,
    PUBLIC_URL: proxy.origin,
    TRUSTED_PROXIES: '127.0.0.1',
    RENDER_WAIT_MS: '10000',
    RENDER_LIMIT_MS: '5000',
    ...environment,
  })
const place = ({ web, admin }) => ({ web, admin: admin.split(':')[1] })
const status = async (url) => (await fetch(url)).status
const image = read('Dockerfile')
  .split(/^FROM /m)
  .at(-1)
/** The image's health check as it stands there, asked of an admin address. */
function health(admin) {
  const [command, ...args] = JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(image)[1])
  return spawnSync(command, args, { env: { ...process.env, ADMIN_LISTEN: admin } }).status
}

const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0
/** As a container engine does with `read_only`: the folder, the user, the command. */
const READ_ONLY = `
  set -e
  user=$1; shift
  mount --bind "$0" "$0" && mount --bind "$0/state" "$0/state" && mount -t proc proc "$0/proc"
  mount --bind /dev/null "$0/dev/null"
  mount -o remount,bind,ro "$0"
  exec chroot --userspec="$user" "$0" "$@"`

before(async () => {
  // Known before the proxy begins: the second instance is not there yet.
  const [secondWeb, secondAdmin] = await freePorts(2)
  sandbox = await here.product([
    'sandbox',
    '--sandbox-listen',
    any,
    '--state-dir',
    path.join(here.folder, 'sandbox'),
  ])
  proxy = await here.proxy([undefined, { web: `127.0.0.1:${secondWeb}`, admin: String(secondAdmin) }])
  // The test ends the lingering itself, by a second signal.
  one = await serve({ LINGER_SECONDS: '600' })
  const { web, admin } = place(one)
  Object.assign(proxy.env, { INSTANCE_ONE: web, INSTANCE_ONE_ADMIN: admin })
  proxy.begin()
  await until(async () => (await proxy.isUp('one')) && !(await proxy.isUp('two')), 'the first alone is ready')
})

test('a guest orders through the proxy, over HTTP/2, and what Prometheus counts of it has the names of the rules', async () => {
  const plain = await fetch(`${proxy.plain}/faq`, { redirect: 'manual' })
  assert.equal(plain.status, 308)
  assert.match(plain.headers.get('location'), /^https:\/\/localhost[:/]/)
  const eater = guest(proxy.origin)
  const menu = await eater.get(TABLE)
  assert.equal(menu.status, 200)
  assert.equal(eater.protocol(), 'h2')
  assert.match(String(menu.headers['set-cookie']), /__Host-dk=/)
  const [, product] = /name="product" value="(\d+)"/.exec(menu.body)
  assert.equal(
    (await eater.post('/cart/lines', { filial: 1013, product, delta: 1, back: VENUE })).status,
    303,
  )
  const { page, shell } = JSON.parse((await eater.get('/_data/cart')).body)
  const { sum } = page.data.totals.find(({ kind }) => kind === 'total')
  const placed = await eater.post('/orders', {
    cart_version: shell.cart.version,
    total: sum,
    payment: 'cash',
  })
  assert.equal(placed.status, 303)
  assert.match(placed.headers.location, /\/filials\/1013\/order\//)
  assert.equal((await eater.get('/cart')).status, 200)
  eater.close()
  assert.equal(health(one.admin), 0)

  const exported = await text(`http://${one.admin}/metrics`)
  for (const sample of [
    'http_request_seconds_bucket{route="/filials/{filial_id}",kind="page",class="2xx",le="1"}',
    'http_request_seconds_bucket{route="/orders",kind="change",class="3xx",le="5"}',
    'orders_total{outcome="placed"} 1',
    'state_health{state="ok"} 1',
  ])
    assert.ok(exported.includes(`\n${sample}`), sample)

  // Rare ones show up when they happen first: they are in the list of all.
  const known = new Set(['up'])
  for (const [, name] of exported.matchAll(/^(\w+)/gm)) known.add(name)
  for (const [, name] of (await proxy.metrics()).matchAll(/^(haproxy_\w+)/gm)) known.add(name)
  for (const [, name, kind] of read('server/web/log/metrics.rs').matchAll(/\(\s*"(\w+)",\s*Kind::(\w+)/g))
    for (const end of kind === 'Seconds' ? ['_bucket', '_sum', '_count'] : ['']) known.add(name + end)
  const rules = ['rules.yml', 'alerts.yml'].flatMap((file) =>
    parse(read(`server/operation/${file}`)).groups.flatMap((group) => group.rules),
  )
  for (const { record } of rules) known.add(record)
  const panels = JSON.parse(read('server/operation/grafana/dashboard.json')).panels
  const expressions = [
    ...rules.map(({ expr }) => String(expr)),
    ...panels.flatMap(({ targets }) => targets ?? []).map(({ expr }) => expr),
  ]
  for (const expr of expressions) {
    const bare = expr.replace(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on)\s*\([^)]*\)|"[^"]*"/g, ' ')
    const names = [...bare.matchAll(/[a-z][\w:]*(?!\w)(?!\s*\()/g)].map(([name]) => name)
    for (const name of names.filter((name) => !['and', 'or', 'unless', 'by', 'on', 'e6'].includes(name)))
      if (!/^(sum|max|min|count|rate|increase|topk|vector|histogram_quantile)$/.test(name))
        assert.ok(known.has(name), `${name} in ${expr}`)
  }
})

test('Prometheus reads the instance, tells pages and orders from the rest, and answers what the dashboard asks', async () => {
  const [port] = await freePorts(1)
  const config = parse(read('server/operation/prometheus.yml'))
  Object.assign(config.global, { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' })
  config.scrape_configs[0].static_configs[0].targets = [one.admin]
  config.scrape_configs[1].static_configs[0].targets = [proxy.admin]
  const folder = path.join(here.folder, 'prometheus')
  mkdirSync(folder)
  for (const file of config.rule_files) copyFileSync(path.join(operation, file), path.join(folder, file))
  writeFileSync(path.join(folder, 'prometheus.yml'), stringify(config))
  const prometheus = here.start('prometheus', [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  const ask = async (query) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query })}`)
    const { status, error, data } = await answer.json()
    assert.equal(status, 'success', `${query}: ${error}`)
    return data.result
  }
  const eater = guest(proxy.origin)
  for (const address of ['/faq', '/orders', '/favicon.svg', '/_data/faq']) await eater.get(address)
  await eater.post('/orders', { back: '/cart' })
  eater.close()
  const routes = async (kind) =>
    (await ask(`count by (route) (http_request_seconds_count{kind="${kind}"})`).catch(() => [])).map(
      ({ metric }) => metric.route,
    )
  const last = '/_data/faq'
  await until(
    async () => (await routes('other')).includes(last),
    () => prometheus.output,
  )
  for (const page of ['/faq', '/orders']) {
    assert.ok((await routes('page')).includes(page))
    assert.ok(!(await routes('other')).includes(page))
  }
  assert.ok((await routes('change')).includes('/orders'))
  await until(async () => (await ask('sum(up)'))[0]?.value[1] === '2', 'the proxy is read too')
  const { panels } = JSON.parse(read('server/operation/grafana/dashboard.json'))
  for (const { expr } of panels.flatMap(({ targets }) => targets ?? []))
    await ask(expr.replaceAll('$instance', '.*'))
  prometheus.child.kill()
  await prometheus.ended
})

test('a rolling restart: an instance that stops gets no requests, none is refused, the cart and the streams go on', async () => {
  const eater = guest(proxy.origin)
  const menu = await eater.get(TABLE)
  const [, product] = /name="product" value="(\d+)"/.exec(menu.body)
  await eater.post('/cart/lines', { filial: 1013, product, delta: 1, back: VENUE })
  const lines = async () => JSON.parse((await eater.get('/_data/cart')).body).shell.cart.count
  const before = await lines()

  /** A stream of the menu's changes: what came of it while it stays open. */
  const listen = () => {
    const stream = eater.open(`${VENUE}/events`, { headers: { accept: 'text/event-stream' } })
    const seen = { said: '', open: true }
    stream.on('data', (chunk) => {
      seen.said += chunk
    })
    stream.on('error', () => {})
    stream.on('close', () => {
      seen.open = false
    })
    return seen
  }
  const first = listen()
  await until(() => first.said.includes('retry:'), 'the stream is not gathered')
  assert.ok(first.open)

  const { INSTANCE_TWO: web, INSTANCE_TWO_ADMIN: port } = proxy.env
  await serve({}, web, `127.0.0.1:${port}`)
  await until(() => proxy.isUp('two'), 'the second is ready')

  // Guests who never stop asking, while the first goes.
  const refused = []
  let asking = true
  let asked = 0
  const crowd = Array.from({ length: 4 }, async () => {
    const walker = guest(proxy.origin)
    while (asking) {
      const { status } = await walker.get('/faq')
      asked += 1
      if (status !== 200) refused.push(status)
    }
    walker.close()
  })
  one.child.kill('SIGTERM')
  await until(
    async () => (await status(`http://${one.admin}/readyz`)) === 503,
    'the first says that it is not ready',
  )
  assert.equal(health(one.admin), 1)
  await until(async () => !(await proxy.isUp('one')), 'the proxy turns away from it')
  // It still would take what comes; nothing does.
  const ids = new Set()
  for (let turn = 0; turn < 20; turn++) ids.add((await eater.get('/faq')).headers['x-request-id'])
  await until(
    () => proxy.log().filter((line) => ids.has(line['request.id'])).length === 20,
    'the log tells of them',
  )
  for (const line of proxy.log().filter((line) => ids.has(line['request.id'])))
    assert.equal(line.instance, 'two')
  await until(() => !first.open, 'the stream ends with its instance')
  one.child.kill('SIGTERM')
  assert.equal(await one.ended, 0)
  const more = asked + 40
  await until(() => asked > more, 'guests go on')
  asking = false
  await Promise.all(crowd)
  assert.deepEqual(refused, [])

  assert.equal(await lines(), before)
  const second = listen()
  await until(() => second.said.includes('retry:'), 'the stream goes on elsewhere')
  assert.ok(!proxy.process.output.includes(VENUE), 'no paths in the log of the proxy')
  eater.close()
})

test('the binary runs as nobody in a folder that holds no more than the image', {
  skip: !mayMount && 'this user may not mount',
}, async () => {
  const folder = path.join(here.folder, 'root')
  const put = (file, from = file) => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
    copyFileSync(from, path.join(folder, file))
  }
  put('/usr/local/bin/dastarkhan', BINARY)
  for (const [library] of execFileSync('ldd', [BINARY], { encoding: 'utf8' }).matchAll(/\/\S+(?= \(0x)/g))
    put(library)
  mkdirSync(path.join(folder, 'proc'))
  put('/dev/null', '/etc/hostname')
  put('/etc/ssl/certs/ca-certificates.crt')
  const [, user] = /^USER (\S+)$/m.exec(image)
  execFileSync('install', [
    '-d',
    '-m',
    '0700',
    '-o',
    user.split(':')[0],
    '-g',
    user.split(':')[1],
    `${folder}/state`,
  ])
  execFileSync('chmod', ['755', here.folder, folder])
  const [command] = JSON.parse(/^CMD (.*)$/m.exec(image)[1])
  const [entry] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(image)[1])
  const settings = Object.fromEntries(
    /^ENV (.*)$/m
      .exec(image)[1]
      .split(' ')
      .map((pair) => pair.split('=')),
  )
  const env = {
    ...settings,
    LISTEN: any,
    ADMIN_LISTEN: any,
    UPSTREAM_URL: `http://${sandbox.sandbox}`,
    PUBLIC_URL: 'https://localhost',
  }
  const alone = here.start('unshare', ['--mount', 'sh', '-c', READ_ONLY, folder, user, entry, command], env)
  const { web, admin } = await here.addresses(alone)
  assert.equal(await status(`http://${web}/faq`), 200)
  assert.equal(health(admin), 0)
  assert.match(
    readFileSync(`/proc/${alone.child.pid}/status`, 'utf8'),
    new RegExp(`^Uid:\\s+${user.split(':')[0]}\\s`, 'm'),
  )
  assert.match(readFileSync(`/proc/${alone.child.pid}/mounts`, 'utf8'), / \/ \S+ ro[, ]/)
  alone.child.kill('SIGINT')
  alone.child.kill('SIGTERM')
  await alone.ended
})
