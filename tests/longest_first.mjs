/**
 * Runs test files several at a time, the longest first: the last of them would have nothing beside it.
 *
 * usage: node tests/longest_first.mjs CONCURRENCY TIMEOUT_MS FILE…
 */
import { statSync } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { tap } from 'node:test/reporters'
import { secondTry } from './second_try.mjs'

const [concurrency, timeout, ...files] = process.argv.slice(2)
/** How much is written in a file says how long it takes. */
const lengths = new Map(files.map((file) => [file, statSync(file).size]))

const limit = Number(timeout)

/** Tests of the first run that failed: the file, and the name, which a file that has crashed does not have. */
const failed = []

run({
  files: files
    .toSorted((one, other) => lengths.get(other) - lengths.get(one))
    .map((file) => path.resolve(file)),
  concurrency: Number(concurrency),
  timeout: limit,
})
  // What several files share is told as the place of a test; it is run by its own file.
  .on('test:fail', ({ name, nesting, file, entryFile = file }) => {
    process.exitCode = 1
    if (nesting === 0) failed.push({ file: entryFile, name: path.resolve(name) === entryFile ? null : name })
  })
  .compose(tap)
  .on('end', () => secondTry(failed, ({ file, name }) => name ?? path.basename(file), passes))
  .pipe(process.stdout, { end: false })

async function passes({ file, name }) {
  const pattern = name === null ? undefined : new RegExp(`^${RegExp.escape(name)}$`)
  const seen = { passed: 0, failed: 0 }
  const tests = run({ files: [file], concurrency: 1, timeout: limit, testNamePatterns: pattern })
  tests.on('test:pass', () => seen.passed++)
  tests.on('test:fail', ({ details }) => {
    seen.failed++
    console.log(`# ${details.error?.cause?.message ?? details.error?.message}`.replaceAll('\n', '\n#   '))
  })
  await finished(tests.resume())
  return seen.passed > 0 && seen.failed === 0
}
