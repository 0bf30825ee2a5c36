/**
 * Builds the browser's files and the server bundle: `node components/build/build.mjs --out DIR [--dev] [--stay]`.
 * DIR/manifest.json is written last and tells the server everything about the rest.
 *
 * With `--stay` it builds anew at each message of the process that has started it, and answers whether it went well:
 * what has not changed since is neither read nor written again.
 */

import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stop } from 'esbuild'
import { buildBrowser, buildEarly, buildServer, buildWorker } from './bundles.mjs'
import { writePublic } from './compress.mjs'
import { createContexts } from './contexts.mjs'
import { readGraph } from './graph.mjs'
import { hashOf } from './hash.mjs'
import { loadMessages } from './messages.mjs'
import { buildNotices } from './notices.mjs'
import { openingOf, packOpening } from './opening.mjs'
import { readFolders, writeRegistry } from './registry.mjs'
import { buildSprite } from './sprite.mjs'
import { stampOf } from './stamp.mjs'
import { buildStyles, unusedSheets } from './styles.mjs'
import { buildTexts, splitTexts } from './texts.mjs'
import { buildWasm } from './wasm.mjs'

const root = resolve(import.meta.dirname, '../..')
const components = join(root, 'components')

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    dev: { type: 'boolean', default: false },
    stay: { type: 'boolean', default: false },
  },
})
if (!values.out) {
  console.error('build.mjs needs --out DIR')
  process.exit(1)
}
const out = resolve(values.out)
const { dev, stay } = values
/** With `--stay`, of the build before: bundles, and the files that were there. */
const watched = stay ? { contexts: createContexts(), assets: '', files: new Set(), older: new Set() } : null

if (stay) {
  process.on('message', async () => process.send(await build()))
  process.on('disconnect', () => stop().then(() => process.exit()))
} else process.exitCode = (await build()) ? 0 : 1

/** What is wrong is said; the answer is whether all went well. */
async function build() {
  try {
    return await buildAll()
  } catch (error) {
    // The bundler has said itself what it did not understand.
    if (!Array.isArray(error.errors)) console.error(error)
    return false
  }
}

async function buildAll() {
  const missing = writeRegistry(components)
  for (const problem of missing) console.error(problem)
  if (missing.length > 0) return failed(`${missing.length} problems with the folders of pages and overlays`)
  const { catalogues, problems, owners } = loadMessages(components)
  for (const problem of problems) console.error(`texts: ${problem}`)
  if (problems.length > 0 && !dev) return failed(`${problems.length} problems with the texts`)

  const folders = readFolders(components)
  if (watched) watched.contexts.code = stampOf(components, /\.tsx?$/)
  const graph = await readGraph(root, folders, watched?.contexts)
  const unused = unusedSheets(root, graph)
  for (const problem of unused) console.error(`styles: ${problem}`)
  // While it is written a sheet is there before its import.
  if (unused.length > 0 && !dev) return failed(`${unused.length} problems with the style sheets`)
  const parts = splitTexts(root, { catalogues, graph, owners })
  const sprite = buildSprite(root)
  const styles = await buildStyles(root, { graph, folders, dev })
  const texts = buildTexts(parts, { views: Object.keys(graph.views), dev })
  const reader = buildWasm(root)
  const options = {
    root,
    folders,
    dev,
    contexts: watched?.contexts,
    catalogues,
    sprite: sprite.name,
    styles: styles.hashes,
    texts: texts.sources,
    wasm: reader.wasm,
  }
  const [browser, server, early, worker] = await Promise.all([
    buildBrowser(options),
    buildServer(options),
    buildEarly(components, watched?.contexts).then((script) => script + texts.early),
    buildWorker(options),
  ])

  const publicFiles = [...browser.files, ...styles.files, ...texts.files, sprite, reader.file]
  const folder = join(out, 'public')
  clear(folder)
  const sizes = await Promise.all(
    publicFiles.map((file) => writePublic(folder, file, { dev, isThere: watched?.files.has(file.name) })),
  )
  const assets = stampOf(join(root, 'assets'))
  if (watched?.assets !== assets) cpSync(join(root, 'assets'), join(folder, 'static'), { recursive: true })
  const notices = buildNotices(root, browser.metafile, { dev })
  await writePublic(folder, { name: 'static/notices.txt', contents: notices }, { dev })
  await writePublic(folder, { name: 'static/worker.js', contents: worker }, { dev })
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
  if (watched) {
    const older = watched.files
    const files = new Set(publicFiles.map(({ name }) => name))
    Object.assign(watched, { assets, files, older })
  }
  return true
}

/** Removes other builds; with `--stay` the last one remains, as pages of it are open. */
function clear(folder) {
  if (!watched || watched.files.size === 0) rmSync(folder, { recursive: true, force: true })
  else for (const name of watched.older.difference(watched.files)) rmSync(join(folder, name), { force: true })
  mkdirSync(folder, { recursive: true })
}

/** A reader never sees half a file. */
function writeWhole(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

function failed(message) {
  console.error(message)
  return false
}
