/** Imports flow one way: entries → pages, overlays → frame → parts → ui → lib. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { test } from 'node:test'

declare const PROJECT_ROOT: string

const components = join(PROJECT_ROOT, 'components')

/** From the top down. A room may import from its own level and from those below; scripts of their own are entries. */
const LEVELS = [['entries', 'early', 'worker'], ['pages', 'overlays'], ['frame'], ['parts'], ['ui'], ['lib']]

/** Each folder of these stands for itself: `pages/menu` knows nothing of `pages/cart`. */
const APART = ['pages', 'overlays']

/** Overlays that run beside the app are begun by the entry, not by a page. */
const FETCHED: Record<string, readonly string[]> = {
  'entry.client.tsx': ['overlays/debug', 'overlays/kiosk'],
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)['"](\.[^'"]+)['"]/g

type Line = { file: string; line: number; target: string }

function imports(file: string, text: string): Line[] {
  return text.split('\n').flatMap((content, at) =>
    [...content.matchAll(IMPORT)].map(([, path = '']) => ({
      file,
      line: at + 1,
      target: normalize(join(dirname(file), path))
        .split(sep)
        .join('/'),
    })),
  )
}

/** The level of a file; undefined for what stands beside the app: the build, styles, texts. */
function levelOf(file: string): number | undefined {
  const [room = ''] = file.split('/')
  // Addresses are words that every room uses.
  const name = file === 'paths.ts' ? 'lib' : file.includes('/') ? room : 'entries'
  const level = LEVELS.findIndex((rooms) => rooms.includes(name))
  return level < 0 ? undefined : level
}

/** The folder of a page or overlay that a file stands in; undefined for what all of them share. */
function folderOf(file: string): string | undefined {
  const [room = '', id = '', ...rest] = file.split('/')
  return APART.includes(room) && rest.length > 0 ? `${room}/${id}` : undefined
}

/** What is wrong with an import, or null. */
function wrongWith({ file, target }: Line): string | null {
  const from = levelOf(file)
  const to = levelOf(target)
  if (from === undefined || to === undefined) return null
  if (to < from) return `${LEVELS[from]} may not know ${LEVELS[to]}`
  const own = folderOf(file)
  const other = folderOf(target)
  if (!other || own === other || FETCHED[file]?.includes(other)) return null
  return `${own ?? file} may not know ${other}`
}

const files = readdirSync(components, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(sep).join('/'))
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.gen.ts') && !name.startsWith('build/'))

test('each import leads down, and no page or overlay knows another', () => {
  const all = files.flatMap((file) => imports(file, readFileSync(join(components, file), 'utf8')))
  assert.ok(all.length > 500, `${all.length} imports`)
  const wrong = all.flatMap((one) => {
    const what = wrongWith(one)
    return what ? [`components/${one.file}:${one.line} imports ${one.target}: ${what}`] : []
  })
  assert.deepEqual(wrong, [])
})

test('an import that leads up is named with its line', () => {
  const [one] = imports('lib/cart/store.ts', "\nimport { x } from '../../parts/dish/DishRow.tsx'\n")
  assert.deepEqual(one, { file: 'lib/cart/store.ts', line: 2, target: 'parts/dish/DishRow.tsx' })
  assert.ok(one && wrongWith(one))
  for (const [file, path] of [
    ['ui/Icon.tsx', "import '../frame/layout.css'"],
    ['parts/dish/DishRow.tsx', "const x = import('../../pages/menu/page.tsx')"],
    ['pages/menu/page.tsx', "} from '../cart/Checkout.tsx'"],
    ['pages/menu/page.tsx', "import { x } from '../../overlays/dish/dish-draft.ts'"],
    ['overlays/kiosk/begin.ts', "import { watch } from '../../pages/menu/shown.ts'"],
    ['overlays/kiosk/begin.ts', "import { start } from '../../early/early.ts'"],
    ['pages/loader.ts', "import { x } from './menu/page.tsx'"],
    ['entry.client.tsx', "import { x } from './overlays/dish/overlay.tsx'"],
    ['lib/net/reload.ts', "import { scope } from '../../worker/scope.ts'"],
    ['frame/Layout.tsx', "import { x } from '../root.tsx'"],
  ] as const) {
    const [wrong] = imports(file, path)
    assert.ok(wrong && wrongWith(wrong), `${file}: ${path}`)
  }
})

