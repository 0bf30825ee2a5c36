/**
 * `node tests/bench/dev.mjs [TURNS]`: how long after a text has been saved `make dev` shows it, how long after a component,
 * and how long after a line of Rust. It writes into a file of each and puts it back.
 */
import { fork, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root, startProduct } from '../browser/harness.mjs'
import { freePorts } from '../operation/world.mjs'

const turns = Number(process.argv[2] ?? 5)
/** As long as `tests/setup/dev.mjs` waits for an editor. */
const SETTLED = 50
const PLACES = [
  { what: 'a text', file: 'components/pages/home/texts/kk.json', shown: /(?<="home\.title": ")[^"]+/ },
  { what: 'a component', file: 'components/frame/NavBar.tsx', shown: /(?<=className=")nav(?=")/ },
]
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const seconds = (times) => times.map((ms) => (ms / 1000).toFixed(1)).join(' ')

process.chdir(root)
const web = mkdtempSync(path.join(tmpdir(), 'dev-web-'))
const bundler = fork('components/build/build.mjs', ['--out', web, '--dev', '--stay'])
const bundle = () =>
  new Promise((resolve) => {
    bundler.once('message', resolve)
    bundler.send('build')
  })
await bundle()
const product = await startProduct({ args: ['--web-dir', web] })
const shows = async (mark) => (await (await fetch(`${product.web}/?lang=kk`)).text()).includes(mark)

for (const { what, file, shown } of PLACES) {
  const before = readFileSync(file, 'utf8')
  const bundled = []
  const seen = []
  try {
    for (let turn = 0; turn < turns; turn++) {
      const mark = `turn${turn}of${process.pid}`
      const saved = performance.now()
      writeFileSync(file, before.replace(shown, mark))
      await pause(SETTLED)
      await bundle()
      bundled.push(performance.now() - saved)
      while (!(await shows(mark))) await pause(20)
      seen.push(performance.now() - saved)
    }
  } finally {
    writeFileSync(file, before)
  }
  console.log(`${what}: bundled after ${seconds(bundled)} s, shown after ${seconds(seen)} s`)
}
bundler.kill()
await product.stop()
rmSync(web, { recursive: true })

// All of `make dev`: it compiles, and starts the server anew.
const RUST = { file: 'server/features/sitemap/mod.rs', shown: /(?<=User-agent: \*\\n)/ }
const [listen, admin, sandbox] = (await freePorts(3)).map((port) => `127.0.0.1:${port}`)
const state = mkdtempSync(path.join(tmpdir(), 'dev-state-'))
const places = [
  '--listen',
  listen,
  '--admin-listen',
  admin,
  '--sandbox-listen',
  sandbox,
  '--state-dir',
  state,
]
const dev = spawn('node', ['tests/setup/dev.mjs', ...places], { stdio: 'ignore' })
const says = async (mark) => {
  const answer = await fetch(`http://${listen}/robots.txt`).catch(() => undefined)
  return answer !== undefined && (await answer.text()).includes(mark)
}
const until = async (mark) => {
  while (!(await says(mark))) {
    if (dev.exitCode !== null) throw new Error('make dev has ended')
    await pause(20)
  }
}
const before = readFileSync(RUST.file, 'utf8')
try {
  await until('User-agent')
  const seen = []
  for (let turn = 0; turn < turns; turn++) {
    const mark = `Host: turn${turn}of${process.pid}`
    const saved = performance.now()
    writeFileSync(RUST.file, before.replace(RUST.shown, `${mark}\\n`))
    await until(mark)
    seen.push(performance.now() - saved)
  }
  console.log(`a line of Rust: shown after ${seconds(seen)} s`)
} finally {
  writeFileSync(RUST.file, before)
  dev.kill()
  rmSync(state, { recursive: true, force: true })
}
