/** Processes of the tests of operation, on free ports, with what they said; and a guest who speaks HTTP/2. */
import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http2 from 'node:http2'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const root = path.resolve(import.meta.dirname, '../..')
export const operation = path.join(root, 'server/operation')
export const BINARY = process.env.DASTARKHAN_BINARY ?? path.join(root, 'target/release/dastarkhan')
export const read = (file) => readFileSync(path.join(root, file), 'utf8')

/** A folder and processes that end with the tests of one file. */
export function world() {
  const folder = mkdtempSync(path.join(tmpdir(), 'dastarkhan-operation-'))
  const children = []
  const start = (command, args, env = {}) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const process_ = {
      child,
      output: '',
      /** After `ended`: all that it said is in `output`. */
      closed: new Promise((resolve) => child.once('close', resolve)),
      ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal))),
    }
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        process_.output += text
      })
    child.once('error', (error) => {
      process_.output += String(error)
    })
    children.push(process_)
    return process_
  }
  return {
    folder,
    start,
    async close() {
      for (const { child } of children) child.kill('SIGKILL')
      await Promise.all(children.map(({ child, ended }) => child.pid && ended))
      rmSync(folder, { recursive: true, force: true })
    },
    /** Starts our binary; answers its addresses by what it prints. */
    async product(args, env) {
      const started = start(BINARY, args, env)
      return { ...started, ...(await addresses(started)), output: () => started.output }
    },
    addresses,
    /** The proxy with the repository's configuration, in front of up to three instances. */
    async proxy(instances) {
      const certs = path.join(folder, 'certs')
      mkdirSync(certs, { recursive: true })
      const [key, cert] = ['key', 'cert'].map((name) => path.join(folder, name))
      const make =
        'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
      execFileSync('openssl', [...make.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
      writeFileSync(path.join(certs, 'localhost.pem'), readFileSync(cert) + readFileSync(key))
      const [plain, tls, admin] = await freePorts(3)
      const nowhere = { web: '127.0.0.1:1', admin: '1' }
      const env = {
        PROXY_CERTS: `${certs}/`,
        PROXY_HTTP: `127.0.0.1:${plain}`,
        PROXY_HTTPS: `127.0.0.1:${tls}`,
        PROXY_ADMIN: `127.0.0.1:${admin}`,
      }
      for (const [index, name] of ['ONE', 'TWO', 'THREE'].entries()) {
        const { web, admin: asked } = instances[index] ?? nowhere
        env[`INSTANCE_${name}`] = web
        env[`INSTANCE_${name}_ADMIN`] = asked
      }
      const file = path.join(operation, 'haproxy.cfg')
      const run = {
        env,
        origin: `https://localhost:${tls}`,
        plain: `http://localhost:${plain}`,
        admin: `127.0.0.1:${admin}`,
        tls,
        /** Begins, once it is known where the instances are. */
        begin() {
          run.process = start('haproxy', ['-db', '-f', file], env)
        },
        metrics: () => text(`http://127.0.0.1:${admin}/metrics`),
        /** Whether it sends guests to the instance. */
        isUp: async (name) =>
          new RegExp(
            `^haproxy_server_status\\{proxy="instances",server="${name}",state="UP"\\} 1$`,
            'm',
          ).test(await run.metrics().catch(() => '')),
        log: () =>
          run.process.output.split('\n').flatMap((line) => (line[0] === '{' ? [JSON.parse(line)] : [])),
      }
      return run
    },
  }
}

async function addresses(started) {
  const found = {}
  const wanted = started.child.spawnargs.includes('sandbox') ? ['sandbox'] : ['web', 'admin']
  await until(async () => {
    for (const [, name, host] of started.output.matchAll(/^listening (\w+) http:\/\/(\S+)$/gm))
      found[name] = host
    if (started.child.exitCode !== null) {
      await started.closed
      // The reason is what it said last.
      const said = started.output.trimEnd().split('\n').reverse()
      throw new Error(`it ended with ${started.child.exitCode}: ${said.join(' | ')}`)
    }
    return wanted.every((name) => found[name])
  }, 'it says where it listens')
  return found
}

/**
 * Ports on which nothing listens. They lie below those that the system hands out: one of those may be in use again, by
 * whatever runs beside, before a server of ours takes it.
 */
export async function freePorts(count) {
  const ports = []
  while (ports.length < count) {
    const port = randomInt(10_000, 30_000)
    if (!given.has(port) && (await isFree(port))) ports.push(port)
    given.add(port)
  }
  return ports
}

const given = new Set()

const isFree = (port) =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

export const text = async (url) => (await fetch(url)).text()

/** Asks again until there is an answer, and gives it; `what` may be a function, to be asked only once it is over. */
export async function until(check, what, timeout = 60_000) {
  const end = Date.now() + timeout
  for (;;) {
    const found = await check()
    if (found) return found
    if (Date.now() > end) throw new Error(`still not so: ${typeof what === 'function' ? what() : what}`)
    await pause(50)
  }
}

/** A browser of sorts: one connection of HTTP/2, and cookies. */
export function guest(origin) {
  const session = http2.connect(origin, { rejectUnauthorized: false })
  session.on('error', () => {})
  const cookies = new Map()
  const open = (address, { method = 'GET', headers = {}, body } = {}) => {
    const stream = session.request({
      ':path': address,
      ':method': method,
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(method === 'POST' && {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      }),
      ...headers,
    })
    stream.setEncoding('utf8')
    stream.end(body)
    return stream
  }
  const ask = (address, options) =>
    new Promise((resolve, reject) => {
      const stream = open(address, options)
      let told
      let body = ''
      stream.on('response', (headers) => {
        told = headers
        for (const cookie of headers['set-cookie'] ?? []) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
          cookies.set(name, value)
        }
      })
      stream.on('data', (chunk) => {
        body += chunk
      })
      stream.on('error', reject)
      stream.on('end', () => resolve({ status: told[':status'], headers: told, body }))
    })
  return {
    open,
    get: ask,
    post: (address, fields) => ask(address, { method: 'POST', body: new URLSearchParams(fields).toString() }),
    protocol: () => session.alpnProtocol,
    close: () => session.destroy(),
  }
}
