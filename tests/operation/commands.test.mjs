/** What an operator does beside running it: check before a start, back up, restore, a store behind TLS and a password. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { diner, instances, redis } from './instances.mjs'
import { BINARY, freePorts, read, text, until, world } from './world.mjs'

const here = world()
after(() => here.close())

const any = '127.0.0.1:0'
const place = (name) => path.join(here.folder, name)
let store
let room

before(async () => {
  store = await redis(here)
  room = await instances(here, store.url, 0)
})

/** Exit code and words of a command; it ends by itself. */
async function said(args, env) {
  const started = here.start(BINARY, args, env)
  const closed = new Promise((resolve) => started.child.once('close', resolve))
  const code = await started.ended
  await closed
  return { code, output: started.output }
}

test('a check finds everything in order, starts nothing and listens nowhere', async () => {
  const env = { ...room.env, STATE_DIR: place('checked') }
  const { code, output } = await said(['check'], env)
  assert.equal(code, 0, output)
  assert.match(output, /^ready to start$/m)
  const { STATE_URL: _, ...alone } = env
  assert.equal((await said(['check'], alone)).code, 0)
  // An address that is taken is no matter: the server of before may still run on it.
  assert.equal((await said(['check', '--listen', `127.0.0.1:${store.port}`], env)).code, 0)
})

test('a check names every setting that a start would stumble over, in the same words', async () => {
  const unreachable = 'http://127.0.0.1:9'
  for (const [name, value, words] of [
    ['SECRET_KEYS', 'abc', /SECRET_KEYS/],
    ['TRUSTED_PROXIES', 'house', /TRUSTED_PROXIES/],
    ['PUBLIC_URL', 'http://food.example.kz', /PUBLIC_URL is plain http/],
    ['IMAGE_STORAGE', 'http://storage.example.kz/', /IMAGE_STORAGE/],
    ['STATE_URL', 'http://canary@127.0.0.1/', /STATE_URL.*write it like redis:/],
    ['STATE_URL', `redis://:canary@127.0.0.1:${store.port}/0`, /STATE_URL.*authentication failed/],
    ['STATE_URL', `redis://127.0.0.1:${store.port}/99`, /STATE_URL.*DB index/],
    ['STATE_DIR', '/dev/null/state', /STATE_DIR.*\/dev\/null\/state/],
  ]) {
    const env = { ...room.env, STATE_DIR: place('wrong'), [name]: value }
    if (name === 'PUBLIC_URL') env.PROFILE = 'production'
    const checked = await said(['check'], env)
    assert.equal(checked.code, 1, `${name}: ${checked.output}`)
    assert.match(checked.output, words)
    assert.doesNotMatch(checked.output, /canary/)
    const started = await said(['serve', '--listen', any, '--admin-listen', any], env)
    assert.equal(started.code, 1, `${name}: ${started.output}`)
    const reason = started.output.split('\n').findLast((line) => line.startsWith('dastarkhan: '))
    assert.ok(checked.output.split('\n').includes(reason), `${reason} is not in ${checked.output}`)
  }
  // What a start puts up with is told as well, and all of it at once.
  const { code, output } = await said(['check'], {
    ...room.env,
    STATE_DIR: place('wrong'),
    STATE_URL: 'redis://127.0.0.1:9/0',
    UPSTREAM_URL: unreachable,
    IMAGE_STORAGE: `${unreachable}/files/`,
  })
  assert.equal(code, 1)
  for (const words of [/STATE_URL: .*refused/, /UPSTREAM_URL: .*reached/, /IMAGE_STORAGE: .*reached/])
    assert.match(output, words)
  const wrong = await said(['check', '--header-seconds', '0'], room.env)
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /--header-seconds/)
  assert.equal((await said(['check', '--no-such-flag'], room.env)).code, 2)
})

