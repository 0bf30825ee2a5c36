/** Other people's work: on what terms, from where, and no more of it than is needed. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { crateNotices } from '../../components/build/crates.mjs'
import { readCargo, readNpm } from './advisories.mjs'
import { ACCEPTED, BANNED, isMet, LICENCES, NAMED, TOOLS, TWICE } from './rules.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const OWN = new Set([
  'base',
  'bundle',
  'compression',
  'dastarkhan',
  'finding',
  'pixels',
  'sandbox',
  'server',
  'ssr',
])

const cargo = (...args) =>
  execFileSync('cargo', [...args, '--locked'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })

/** The crates of some kinds of dependencies, as names, versions and licences. */
function crates(kinds, ...more) {
  const which = more.includes('--package') ? [] : ['--workspace']
  const tree = cargo('tree', ...which, '-e', kinds, '--prefix', 'none', '-f', '{p}|{l}', ...more)
  const lines = new Set(tree.split('\n').filter((line) => line.includes('|')))
  return [...lines]
    .map((line) => {
      const [named, licence] = line.replace(' (*)', '').split('|')
      const [name, version] = named.split(' ')
      return { name, version, licence }
    })
    .filter(({ name }) => !OWN.has(name))
}

const { packages: lock } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
const packages = Object.entries(lock)
  .filter(([place]) => place !== '')
  .map(([place, entry]) => ({ name: place.split('node_modules/').at(-1), ...entry }))

test('an expression is met when one side of each OR and both of each AND are', () => {
  for (const good of ['MIT', 'GPL-3.0 OR MIT', 'MIT/Apache-2.0', '(MIT OR GPL-2.0) AND Unicode-3.0'])
    assert.ok(isMet(good, LICENCES), good)
  for (const bad of ['GPL-3.0', 'MIT AND GPL-3.0', '', 'UNLICENSED', 'MIT)', '(GPL-2.0 OR LGPL-2.1) AND MIT'])
    assert.ok(!isMet(bad, LICENCES), bad)
})

test('what is in the binary asks for no more than a notice', () => {
  const shipped = crates('normal')
  assert.ok(shipped.length > 100, `${shipped.length} crates`)
  assert.deepEqual(
    shipped.filter(({ licence }) => !isMet(licence, LICENCES)).map(({ name }) => name),
    Object.keys(NAMED),
  )
})

test('every crate of the binary is in the notices, with the text of its licence', () => {
  const notices = crateNotices(root)
  const linked = crates('normal,no-proc-macro', '--package', 'dastarkhan')
  assert.ok(linked.length > 300, `${linked.length} crates`)
  const named = notices.flatMap(({ title }) => title.split('\n').map((line) => line.split(' (')[0]))
  const missing = (names) =>
    linked.filter(({ name, version }) => !names.includes(`${name} ${version.slice(1)}`))
  assert.deepEqual(missing(named), [])
  const without = missing(named.filter((one) => !one.startsWith('tokio ')))
  assert.deepEqual([...new Set(without.map(({ name }) => name))], ['tokio'])
  for (const library of ['V8 (BSD-3-Clause), in v8', 'ICU (Unicode-3.0), in v8'])
    assert.ok(
      notices.some(({ title }) => title.split('\n').includes(library)),
      library,
    )
  assert.ok(notices.some(({ title, text }) => title.startsWith('libwebp-sys') && text.includes('Google Inc')))
  for (const { title, text } of notices) assert.ok(text.length > 200, title)
})

test('what builds and tests it may be used for that', () => {
  assert.deepEqual(
    crates('all').filter(({ licence }) => !isMet(licence, TOOLS)),
    [],
  )
  for (const { name, dev, license } of packages)
    assert.ok(isMet(license ?? '', dev ? TOOLS : LICENCES), `${name}: ${license}`)
})

test('everything comes from the registries, whole', () => {
  const { packages: known } = JSON.parse(cargo('metadata', '--format-version', '1'))
  const foreign = known.filter(({ name, source }) => !OWN.has(name) && !source?.startsWith('registry+'))
  assert.deepEqual(
    foreign.map(({ name }) => name),
    [],
  )
  assert.deepEqual(
    packages
      .filter(({ integrity, link }) => !integrity?.startsWith('sha512-') || link)
      .map(({ name }) => name),
    [],
  )
})

