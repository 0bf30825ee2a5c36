/** The build finds pages and overlays in their folders; what is forgotten in one of them is named. */

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

declare const PROJECT_ROOT: string

const components = join(PROJECT_ROOT, 'components')
const load = (file: string) => import(pathToFileURL(join(PROJECT_ROOT, file)).href)

test('the modules that the build makes of the folders are current', async () => {
  const { readFolders, registryModules } = await load('components/build/registry.mjs')
  const folders = readFolders(components)
  assert.deepEqual(folders.problems, [])
  for (const [name, text] of Object.entries(registryModules(folders))) {
    assert.equal(
      readFileSync(join(components, name), 'utf8'),
      text,
      `${name}: run node components/build/registry.mjs`,
    )
  }
})

test('a page without its component, head or sample, and an overlay that is not there, are problems', async (t) => {
  const { readFolders } = await load('components/build/registry.mjs')
  const copy = mkdtempSync(join(tmpdir(), 'rooms-'))
  t.after(() => rmSync(copy, { recursive: true }))
  for (const room of ['pages', 'overlays'])
    cpSync(join(components, room), join(copy, room), { recursive: true })
  const problems = (): string[] => readFolders(copy).problems
  assert.deepEqual(problems(), [])

  mkdirSync(join(copy, 'pages/receipt'))
  mkdirSync(join(copy, 'overlays/tips'))
  assert.deepEqual(problems(), [
    'components/pages/receipt has no page.tsx',
    'components/pages/receipt has no head.ts',
    'components/pages/receipt has no sample.ts',
    'components/overlays/tips has no overlay.tsx',
  ])
  rmSync(join(copy, 'pages/receipt'), { recursive: true })
  rmSync(join(copy, 'overlays/tips'), { recursive: true })
  writeFileSync(join(copy, 'pages/menu/overlays/review.ts'), '')
  assert.deepEqual(problems(), ['components/pages/menu opens the overlay review, which is not there'])
})

test('a style sheet that nothing imports is a problem of the build', async () => {
  const { readFolders } = await load('components/build/registry.mjs')
  const { readGraph } = await load('components/build/graph.mjs')
  const { unusedSheets } = await load('components/build/styles.mjs')
  const graph = await readGraph(PROJECT_ROOT, readFolders(components))
  assert.deepEqual(unusedSheets(PROJECT_ROOT, graph), [])
  const sheet = 'components/pages/cart/cart.css'
  const views = Object.entries<string[]>(graph.views).map(([id, files]) => [
    id,
    files.filter((file) => file !== sheet),
  ])
  const without = { ...graph, views: Object.fromEntries(views) }
  assert.deepEqual(unusedSheets(PROJECT_ROOT, without), [`nothing imports ${sheet}`])
})

test('every layer of a style sheet is a declared one', () => {
  const layers = /@layer ([^;]+);/.exec(read('styles/layers.css'))?.[1]?.split(', ') ?? []
  assert.ok(layers.length > 3)
  const sheets = readdirSync(components, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  )
  assert.ok(sheets.length > 40)
  for (const name of sheets) {
    for (const [, layer = ''] of read(name).matchAll(/@layer ([\w-]+) \{/g))
      assert.ok(layers.includes(layer), `${name}: @layer ${layer}`)
  }
})

test('pages with the main sections at hand, what stands in their place, and no others, bring the styles of these', async () => {
  const { readFolders } = await load('components/build/registry.mjs')
  const { readGraph } = await load('components/build/graph.mjs')
  const { entry, views } = await readGraph(PROJECT_ROOT, readFolders(components))
  const server = join(PROJECT_ROOT, 'server')
  const withThem = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.rs'))
    .flatMap((name) => [
      ...readFileSync(join(server, name), 'utf8').matchAll(/Page::builder\(\s*"(\w+)"[^;]*;/g),
    ])
    .flatMap(([constant, id]) => (constant.includes('.navbar()') ? [id] : []))
  assert.ok(withThem.length > 5)
  const sheet = 'components/frame/nav.css'
  const styled = Object.entries<string[]>(views).flatMap(([id, files]) => (files.includes(sheet) ? [id] : []))
  // A guest who is not signed in sees it at the address of one of them.
  assert.deepEqual(styled.toSorted(), [...withThem, 'signInNeeded'].toSorted())
  assert.ok(!entry.includes(sheet))
})

/** The rooms below the pages. */
const ROOMS_BELOW = new Set(['frame', 'parts', 'ui', 'lib'])

test('what only one page or overlay uses stands in its folder', async () => {
  const { readFolders } = await load('components/build/registry.mjs')
  const { readGraph } = await load('components/build/graph.mjs')
  const { entry, views } = await readGraph(PROJECT_ROOT, readFolders(components))
  const users = new Map<string, Set<string>>()
  const note = (id: string, files: readonly string[]) => {
    for (const file of files.filter((one) => ROOMS_BELOW.has(one.split('/')[1] ?? '')))
      users.set(file, (users.get(file) ?? new Set()).add(id))
  }
  for (const [id, files] of Object.entries<string[]>(views)) note(id, files)
  // The entry serves every page.
  for (const id of ['entry', 'every page']) note(id, entry)
  assert.ok(users.size > 100, `${users.size} modules`)
  assert.deepEqual(
    [...users].flatMap(([file, ids]) => (ids.size > 1 ? [] : [`${file}: only ${[...ids]}`])),
    [],
  )
})

function read(name: string): string {
  return readFileSync(join(components, name), 'utf8')
}
