/**
 * Runs test files several at a time, the longest first: by name the walks come last, and the last of them
 * has nothing beside it.
 *
 * usage: node tests/longest_first.mjs CONCURRENCY TIMEOUT_MS FILE…
 */
import { statSync } from 'node:fs'
import path from 'node:path'
import { run } from 'node:test'
import { tap } from 'node:test/reporters'

/** Files of one line each that go through every state of every screen. */
const isWalk = (file) => path.basename(file).startsWith('walk_')

const [concurrency, timeout, ...files] = process.argv.slice(2)
/** How much is written in a file says how long it takes. */
const length = (file) => (isWalk(file) ? Number.MAX_SAFE_INTEGER : statSync(file).size)
const lengths = new Map(files.map((file) => [file, length(file)]))

run({
  files: files
    .toSorted((one, other) => lengths.get(other) - lengths.get(one))
    .map((file) => path.resolve(file)),
  concurrency: Number(concurrency),
  timeout: Number(timeout),
})
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(tap)
  .pipe(process.stdout)
