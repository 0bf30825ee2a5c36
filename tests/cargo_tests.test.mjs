import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'

let folder
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dastarkhan-cargo-tests-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** What a test binary of Rust does, in words of a shell; `$1` is `--exact` when one test is tried again. */
const good = `echo 'test good ... ok'
echo 'test result: ok. 1 passed; 0 failed; 0 ignored'`
const fails = (name, isAgain) => `if [ "$1" = --exact ] && ${isAgain}; then
echo 'test ${name} ... ok'; exit 0; fi
echo 'test ${name} ... FAILED'
echo "thread '${name}' panicked at tests/x.rs:1:2:"
echo 'it was so'
echo 'test result: FAILED. 0 passed; 1 failed; 0 ignored'
exit 101`

async function runs(binaries) {
  const lines = ['   Compiling words', JSON.stringify({ reason: 'build-finished', success: true })]
  for (const [name, body] of Object.entries(binaries)) {
    const executable = path.join(folder, name)
    await writeFile(executable, `#!/bin/sh\n${body}\n`)
    await chmod(executable, 0o755)
    lines.push(
      JSON.stringify({ executable, profile: { test: true }, manifest_path: path.join(folder, 'Cargo.toml') }),
    )
  }
  const script = path.join(import.meta.dirname, 'cargo_tests.mjs')
  const { status, stdout } = spawnSync(process.execPath, [script, '2'], {
    input: lines.join('\n'),
    encoding: 'utf8',
  })
  return { status, stdout }
}

test('all binaries run in the folder of their crate', async () => {
  const { status, stdout } = await runs({ one: good, two: `[ "$PWD" = '${folder}' ] && ${good}` })
  assert.equal(status, 0, stdout)
  assert.equal(stdout.match(/^test good \.\.\. ok$/gm).length, 2, stdout)
  assert.equal(stdout.match(/^test result: ok/gm).length, 2, stdout)
})

test('what passes when it is tried once more is unsteady, and said', async () => {
  const { status, stdout } = await runs({ one: fails('weak::one', true), two: good })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /panicked at tests\/x\.rs:1:2:\nit was so$/m)
  assert.match(stdout, /^# second try: ok - weak::one$/m)
  assert.match(stdout, /^# unsteady 1$/m)
})

test('what fails again is a failure, beside whatever passes', async () => {
  const { status, stdout } = await runs({ one: fails('weak', true), two: fails('wrong', false) })
  assert.equal(status, 1, stdout)
  assert.match(stdout, /^# second try: failed - wrong$/m)
  assert.match(stdout, /^# unsteady 1$/m)
})

test('what ends without its result has failed', async () => {
  const { status, stdout } = await runs({ one: `echo 'test cut ... FAILED'; kill -9 $$`, two: good })
  assert.equal(status, 1, stdout)
  assert.doesNotMatch(stdout, /second try|unsteady/)
})

test('when cargo has compiled nothing there is no result', async () => {
  const { status } = await runs({})
  assert.notEqual(status, 0)
})
