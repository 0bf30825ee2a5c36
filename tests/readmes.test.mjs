/** What the READMEs name is there: files, folders and headings; their decisions stand in the order of their dates. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.resolve(import.meta.dirname, '..')

/** Made by builds and tests, or other people's. */
const APART = new Set(['.git', 'node_modules', 'target'])
/** Endings of our own files: a name in backticks with another one is something else. */
const ENDING = /\.(css|d\.ts|html|js|json|md|mjs|mts|py|rs|sh|svg|toml|tsx?|webp|yaml|yml)$/

const files = filesIn('')
const folders = [...new Set(files.flatMap((file) => [...parentsOf(file)]))]
/** What begins with one of these is a path from the top. */
const TOP = readdirSync(root, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !APART.has(entry.name),
)
const readmes = files.filter((file) => file.endsWith('.md'))

function filesIn(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    if (APART.has(entry.name)) return []
    return entry.isDirectory() ? filesIn(name) : [name]
  })
}

function* parentsOf(file) {
  for (let at = path.dirname(file); at !== '.'; at = path.dirname(at)) yield at
}

/** `a/{b,c}.ts` as its two names. */
function spread(name) {
  const group = /\{([^{}]*,[^{}]*)\}/.exec(name)
  if (!group) return [name]
  return group[1].split(',').flatMap((one) => spread(name.replace(group[0], one)))
}

/** Whether a name, with stars and `<placeholders>`, is a path from the top, from this folder, or the end of one. */
function isThere(name) {
  const parts = name
    .replace(/^(\.\.?\/)+/, '')
    .replace(/\/$/, '')
    .split(/(<[^>]+>|\*+)/)
  const pattern = parts
    .map((part, at) => (at % 2 ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('')
  const whole = new RegExp(`(^|/)${pattern}$`)
  const among = name.endsWith('/') ? folders : ENDING.test(name) ? files : [...folders, ...files]
  return among.some((one) => whole.test(one))
}

const withoutFences = (text) => text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
const lineOf = (text, at) => text.slice(0, at).split('\n').length

/** Names that look like files or folders of the repository: in backticks, and files in blocks of code. */
function namesIn(text) {
  const marked = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(({ 1: name, index }) => ({
    name,
    index,
  }))
  const blocks = [...text.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(({ 1: block, index }) =>
    [...block.matchAll(/\S+/g)]
      .filter(([name]) => ENDING.test(name))
      .map((word) => ({ name: word[0], index: index + 4 + word.index })),
  )
  return [...marked, ...blocks].flatMap(({ name, index }) =>
    name
      .split(/\s+/)
      .map((word) =>
        word
          .replace(/^\(|[),;:]$/g, '')
          .replace(/::.*$/, '')
          .replace(/:\d+$/, ''),
      )
      .filter(isPath)
      .flatMap((word) => spread(word).map((one) => ({ name: one, line: lineOf(text, index) }))),
  )
}

function isPath(word) {
  if (!/^[\w.@<{][\w./<>{},*@-]*$/.test(word) || [...APART].some((folder) => word.startsWith(`${folder}/`)))
    return false
  return ENDING.test(word) || word.endsWith('/') || TOP.some(({ name }) => word.startsWith(`${name}/`))
}

/** The anchors of a text's headings, as GitHub makes them. */
const anchorsOf = (text) =>
  [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** What is wrong with the links of a README. */
function brokenLinks(readme, text) {
  return [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: link, index }) => {
    if (/^[a-z]+:/.test(link)) return []
    const [to, anchor] = link.split('#')
    const file = to ? path.join(root, path.dirname(readme), to) : path.join(root, readme)
    const where = `${readme}:${lineOf(text, index)} ${link}`
    if (!existsSync(file)) return [where]
    return anchor && !anchorsOf(to ? readFileSync(file, 'utf8') : text).includes(anchor) ? [where] : []
  })
}

/** Rows of tables with a date that stand below a later one. */
function outOfOrder(readme, text) {
  let before = ''
  return text.split('\n').flatMap((line, at) => {
    const date = /^\| (\d{4}-\d\d-\d\d) \|/.exec(line)?.[1]
    if (!date && !line.startsWith('|')) before = ''
    if (!date) return []
    const isLate = date < before
    before = date
    return isLate ? [`${readme}:${at + 1} ${date}`] : []
  })
}

const texts = readmes.map((readme) => [readme, readFileSync(path.join(root, readme), 'utf8')])

test('every link of a README leads to a file and a heading', () => {
  assert.ok(readmes.length > 10)
  assert.deepEqual(
    texts.flatMap(([readme, text]) => brokenLinks(readme, text)),
    [],
  )
})

test('every file and folder that a README names is there', () => {
  const named = texts.flatMap(([readme, text]) => namesIn(text).map((one) => ({ readme, ...one })))
  assert.ok(named.length > 300, `${named.length} names`)
  assert.deepEqual(
    named.filter(({ name }) => !isThere(name)).map(({ readme, line, name }) => `${readme}:${line} ${name}`),
    [],
  )
})

test('the decisions of each table stand in the order of their dates', () => {
  assert.deepEqual(
    texts.flatMap(([readme, text]) => outOfOrder(readme, text)),
    [],
  )
})

test('what is wrong is named with its line', () => {
  assert.deepEqual(brokenLinks('tests/README.md', 'a\n[b](nowhere.md) [c](README.md#nowhere) [d](#d)\n# D'), [
    'tests/README.md:2 nowhere.md',
    'tests/README.md:2 README.md#nowhere',
  ])
  const text =
    'See `pages/nowhere.ts`, `a.b`,\n`tests/{run,walk}.sh` and `build/<id>.mjs`.\n```\nnever.rs  main.rs\n```\n'
  assert.deepEqual(
    namesIn(text).filter(({ name }) => !isThere(name)),
    [
      { name: 'pages/nowhere.ts', line: 1 },
      { name: 'tests/walk.sh', line: 2 },
      { name: 'never.rs', line: 4 },
    ],
  )
  assert.deepEqual(outOfOrder('a.md', '| 2026-11-22 | a |\n| 2026-11-21 | b |\n\n| 2026-11-20 | c |'), [
    'a.md:2 2026-11-21',
  ])
})