test('no modules of the app import each other in a circle', () => {
  const graph = new Map(
    files.map((file) => {
      // Types are gone before anything runs.
      const text = readFileSync(join(components, file), 'utf8').replace(/import type [^']*'[^']+'/g, '')
      return [file, imports(file, text).map(({ target }) => target)] as const
    }),
  )
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '))
      return
    }
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  assert.deepEqual(circles, [])
})

/** A page or overlay is named where its route is asked for, where views are, and in lists of ids. */
const NAMES = /\broute\b|\bPageId\b|\b(?:load)?[vV]iews?\b|^\s*'\w+',?$/

/** Which modules may name one of another folder nevertheless, and which. */
const NAMED: Record<string, readonly string[]> = {
  // A menu as data, wherever it was shown.
  'lib/find/last-menu.ts': ['menu'],
  'pages/menuSearch/menu-finder.ts': ['menu'],
  // What a resting tablet shows; a guest who has ordered leaves sooner, one who pays later.
  'overlays/kiosk/begin.ts': ['menu', 'order', 'pay'],
  // Where goods are found by a code: the page that a typed one is sent to answers for the camera, too.
  'pages/barcodeScanner/page.tsx': ['barcodeManual'],
  // What is shown where there is no page has to be at hand.
  'pages/strategy.ts': ['error'],
  'entry.client.tsx': ['error'],
  // And of a dish that is not there the menu below it says so.
  'pages/menu/overlays/dish.ts': ['error', 'notFound'],
}

const idsIn = (room: string) =>
  readdirSync(join(components, room), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

test('no module names a page or overlay but those of its own folder', () => {
  const ids = new Set(APART.flatMap(idsIn))
  assert.ok(ids.size > 40)
  const foreignIn = (file: string, text: string) =>
    text.split('\n').flatMap((line, at) => {
      const found = NAMES.test(line) ? line.matchAll(/'(\w+)'/g) : []
      return [...found].flatMap(([, id = '']) =>
        ids.has(id) && folderOf(file)?.split('/')[1] !== id
          ? [{ id, where: `components/${file}:${at + 1}` }]
          : [],
      )
    })
  const namedIn = (file: string, text: string) =>
    foreignIn(file, text).flatMap(({ id, where }) =>
      NAMED[file]?.includes(id) ? [] : [`${where} names ${id}`],
    )
  assert.deepEqual(namedIn('lib/a.ts', "\nif (page.route === 'menu' || way === 'other') track()"), [
    'components/lib/a.ts:2 names menu',
  ])
  assert.equal(namedIn('lib/a.ts', "const OF_ORDERS: readonly PageId[] = ['order', 'thankYou']").length, 2)
  assert.equal(namedIn('build/a.mjs', "const KIT = [\n  'cart',\n  'keypad',\n]").length, 2)
  assert.deepEqual(namedIn('pages/menu/page.tsx', "page.route === 'menu'"), [])
  assert.deepEqual(namedIn('overlays/kiosk/watch.ts', "page.route === 'menu'"), [
    'components/overlays/kiosk/watch.ts:1 names menu',
  ])

  const generated = ['lib/page-data.ts', 'lib/page-routes.ts']
  const build = readdirSync(join(components, 'build')).map((name) => `build/${name}`)
  const texts = [...files, ...build]
    .filter((file) => !generated.includes(file))
    .map((file) => [file, readFileSync(join(components, file), 'utf8')] as const)
  assert.deepEqual(
    texts.flatMap(([file, text]) => namedIn(file, text)),
    [],
  )
  const used = new Set(
    texts.flatMap(([file, text]) => foreignIn(file, text).map(({ id }) => `${file} names ${id}`)),
  )
  const allowed = Object.entries(NAMED).flatMap(([file, named]) => named.map((id) => `${file} names ${id}`))
  assert.deepEqual(
    allowed.filter((one) => !used.has(one)),
    [],
    'no longer needed',
  )
})