test('a backup beside a running server, and a restore by one command', async () => {
  const [state, backup] = [place('state-of-one'), place('backup')]
  const { STATE_URL: _, SECRET_KEYS: __, ...alone } = { ...room.env, STATE_DIR: state }
  const serve = () => here.product(['serve', '--listen', any, '--admin-listen', any], alone)
  let server = await serve()
  const guest = diner()
  const [product] = await guest.sits(server)
  await guest.adds(server, product)
  const made = await said(['backup', backup], alone)
  assert.equal(made.code, 0, made.output)
  assert.deepEqual(readdirSync(backup).sort(), ['secret.keys', 'state.sqlite'])
  assert.equal(statSync(backup).mode & 0o777, 0o700)
  for (const file of readdirSync(backup))
    assert.equal(statSync(path.join(backup, file)).mode & 0o777, 0o600, file)
  // What comes later is not in it.
  await guest.adds(server, product)
  const refused = await said(['restore', backup], alone)
  assert.equal(refused.code, 1)
  assert.match(refused.output, /a server runs on it/)
  server.child.kill('SIGKILL')
  await server.ended
  rmSync(path.join(state, 'secret.keys'))
  const restored = await said(['restore', backup], alone)
  assert.equal(restored.code, 0, restored.output)
  for (const file of ['state.sqlite', 'secret.keys'])
    assert.equal(statSync(path.join(state, file)).mode & 0o777, 0o600, file)
  server = await serve()
  assert.deepEqual([...(await guest.cart(server)).pieces], [[product, 1]], 'the cart of then')
  assert.ok(readdirSync(state).includes('state.sqlite-wal'), 'its readers wait for no writer')
  assert.match(await text(`http://${server.admin}/readyz`), /^store ok$/m)
  // A second one takes the place of the first.
  assert.equal((await said(['backup', backup], alone)).code, 0)
  server.child.kill('SIGKILL')
  await server.ended
  // One that is damaged takes the place of nothing.
  const whole = readFileSync(path.join(backup, 'state.sqlite'))
  writeFileSync(path.join(backup, 'state.sqlite'), whole.fill(0xff, 4096))
  const kept = readFileSync(path.join(state, 'state.sqlite'))
  assert.equal((await said(['restore', backup], alone)).code, 1)
  assert.deepEqual(readFileSync(path.join(state, 'state.sqlite')), kept)
  const elsewhere = await said(['backup', backup], room.env)
  assert.equal(elsewhere.code, 1)
  assert.match(elsewhere.output, /STATE_URL/)
})

