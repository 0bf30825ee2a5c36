/**
 * Runs test files several at a time, the longest first: the last of them would have nothing beside it.
 *
 * usage: node tests/longest_first.mjs CONCURRENCY TIMEOUT_MS FILE…
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { tap } from 'node:test/reporters'
import { secondTry } from './second_try.mjs'

const [concurrency, timeout, ...files] = process.argv.slice(2)
/** How much is written in a file says how long it takes. */
const lengths = new Map(files.map((file) => [file, statSync(file).size]))

const limit = Number(timeout)

/**
 * What failed in the first run: the file, the name, and how many tests. A file that has crashed has no name, nor one whose
 * tests all failed because what goes before them did.
 */
const failed = []

/** When something was last heard of a file. */
const heard = new Map()

endsWhatIsOverdue()

run({
  files: files
    .toSorted((one, other) => lengths.get(other) - lengths.get(one))
    .map((file) => path.resolve(file)),
  concurrency: Number(concurrency),
  timeout: limit,
})
  .on('test:complete', hears)
  // What several files share is told as the place of a test; it is run by its own file.
  .on('test:fail', ({ name, nesting, file, entryFile = file, details }) => {
    process.exitCode = 1
    if (nesting !== 0) return
    const isHook = details.error?.failureType === 'hookFailed'
    const known = isHook && failed.find((one) => one.isHook && one.file === entryFile)
    if (known) {
      known.count++
      known.name = null
      return
    }
    failed.push({
      file: entryFile,
      name: path.resolve(name) === entryFile ? null : name,
      count: 1,
      isHook,
    })
  })
  .compose(tap)
  .on('end', () =>
    secondTry(
      failed,
      ({ file, name }) => name ?? path.basename(file),
      passes,
      ({ count }) => count,
    ),
  )
  .pipe(process.stdout, { end: false })

async function passes({ file, name }) {
  const pattern = name === null ? undefined : new RegExp(`^${RegExp.escape(name)}$`)
  const seen = { passed: 0, failed: 0 }
  const tests = run({ files: [file], concurrency: 1, timeout: limit, testNamePatterns: pattern })
  tests.on('test:complete', hears)
  tests.on('test:pass', () => seen.passed++)
  tests.on('test:fail', ({ details }) => {
    seen.failed++
    console.log(`# ${details.error?.cause?.message ?? details.error?.message}`.replaceAll('\n', '\n#   '))
  })
  await finished(tests.resume())
  return seen.passed > 0 && seen.failed === 0
}

/** Comes as it happens, also while an earlier file is still reported. */
function hears({ file, entryFile = file }) {
  heard.set(entryFile, performance.now())
}

/**
 * Node gives the time to each test, not to its file: one that something keeps alive after its tests, or that is stuck
 * between them, would hold the whole run. It is killed when nothing is heard of it for longer than a test may take, with
 * all that it has started, which would else hold its output.
 */
function endsWhatIsOverdue() {
  const began = new Map()
  const every = Math.min(limit / 10, 10_000)
  setInterval(() => {
    for (const pid of children(process.pid)) {
      const command = orElse([], () => read(`/proc/${pid}/cmdline`).split('\0'))
      if (!began.has(pid)) began.set(pid, performance.now())
      const times = command.map((argument) => heard.get(argument) ?? 0)
      if (performance.now() - Math.max(began.get(pid), ...times) < limit + 2 * every) continue
      console.log(`# killed: ${command.findLast(Boolean)}`)
      for (const one of [...descendants(pid), pid]) orElse(false, () => process.kill(one, 'SIGKILL'))
    }
  }, every).unref()
}

/** Each thread has children of its own. */
function children(pid) {
  const threads = orElse([], () => readdirSync(`/proc/${pid}/task`))
  const listed = threads.map((thread) => orElse('', () => read(`/proc/${pid}/task/${thread}/children`)))
  return listed.join(' ').split(' ').filter(Boolean).map(Number)
}

function descendants(pid) {
  return children(pid).flatMap((child) => [...descendants(child), child])
}

function read(file) {
  return readFileSync(file, 'utf8')
}

/** A process may end while it is looked at. */
function orElse(otherwise, does) {
  try {
    return does()
  } catch {
    return otherwise
  }
}
