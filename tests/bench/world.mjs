/** What is measured: a bundle, the sandbox with menus of any length in front of it, and the server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { longMenus } from './long_menus.mjs'
import { ALL_CORES, LOAD_CORE, moveTo, run, start, text } from './machine.mjs'

export const SIZES = [10, 60, 200, 500, 1000, 2000]
/** The page that most is measured with has so many products. */
export const PAGE = 60
/** The pages stay uncached, the catalogue cached: what is measured is the server, not the sandbox. */
export const UNCACHED = ['--page-fresh-ms', '0', '--catalogue-fresh-ms', '600000']
/** Resident memory of two isolates. */
export const MOST_MB = 160

/** A venue has a menu of each of the `sizes`; `named` is who says how far it has come. */
export async function openWorld({ sizes = SIZES, named = 'bench' } = {}) {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
  const binary = process.env.DASTARKHAN_BINARY ?? path.join(root, 'target/release/dastarkhan')
  const space = mkdtempSync(path.join(tmpdir(), 'dastarkhan-bench-'))
  const say = (text) => process.stderr.write(`${named}: ${text}\n`)
  const any = '127.0.0.1:0'
  process.once('exit', () => rmSync(space, { recursive: true, force: true }))

  say('bundling')
  const web = path.join(space, 'web')
  await run(ALL_CORES, process.execPath, ['components/build/build.mjs', '--out', web], { cwd: root })
  // The menus are made here.
  moveTo(LOAD_CORE)
  const sandbox = await start(
    LOAD_CORE,
    binary,
    ['sandbox', '--sandbox-listen', any, '--state-dir', path.join(space, 'sandbox')],
    ['sandbox'],
  )
  const tables = JSON.parse(await text(`${sandbox.sandbox}/_sandbox/api/tables`))
  const venues = [...new Set(tables.filter((one) => one.country === 'kz').map((one) => one.filial_id))]
  const lengths = new Map(sizes.map((size, at) => [String(venues[at]), size]))
  const front = await longMenus(sandbox.sandbox, lengths)
  const upstream = `http://127.0.0.1:${front.address().port}`
  const venueOf = (size) => `/filials/${venues[sizes.indexOf(size)]}`
  const kept = path.join(space, 'state')

  /** Starts the server on a core; `env` has what differs from this process's. */
  function serve(core, extra, { state = kept, env = {} } = {}) {
    const listen = ['--listen', any, '--admin-listen', any]
    const args = ['serve', ...listen, '--state-dir', state, '--upstream-url', upstream, ...extra]
    return start(core, binary, args, ['web', 'admin'], env)
  }

  return {
    root,
    /** The profile that the binary was built with, for what is built beside it. */
    profile: path.basename(path.dirname(binary)) === 'dist' ? 'dist' : 'release',
    space,
    web,
    state: kept,
    venueOf,
    serve,
    say,
    seconds: Number(process.env.BENCH_SECONDS ?? 8),
  }
}