test('a store behind TLS, with a user and a password', async () => {
  const [key, cert] = ['redis.key', 'redis.crt'].map(place)
  const make =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE'
  execFileSync('openssl', [...make.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const [port] = await freePorts(1)
  const safe = await redis(
    here,
    [
      ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'],
      ...['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert],
      ...[
        '--user',
        'default',
        'off',
        '--user',
        'food',
        'on',
        '>p@ss/word',
        '~{dk}:*',
        '+@all',
        '-@admin',
        '-@dangerous',
      ],
    ],
    port,
  )
  const env = {
    ...room.env,
    STATE_DIR: place('behind-tls'),
    STATE_URL: `rediss://food:p%40ss%2Fword@localhost:${port}/0`,
  }
  const trusting = { ...env, SSL_CERT_FILE: cert }
  const { code, output } = await said(['check'], trusting)
  assert.equal(code, 0, output)
  const server = await here.product(['serve', '--listen', any, '--admin-listen', any], trusting)
  const guest = diner()
  const [product] = await guest.sits(server)
  await guest.adds(server, product)
  assert.deepEqual([...(await guest.cart(server)).pieces], [[product, 1]])
  assert.ok(!server.output().includes('p%40ss') && !server.output().includes('p@ss'))
  // A server with an unknown certificate, or one of another name, is refused.
  for (const [wrong, words] of [
    [env, /STATE_URL.*certificate/],
    [{ ...trusting, STATE_URL: env.STATE_URL.replace('localhost', '127.0.0.1') }, /STATE_URL.*certificate/],
    [
      { ...trusting, STATE_URL: env.STATE_URL.replace('p%40ss', 'guess') },
      /STATE_URL.*authentication failed/,
    ],
  ]) {
    const refused = await said(['check'], wrong)
    assert.equal(refused.code, 1, refused.output)
    assert.match(refused.output, words)
  }
  await safe.stop()
})

test('after a leak the new key alone starts on a store that holds nothing of the old one', async () => {
  const leaked = await redis(here)
  const env = { ...room.env, STATE_DIR: place('leaked'), STATE_URL: leaked.url }
  const old = await here.product(['serve', '--listen', any, '--admin-listen', any], env)
  await diner().sits(old)
  old.child.kill('SIGKILL')
  await old.ended
  const rotated = { ...env, SECRET_KEYS: 'ab'.repeat(32) }
  const refused = await said(['check'], rotated)
  assert.equal(refused.code, 1)
  assert.match(refused.output, /other SECRET_KEYS are in use there/)
  const [, block] = /```sh\n([\s\S]*?)```/.exec(
    read('server/operation/README.md').split('After a leak leave')[1],
  )
  execFileSync('sh', ['-c', block], { env: { ...process.env, STATE_URL: leaked.url }, stdio: 'ignore' })
  const ready = await said(['check'], rotated)
  assert.equal(ready.code, 0, ready.output)
  await leaked.stop()
})

test('a store that throws records away for room is told', async () => {
  const forgetful = await redis(here, ['--maxmemory-policy', 'allkeys-lru'])
  const env = { ...room.env, STATE_DIR: place('forgetful'), STATE_URL: forgetful.url }
  const checked = await said(['check'], env)
  assert.equal(checked.code, 1)
  assert.match(checked.output, /STATE_URL: its maxmemory-policy is allkeys-lru/)
  const server = await here.product(['serve', '--listen', any, '--admin-listen', any], env)
  assert.match(server.output(), /"level":"WARN"[^\n]*throws records away for room/)
  await forgetful.stop()
})

test('the README leads from nothing to three instances', async () => {
  const section = read('server/operation/README.md').split('## Several machines')[1]
  const [, block] = /```sh\n([\s\S]*?)```/.exec(section)
  const lines = block.split('\n')
  assert.match(lines.shift(), /^make setup && cargo build /)
  // The same lines, on ports that are free here; each is a whole number of its own.
  const numbers = [...new Set(block.match(/(?<=127\.0\.0\.1:|--port )\d{4}/g))]
  const ports = await freePorts(numbers.length)
  const port = (number) => ports[numbers.indexOf(String(number))]
  const script = lines
    .join('\n')
    .replace(/\b\d{4}\b/g, (number) => port(number))
    .replace('dastarkhan sandbox &', `dastarkhan sandbox --sandbox-listen 127.0.0.1:${port(8081)} &`)
    // On a slow machine two seconds are not enough.
    .replace(/^dastarkhan check.*$/m, 'until dastarkhan check; do sleep 0.5; done')
    .replace(/^curl.*$/m, '')
  mkdirSync(place('bin'))
  symlinkSync(BINARY, place('bin/dastarkhan'))
  const shell = here.start(
    'bash',
    ['-c', `set -e; trap 'kill $(jobs -p); wait' EXIT; trap 'exit 0' TERM; ${script}\nwait`],
    // Three instances begin at once: on a slow machine their first pages take longer than guests are to wait.
    { PATH: `${place('bin')}:${process.env.PATH}`, RENDER_WAIT_MS: '10000', RENDER_LIMIT_MS: '5000' },
  )
  try {
    const at = (number) => ({ web: `127.0.0.1:${port(number)}`, admin: `127.0.0.1:${port(number + 10)}` })
    for (const number of [8083, 8084, 8085])
      await until(
        async () => /^store ok$/m.test(await text(`http://${at(number).admin}/readyz`).catch(() => '')),
        () => `${number} is ready: ${shell.output}`,
        // Each makes V8's snapshot for itself, all at once.
        240_000,
      )
    const guest = diner()
    const [product] = await guest.sits(at(8083))
    await guest.adds(at(8084), product)
    assert.deepEqual([...(await guest.cart(at(8085))).pieces], [[product, 1]])
  } finally {
    shell.child.kill('SIGTERM')
    await shell.ended
  }
})