test('crates that are not wanted stay out', () => {
  const names = crates('all').map(({ name }) => name)
  for (const [name, why] of Object.entries(BANNED)) assert.ok(!names.includes(name), `${name}: ${why}`)
})

test('no crate is in the binary twice but those that are named with who asks for them', () => {
  const versions = new Map()
  for (const { name, version } of crates('normal'))
    versions.set(name, new Set([...(versions.get(name) ?? []), version]))
  const twice = [...versions].filter(([, found]) => found.size > 1).map(([name]) => name)
  assert.deepEqual(twice.sort(), Object.keys(TWICE).sort())
})

/** The answer of a tool that asks for advisories: it exits with an error when it has some. */
const asked = (command, ...args) => {
  const { error, ...answer } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 1 << 28,
  })
  if (error) throw error
  return answer
}

/** No hit but those that are accepted, each of which there still is; "not run" when there was nobody to ask. */
function judge(t, { hits, unreached }, what, severe = () => true) {
  if (unreached) return t.diagnostic(`not run: advisories of ${what}: ${unreached}`)
  const told = hits
    .filter(severe)
    .map(({ id, name, severity, title }) => `${id} ${name} (${severity}): ${title}`)
  const open = told.filter((one) => !(one.split(' ')[0] in ACCEPTED))
  assert.deepEqual(open, [])
}

test('no npm package has an advisory: what is shipped none, what builds and tests none that is high', (t) => {
  const isShipped = ({ places }) => places.some((place) => !lock[place]?.dev)
  const { stdout } = asked(
    'npm',
    'audit',
    '--json',
    '--audit=true',
    '--package-lock-only',
    '--fetch-retries=1',
  )
  judge(t, readNpm(stdout), 'npm packages', (hit) => isShipped(hit) || /^(high|critical)$/.test(hit.severity))
})

test('no crate has an advisory', (t) => {
  judge(t, readCargo(asked('cargo', 'audit', '--json')), 'crates')
})

test('a known hit is read out of an answer, and only a network that refuses is none', () => {
  const answer = (name) => readFileSync(path.join(import.meta.dirname, `answers/${name}`), 'utf8')
  const { hits } = readNpm(answer('npm-hit.json'))
  assert.deepEqual(
    hits.map(({ id, name, severity, places }) => [id, name, severity, places]),
    [['GHSA-xvch-5gv4-984h', 'minimist', 'critical', ['node_modules/minimist']]],
  )
  const crates = readCargo({ stdout: answer('cargo-hit.json'), stderr: '' })
  assert.deepEqual(
    crates.hits.map(({ id, name }) => [id, name]),
    [['RUSTSEC-2020-0071', 'time 0.1.42']],
  )
  for (const [hit, read] of [
    [hits, { hits, unreached: null }],
    [crates.hits, crates],
  ]) {
    assert.equal(hit.length, 1)
    assert.throws(() => judge({ diagnostic: assert.fail }, read, 'what was known'), assert.AssertionError)
  }
  const none = { auditReportVersion: 2, vulnerabilities: {} }
  assert.deepEqual(readNpm(JSON.stringify(none)), { hits: [], unreached: null })
  for (const refused of [
    { message: 'getaddrinfo ENOTFOUND' },
    { message: 'Not Found', statusCode: 404 },
    { message: 'x', statusCode: 503 },
  ])
    assert.ok(readNpm(JSON.stringify(refused)).unreached, refused.message)
  for (const nothing of ['', '{}', '{"message":"Bad Request","statusCode":400}'])
    assert.throws(() => readNpm(nothing), nothing)
  assert.ok(readCargo({ stdout: '', stderr: 'error: no such command: `audit`' }).unreached)
  assert.ok(
    readCargo({ stdout: '', stderr: "error: couldn't fetch advisory database: git operation failed" })
      .unreached,
  )
  for (const stdout of ['', '{}'])
    assert.throws(() => readCargo({ stdout, stderr: 'error: Cargo.lock is broken' }))
})
