/** What benches need of the machine: cores, processes and what they use, load by wrk. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { cpus } from 'node:os'

/** Server and load take nothing of each other where there are two cores. */
const isPinned = cpus().length > 1
export const SERVER_CORE = '0'
export const LOAD_CORE = '1'
export const ALL_CORES = `0-${cpus().length - 1}`
const ticks = Number(execFileSync('getconf', ['CLK_TCK']))
const children = new Set()

/** Puts this process on a core. */
export function moveTo(core) {
  if (isPinned) execFileSync('taskset', ['-a', '-c', '-p', core, String(process.pid)], { stdio: 'ignore' })
}

function spawned(core, command, args, options) {
  const child = isPinned
    ? spawn('taskset', ['-c', core, command, ...args], options)
    : spawn(command, args, options)
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
// A run that is stopped leaves no server behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Starts a command on a core and waits for the addresses that it says. */
export async function start(core, command, args, wanted, env = {}) {
  const began = performance.now()
  const child = spawned(core, command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOG: 'error', ADDRESS_SESSIONS_PER_MINUTE: '100000', ...env },
  })
  const found = {}
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${command} ${args[0]} ended with ${code}`)))
    child.stdout.on('data', (text) => {
      for (const [, name, url] of String(text).matchAll(/listening (\w+) (http:\S+)/g)) found[name] = url
      if (wanted.every((name) => found[name])) resolve()
    })
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  async function stop() {
    child.kill('SIGKILL')
    await ended
  }
  return { ...found, pid: child.pid, began, stop }
}

/** Runs a command to its end and gives what it says; whatever else this process does goes on meanwhile. */
export function run(core, command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawned(core, command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (part) => {
        said[name] += part
      })
    }
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(said.stdout)
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${said.stderr || said.stdout}`))
    })
  })
}

/** Seconds of processor that a process has used, all of its threads. */
export function used(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

/** Megabytes that a process holds. */
export const resident = (pid) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/** A turn of wrk: how many answers came, their rate, and how long they took in milliseconds. Errors among them are counted
 * where they `mayFail`. */
export async function load(url, headers, { connections, seconds, mayFail = false }) {
  const named = Object.entries({ Accept: 'text/html', ...headers })
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency']
  for (const [name, value] of named) args.push('-H', `${name}: ${value}`)
  const said = await run(LOAD_CORE, 'wrk', [...args, url])
  const latency = (percent) => {
    const [, value, unit] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s|m)\\b`).exec(said)
    return Number(value) * { us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit]
  }
  const cut =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(said)?.slice(1) ?? []
  const failed = Number(/Non-2xx or 3xx responses: (\d+)/.exec(said)?.[1] ?? 0)
  if (failed && !mayFail) throw new Error(`${url}: ${failed} answers were errors`)
  return {
    count: Number(/(\d+) requests in/.exec(said)[1]),
    failed,
    cut: cut.reduce((sum, one) => sum + Number(one), 0),
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(said)[1]),
    p50: latency(50),
    p99: latency(99),
  }
}

/** One answer on a connection of its own: what a pool keeps open, a busy server may have closed. */
export function get(url, headers = {}) {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers: { accept: 'text/html', ...headers }, agent: false }, (answer) => {
        const parts = []
        answer.on('data', (part) => parts.push(part))
        answer.on('end', () => {
          const body = Buffer.concat(parts)
          const encoding = answer.headers['content-encoding'] ?? ''
          if (answer.statusCode === 200) resolve({ body, encoding })
          else reject(new Error(`${url}: ${answer.statusCode} ${body.subarray(0, 300)}`))
        })
        answer.on('error', reject)
      })
      .on('error', reject)
  })
}

export const text = async (url, headers) => String((await get(url, headers)).body)

/** A server's numbers by name, those of all labels together or of those with one. */
export async function metrics(admin) {
  const said = await text(`${admin}/metrics`)
  const lines = [...said.matchAll(/^(\w+)(\{[^}]*\})? ([\d.e+]+)$/gm)]
  return (name, label = '') =>
    lines
      .filter(([, of, own = '']) => of === name && own.includes(label))
      .reduce((sum, [, , , value]) => sum + Number(value), 0)
}

export const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
