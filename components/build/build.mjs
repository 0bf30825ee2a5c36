/**
 * Builds the browser's files and the server bundle: `node components/build/build.mjs --out DIR [--dev]`.
 * DIR/manifest.json is written last and tells the server everything about the rest.
 */

import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildBrowser, buildEarly, buildServer, buildWorker } from './bundles.mjs'
import { writeCompressed } from './compress.mjs'
import { readGraph } from './graph.mjs'
import { hashOf } from './hash.mjs'
import { loadMessages } from './messages.mjs'
import { buildNotices } from './notices.mjs'
import { openingOf, packOpening } from './opening.mjs'
import { readFolders, writeRegistry } from './registry.mjs'
import { buildSprite } from './sprite.mjs'
import { buildStyles } from './styles.mjs'
import { buildTexts, splitTexts } from './texts.mjs'
import { buildWasm } from './wasm.mjs'

const root = resolve(import.meta.dirname, '../..')
const components = join(root, 'components')

const { values } = parseArgs({
  options: { out: { type: 'string' }, dev: { type: 'boolean', default: false } },
})
if (!values.out) fail('build.mjs needs --out DIR')
const out = resolve(values.out)
const dev = values.dev

const missing = writeRegistry(components)
for (const problem of missing) console.error(problem)
if (missing.length > 0) fail(`${missing.length} problems with the folders of pages and overlays`)
const { catalogues, problems } = loadMessages(components)
for (const problem of problems) console.error(`texts: ${problem}`)
if (problems.length > 0 && !dev) fail(`${problems.length} problems with the texts`)

const folders = readFolders(components)
const graph = await readGraph(root, folders)
const parts = splitTexts(root, { catalogues, graph })

const sprite = buildSprite(root)
const styles = await buildStyles(root, { graph, folders, dev })
const texts = buildTexts(parts)
const reader = buildWasm(root)
const options = {
  root,
  folders,
  dev,
  catalogues,
  core: parts.core,
  sprite: sprite.name,
  styles: styles.addresses,
  texts: texts.source,
  wasm: reader.wasm,
}
const [browser, server, early, worker] = await Promise.all([
  buildBrowser(options),
  buildServer(options),
  buildEarly(components),
  buildWorker(options),
])

const publicFiles = [...browser.files, ...styles.files, ...texts.files, sprite, reader.file]
const folder = join(out, 'public')
if (!dev) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const sizes = await Promise.all(publicFiles.map((file) => writeCompressed(folder, file, { dev })))
if (existsSync(join(root, 'assets')))
  cpSync(join(root, 'assets'), join(folder, 'static'), { recursive: true })
const notices = buildNotices(root, browser.metafile)
await writeCompressed(folder, { name: 'static/notices.txt', contents: notices }, { dev })
await writeCompressed(folder, { name: 'static/worker.js', contents: worker }, { dev })
writeWhole(join(out, 'server.js'), server)

const openings = Object.fromEntries(
  Object.keys(browser.routes).map((route) => [
    route,
    openingOf(root, { critical: styles.critical[route], early }),
  ]),
)
const build = hashOf(server + JSON.stringify(openings) + publicFiles.map((file) => file.name).join())
const packed = await Promise.all(
  Object.values(openings).map((opening) => packOpening(opening, { build, dev })),
)

const manifest = {
  build,
  entry: browser.entry,
  routes: Object.fromEntries(
    Object.keys(browser.routes).map((route, index) => [
      route,
      {
        js: browser.routes[route],
        css: styles.names[route],
        critical: styles.critical[route],
        opening: packed[index],
        texts: texts.names[route] ?? {},
      },
    ]),
  ),
  locales: browser.locales,
  early,
  sprite: sprite.name,
  files: Object.fromEntries(publicFiles.map((file, index) => [file.name, sizes[index]])),
}
writeWhole(join(out, 'manifest.json'), JSON.stringify(manifest, null, dev ? 2 : 0))

/** A reader never sees half a file. */
function writeWhole(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
