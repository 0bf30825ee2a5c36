/**
 * `make dev`: serves the product with the sandbox and keeps it current. A change of the front is bundled anew and
 * taken by the running server (new isolates, no restart); a change of Rust is compiled and the server restarted.
 */
import { fork, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const web = path.join(root, 'target/dev-web')
const binary = path.join(root, 'target/debug/dastarkhan')
process.chdir(root)

const run = (command, args) =>
  new Promise((resolve) => {
    spawn(command, args, { stdio: 'inherit' }).on('exit', (code) => resolve(code === 0))
  })
/** Stays between changes and bundles only what has changed, until its own code has. */
let bundler
function bundle(changed = []) {
  if (changed.some((name) => name.startsWith('components/build/'))) {
    bundler?.kill()
    bundler = undefined
  }
  return new Promise((resolve) => {
    const mine = bundler ?? fork('components/build/build.mjs', ['--out', web, '--dev', '--stay'])
    bundler = mine
    const end = (done) => {
      mine.off('message', end).off('exit', lose)
      resolve(done)
    }
    const lose = () => {
      bundler = undefined
      end(false)
    }
    mine.once('message', end).once('exit', lose).send('build')
  })
}
const compile = () => run('cargo', ['build', '--locked'])

let server
async function restart() {
  if (server) {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await gone
  }
  server = spawn(binary, ['demo', '--web-dir', web, ...process.argv.slice(2)], { stdio: 'inherit' })
}

/** Does `work` after changes have settled, never twice at a time, and again for changes that came meanwhile. */
function onChange(places, work) {
  let timer
  let busy = false
  const changed = new Set()
  async function act() {
    if (busy) return
    busy = true
    while (changed.size > 0) {
      const names = [...changed]
      changed.clear()
      await work(names)
    }
    busy = false
  }
  for (const place of places) {
    watch(path.join(root, place), { recursive: true }, (_event, name) => {
      if (!name || /(^|\/)\.|~$|\.gen\.ts$/.test(name)) return
      changed.add(path.join(place, name))
      clearTimeout(timer)
      // An editor writes a file in several steps.
      timer = setTimeout(act, 50)
    })
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server?.kill('SIGKILL')
    process.exit(0)
  })
}
if (!(await bundle()) || !(await compile())) process.exit(1)
await restart()
onChange(['components', 'assets'], bundle)
onChange(['server', 'ssr', 'Cargo.toml'], async () => {
  if (await compile()) await restart()
})
