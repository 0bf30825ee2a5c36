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

test('every style sheet is imported by a module, and every layer is a declared one', async () => {
  const { readFolders } = await load('components/build/registry.mjs')
  const { readGraph } = await load('components/build/graph.mjs')
  const { entry, views } = await readGraph(PROJECT_ROOT, readFolders(components))
  const used = new Set([...entry, ...Object.values<string[]>(views).flat()])
  const layers = /@layer ([^;]+);/.exec(read('styles/layers.css'))?.[1]?.split(', ') ?? []
  assert.ok(layers.length > 3)
  // The build itself puts it before all others.
  used.add('components/styles/layers.css')
  const sheets = readdirSync(components, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  )
  assert.ok(sheets.length > 40)
  for (const name of sheets.filter((one) => used.has(`components/${one}`))) {
    for (const [, inner = ''] of read(name).matchAll(/@import "([^"]+)"/g))
      used.add(join('components', name, '..', inner))
  }
  assert.deepEqual(
    sheets.filter((name) => !used.has(`components/${name}`)),
    [],
    'nothing imports these',
  )
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
    .flatMap((name) => [...readFileSync(join(server, name), 'utf8').matchAll(/Page::new\(\s*"(\w+)"[^;]*;/g)])
    .flatMap(([constant, id]) => (constant.includes('.navbar()') ? [id] : []))
  assert.ok(withThem.length > 5)
  const sheet = 'components/frame/nav.css'
  const styled = Object.entries<string[]>(views).flatMap(([id, files]) => (files.includes(sheet) ? [id] : []))
  // A guest who is not signed in sees it at the address of one of them.
  assert.deepEqual(styled.toSorted(), [...withThem, 'signInNeeded'].toSorted())
  assert.ok(!entry.includes(sheet))
})

test('what only one page or overlay uses stands in its folder', async () => {
  const { readFolders } = await load('components/build/registry.mjs')
  const { readGraph } = await load('components/build/graph.mjs')
  const { entry, views } = await readGraph(PROJECT_ROOT, readFolders(components))
  const users = new Map<string, Set<string>>()
  const note = (id: string, files: readonly string[]) => {
    for (const thing of new Set(files.flatMap((file) => thingOf(file) ?? [])))
      users.set(thing, (users.get(thing) ?? new Set()).add(id))
  }
  for (const [id, files] of Object.entries<string[]>(views)) note(id, files)
  // The entry serves every page.
  for (const id of ['entry', 'every page']) note(id, entry)
  assert.ok(users.size > 100, `${users.size} modules and folders`)
  assert.deepEqual(
    [...users].flatMap(([thing, ids]) => (ids.size > 1 ? [] : [`${thing}: only ${[...ids]}`])),
    [],
  )
})

/**
 * A module of the rooms below the pages, or a folder of `lib/`: the modules of one subject stay together, as the search in a
 * menu does, which only its page uses now.
 */
function thingOf(file: string): string | undefined {
  const [, room = '', subject = ''] = file.split('/')
  if (room === 'lib') return `components/lib/${subject}`
  return ['frame', 'parts', 'ui'].includes(room) ? file : undefined
}

function read(name: string): string {
  return readFileSync(join(components, name), 'utf8')
}
