/** The set-up on machines that are set up in their own way. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '../..')

/** A folder with a script of the set-up in its place, gone after the test. */
async function copyOf(script, t) {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'setup-')))
  t.after(() => rm(folder, { recursive: true }))
  await cp(path.join(root, 'tests/setup', script), path.join(folder, 'tests/setup', script), {
    recursive: true,
  })
  return folder
}

/** A command of a shell script of these lines. */
async function command(file, lines) {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
}

test('what make builds is what it starts, wherever the machine has cargo build', () => {
  const told = execFileSync('make', ['-s', '--eval', 'told: ; @env', 'told'], {
    cwd: root,
    env: { ...process.env, CARGO_TARGET_DIR: '/elsewhere', CARGO_BUILD_TARGET: 'wasm32-wasip1' },
    encoding: 'utf8',
  }).split('\n')
  assert.ok(told.includes(`CARGO_TARGET_DIR=${root}/target`))
  assert.ok(!told.some((line) => line.startsWith('CARGO_BUILD_TARGET=')))
})

test('packages of development are installed where NODE_ENV says production', async (t) => {
  const folder = await copyOf('npm.sh', t)
  await mkdir(path.join(folder, 'node_modules'))
  await writeFile(path.join(folder, 'package-lock.json'), '{}')
  // npm itself says what it would leave out.
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  await command(path.join(folder, 'bin/npm'), `shift; "${npm}" config get omit "$@" > "${folder}/omitted"`)
  execFileSync('bash', [path.join(folder, 'tests/setup/npm.sh')], {
    env: { ...process.env, NODE_ENV: 'production', PATH: `${folder}/bin:${process.env.PATH}` },
    stdio: 'ignore',
  })
  assert.equal(execFileSync('cat', [`${folder}/omitted`], { encoding: 'utf8' }).trim(), '')
})

test('a Node that was brought stays, also in a folder that is reached by a link', async (t) => {
  const folder = await copyOf('node.sh', t)
  const [real, link, old] = ['real', 'link', 'old'].map((name) => path.join(folder, name))
  await mkdir(path.join(real, 'tests/setup/node'), { recursive: true })
  await cp(path.join(folder, 'tests/setup/node.sh'), path.join(real, 'tests/setup/node.sh'))
  await symlink(real, link)
  await command(path.join(old, 'node'), 'echo 18')
  await command(path.join(real, 'target/node/bin/node'), 'echo 24')
  for (const place of ['tests/setup/node', 'target/node'])
    await writeFile(path.join(real, place, 'package-lock.json'), '{}')
  // As make has it in PATH.
  execFileSync('bash', [path.join(link, 'tests/setup/node.sh')], {
    env: { ...process.env, PATH: `${real}/target/node/bin:${old}:/usr/bin:/bin` },
    stdio: 'ignore',
  })
  assert.ok(await stat(path.join(real, 'target/node/bin/node')))
})
