/**
 * Runs the tests that cargo has compiled, several binaries at a time, the largest first: cargo runs one after the
 * other, and most of the time each of them waits for what it has asked.
 *
 * usage: cargo test --no-run --message-format=json … | node tests/cargo_tests.mjs CONCURRENCY
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { secondTry } from './second_try.mjs'

/** Test binaries as cargo names them on the standard input. */
async function compiled() {
  const found = []
  for await (const line of createInterface({ input: process.stdin })) {
    if (!line.startsWith('{')) continue
    const { executable, profile, manifest_path: manifest } = JSON.parse(line)
    if (!executable || !profile.test) continue
    found.push({ executable, folder: path.dirname(manifest), size: statSync(executable).size })
  }
  return found.toSorted((one, other) => other.size - one.size)
}

/**
 * One binary with these arguments; `say` gets each line that tells of a test as it comes. All else that it has written,
 * and its exit code, come at the end.
 */
async function run({ executable, folder }, args, say) {
  const env = { ...process.env, CARGO_MANIFEST_DIR: folder }
  const child = spawn(executable, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const said = []
  const failed = []
  const read = async (stream) => {
    for await (const line of createInterface({ input: stream })) {
      if (!/^test \S+ \.\.\. /.test(line)) said.push(line)
      else say(line)
      const name = /^test (\S+)(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1]
      if (name) failed.push(name)
    }
  }
  await Promise.all([read(child.stdout), read(child.stderr)])
  return { code: await ended, said, failed }
}

/** Whether a test passes when there is nothing beside it. */
async function passes({ binary, test: name }) {
  let isOk = false
  const { code, said } = await run(binary, ['--exact', name], (line) => {
    isOk ||= line === `test ${name} ... ok`
  })
  if (code !== 0) console.log(said.filter((_, at) => said[at - 1]?.includes('panicked at')).join('\n'))
  return code === 0 && isOk
}

const waiting = await compiled()
if (waiting.length === 0) throw new Error('cargo has named no tests')
const failed = []

async function next() {
  for (let binary = waiting.shift(); binary; binary = waiting.shift()) {
    const name = path.basename(binary.executable)
    const result = await run(binary, [], console.log)
    console.log(`     Running ${name}\n${result.said.join('\n')}`)
    if (result.code === 0) continue
    process.exitCode = 1
    // What ended without saying which test failed, as a crash does, is no matter of a second try.
    const isCrash = !result.said.some((line) => line.startsWith('test result: FAILED'))
    failed.push(...[...result.failed, ...(isCrash ? [null] : [])].map((test) => ({ binary, test })))
  }
}
await Promise.all(Array.from({ length: Number(process.argv[2]) }, next))

if (failed.every(({ test }) => test)) await secondTry(failed, ({ test }) => test, passes)
