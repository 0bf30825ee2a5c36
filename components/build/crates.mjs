/** Whose work the server is linked from: the crates of the binary, by what cargo knows and has on this machine. */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** V8's library is there for no other. */
const TARGET = 'x86_64-unknown-linux-gnu'
const LICENCE_FILE = /^(licen[cs]e|copying|notice|copyright|unlicense)/i
/** Folders of a crate of which nothing is compiled. */
const NOT_COMPILED = /^(\.|target$|tests?$|examples?$|benches$|fuzz$|docs?$)/
const DEPTH = 3

/** Licences whose standard text stands in `assets/licences/`, for work that comes without a file of its own. */
const STANDARD = ['MIT', 'BSD-3-Clause', 'Apache-2.0']

/** Libraries that crates compile in, whose licence files these leave out. */
const COMPILED_IN = {
  v8: [
    { title: 'V8', license: 'BSD-3-Clause', by: 'Copyright the V8 project authors. All rights reserved.' },
    { title: 'Abseil', license: 'Apache-2.0', by: 'Copyright The Abseil Authors' },
    { title: 'Highway', license: 'Apache-2.0', by: 'Copyright Google LLC' },
    { title: 'dragonbox', license: 'Apache-2.0', by: 'Copyright Junekey Jeon' },
    { title: 'fast_float', license: 'MIT', by: 'Copyright (c) 2021 The fast_float authors' },
    { title: 'simdutf', license: 'MIT', by: 'Copyright 2021 The simdutf authors' },
    {
      title: 'FP16',
      license: 'MIT',
      by: 'Copyright (c) 2017 Facebook Inc., Georgia Institute of Technology',
    },
    { title: 'ICU', license: 'Unicode-3.0', like: 'icu_collections' },
  ],
}

/** `{ title, text }` for each text of a licence, with all the crates that are used on its terms. */
export function crateNotices(root) {
  const texts = new Map()
  const add = (title, text) => {
    const known = text.replace(/\s+/g, ' ')
    texts.set(known, { text, titles: [...(texts.get(known)?.titles ?? []), title] })
  }
  const crates = linkedCrates(root)
  const textsOf = (crate) => {
    const found = licencesIn(dirname(crate.manifest_path), crate.license)
    return found.length > 0 ? found : [standardText(root, crate.license, statedBy(crate))]
  }
  for (const crate of crates) {
    for (const text of textsOf(crate)) add(nameOf(crate), text)
    for (const { title, license, by, like } of COMPILED_IN[crate.name] ?? []) {
      const other = crates.find(({ name }) => name === like)
      for (const text of other ? textsOf(other) : [standardText(root, license, by)])
        add(`${title} (${license}), in ${crate.name}`, text)
    }
  }
  return [...texts.values()].map(({ titles, text }) => ({ title: titles.join('\n'), text }))
}

/** The crates of the registry that are linked into the binary; macros and build scripts are not. */
function linkedCrates(root) {
  const { packages, resolve } = JSON.parse(
    execFileSync(
      process.env.CARGO ?? 'cargo',
      ['metadata', '--locked', '--format-version', '1', '--filter-platform', TARGET],
      { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] },
    ),
  )
  const byId = new Map(packages.map((crate) => [crate.id, crate]))
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]))
  const isMacro = (id) => byId.get(id).targets.some(({ kind }) => kind.includes('proc-macro'))
  const found = new Set()
  const visit = (id) => {
    if (found.has(id)) return
    found.add(id)
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps)
      if (kinds.some(({ kind }) => kind === null) && !isMacro(pkg)) visit(pkg)
  }
  visit(resolve.root)
  return [...found]
    .map((id) => byId.get(id))
    .filter(({ source }) => source !== null)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The texts of licences in a folder of a crate. Where it may be used by the short licence alone, that is enough. */
function licencesIn(folder, expression, depth = DEPTH) {
  const entries = readdirSync(folder, { withFileTypes: true })
  const files = entries.filter(
    (entry) => entry.isFile() && LICENCE_FILE.test(entry.name) && !/\.(rs|c|h)$/.test(entry.name),
  )
  const mit = expression.includes('AND') ? [] : files.filter(({ name }) => /mit/i.test(name))
  const own = (mit.length > 0 ? mit : files).map(({ name }) =>
    readFileSync(join(folder, name), 'utf8').replaceAll('\r', '').trim(),
  )
  const folders = entries.filter((entry) => entry.isDirectory() && !NOT_COMPILED.test(entry.name))
  return [
    ...own,
    ...(depth > 0
      ? folders.flatMap(({ name }) => licencesIn(join(folder, name), expression, depth - 1))
      : []),
  ]
}

/** The MPL asks to tell where the source is. */
function nameOf({ name, version, license }) {
  const source = license.includes('MPL') ? `, unchanged from https://crates.io/crates/${name}/${version}` : ''
  return `${name} ${version} (${license})${source}`
}

/** The copyright of a crate without a licence file. */
function statedBy({ name, authors, repository, homepage }) {
  const by = authors.length > 0 ? authors.join(', ') : `the authors of ${name}`
  return [`Copyright ${by}`, repository ?? homepage].filter(Boolean).join('\n')
}

function standardText(root, expression, by) {
  const name = STANDARD.find((one) => expression.split(/ OR |\//).includes(one))
  if (!name) throw new Error(`no text of ${expression} for: ${by}`)
  return `${by}\n\n${readFileSync(join(root, 'assets/licences', `${name}.txt`), 'utf8').trim()}`
}
