import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'

let folder
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dastarkhan-longest-first-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Fails the first time that it runs in this folder. */
const once = (name) => `
  if (!existsSync('${name}')) {
    writeFileSync('${name}', '')
    throw new Error('${name} the first time')
  }`

async function runs(files, limit = 60_000) {
  const head = `import { existsSync, writeFileSync } from 'node:fs'\nimport { test } from 'node:test'\n`
  for (const [name, body] of Object.entries(files)) await writeFile(path.join(folder, name), head + body)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const script = path.join(import.meta.dirname, 'longest_first.mjs')
  const { status, stdout } = spawnSync(process.execPath, [script, '2', `${limit}`, ...Object.keys(files)], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { status, stdout }
}

test('what passes when it is tried once more is unsteady, and said', async () => {
  const { status, stdout } = await runs({
    'shared.mjs': `export const walk = () => test('a (1)', () => {${once('shared')}})`,
    'one.test.mjs': `const { walk } = await import('./shared.mjs')\nwalk()\ntest('good', () => {})`,
    'two.test.mjs': `test('good', () => {})\n${once('crash')}`,
  })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^not ok \d+ - a \(1\)$/m)
  assert.match(stdout, /shared the first time/)
  assert.match(stdout, /^# second try: ok - a \(1\)$/m)
  assert.match(stdout, /^# second try: ok - two\.test\.mjs$/m)
  assert.match(stdout, /^# unsteady 2$/m)
})

test('what fails again is a failure, beside whatever passes', async () => {
  const { status, stdout } = await runs({
    'three.test.mjs': `test('weak', () => {${once('weak')}})\ntest('wrong', () => { throw new Error('always') })`,
  })
  assert.equal(status, 1, stdout)
  assert.match(stdout, /^# second try: failed - wrong$/m)
  assert.match(stdout, /^# unsteady 1$/m)
})

test('a file whose tests fail for what goes before them is tried as one', async () => {
  const good = Array.from({ length: 6 }, (_, one) => `test('${one}', () => {})`)
  const { status, stdout } = await runs({
    'five.test.mjs': `import { before } from 'node:test'\nbefore(() => {${once('before')}})\n${good.join('\n')}`,
  })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^not ok 6 - 5$/m)
  assert.match(stdout, /^# second try: ok - five\.test\.mjs$/m)
  assert.match(stdout, /^# unsteady 6$/m)
})

test('when many fail none is tried again', async () => {
  const many = Array.from({ length: 6 }, (_, one) => `test('${one}', () => {${once(`many${one}`)}})`)
  const { status, stdout } = await runs({ 'four.test.mjs': many.join('\n') })
  assert.equal(status, 1, stdout)
  assert.doesNotMatch(stdout, /second try|unsteady/)
})

test('a file that never ends is killed, with what it has started; one that is long is not', async () => {
  const started = path.join(folder, 'started')
  const { status, stdout } = await runs(
    {
      'six.test.mjs': `import { spawn } from 'node:child_process'
        const isFirst = !existsSync('${started}')
        if (isFirst) writeFileSync('${started}', String(spawn('sleep', ['600'], { stdio: 'inherit' }).pid))
        test('waits', () => isFirst && new Promise(() => {}))`,
      'seven.test.mjs': `for (const one of [1, 2, 3, 4])
        test('slow ' + one, () => new Promise((resolve) => setTimeout(resolve, 1500)))`,
    },
    4000,
  )
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^# killed: .*six\.test\.mjs/m)
  assert.match(stdout, /^# second try: ok - waits$/m)
  assert.doesNotMatch(stdout, /not ok \d+ - slow/)
  const command = `/proc/${await readFile(started, 'utf8')}/cmdline`
  assert.equal(await readFile(command, 'utf8').catch(() => ''), '')
})
