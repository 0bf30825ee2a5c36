/**
 * The style sheets that the modules import: for the document all that a page needs as one text to stand in its head,
 * for a navigation in the browser only what the page adds to what is there on every page.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { isSheet } from './graph.mjs'
import { hashOf } from './hash.mjs'
import { withoutLayers } from './layers.mjs'
import { STYLE_TARGET } from './settings.mjs'

const LAYERS = 'components/styles/layers.css'

/** Sheets of one layer keep the order of their rooms, and in a room that of the imports. */
const ROOMS = ['styles', 'ui', 'frame', 'parts', 'overlays', 'pages']

function byRoom(files) {
  const rank = (file) => ROOMS.indexOf(file.split('/')[1])
  return [...files].sort((a, b) => rank(a) - rank(b))
}

export async function buildStyles(root, { graph, folders, dev }) {
  const core = byRoom(graph.entry.filter(isSheet))
  const added = (id) => byRoom(graph.views[id].filter((file) => isSheet(file) && !core.includes(file)))
  const sources = [
    ...folders.pages.map((id) => ({ id, under: [], own: added(id) })),
    ...folders.overlays.map((id) => {
      const under = folders.openings.filter(({ overlay }) => overlay === id).map(({ page }) => added(page))
      const isThere = (file) => under.length > 0 && under.every((files) => files.includes(file))
      return { id, under: [...new Set(under.flat())], own: added(id).filter((file) => !isThere(file)) }
    }),
  ]
  const source = reader()
  const built = await Promise.all(
    sources.map(async ({ id, under, own }) => ({
      id,
      critical: await bundle(root, [LAYERS, ...core, ...under, ...own], { dev, source }),
      added: await bundle(root, own, { dev, source }),
    })),
  )
  const nameOf = ({ id, added }) => `${id}-${hashOf(added)}.css`
  const names = Object.fromEntries(built.map((one) => [one.id, one.added === '' ? [] : [nameOf(one)]]))
  return {
    critical: Object.fromEntries(built.map(({ id, critical }) => [id, critical])),
    names,
    // In the order of the loaders (registry.mjs): the names stand there.
    hashes: built.map(({ added }) => (added === '' ? '' : hashOf(added))).join(' '),
    files: built
      .filter(({ added }) => added !== '')
      .map((one) => ({ name: nameOf(one), contents: one.added })),
  }
}

/** What is wrong with the sheets of all rooms: one that no module and no other sheet imports is never sent. */
export function unusedSheets(root, { entry, views }) {
  const used = new Set([LAYERS, ...[...entry, ...Object.values(views).flat()].filter(isSheet)])
  // What is added on the way is visited as well.
  for (const file of used) for (const name of importedBy(join(root, file))) used.add(join(file, '..', name))
  return readdirSync(join(root, 'components'), { recursive: true })
    .filter(isSheet)
    .map((name) => join('components', name))
    .filter((file) => !used.has(file))
    .sort()
    .map((file) => `nothing imports ${file}`)
}

function importedBy(file, text = readFileSync(file, 'utf8')) {
  return [...text.matchAll(/@import "([^"]+)"/g)].map(([, name]) => name)
}

/** Sheets by what they are made of: most are the same in the next build (`--stay`). */
const known = new Map()

function bundle(root, files, { dev, source }) {
  if (files.length === 0) return ''
  const of = JSON.stringify([files, files.map((file) => source(join(root, file)))])
  if (!known.has(of)) known.set(of, bundleAgain(root, files, dev))
  return known.get(of)
}

/** Reads sheets, each once, with those that they import. */
function reader() {
  const read = new Map()
  return function source(file) {
    if (!read.has(file)) {
      const text = readFileSync(file, 'utf8')
      const imported = importedBy(file, text).map((name) => join(file, '..', name))
      read.set(file, [text, ...imported.map(source)].join('\n'))
    }
    return read.get(file)
  }
}

async function bundleAgain(root, files, dev) {
  const result = await esbuild.build({
    stdin: {
      contents: files.map((file) => `@import "./${file}";`).join('\n'),
      loader: 'css',
      resolveDir: root,
    },
    bundle: true,
    // Without its comments.
    minifyWhitespace: true,
    target: STYLE_TARGET,
    plugins: [publicAddresses],
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
  })
  const flat = withoutLayers(result.outputFiles[0]?.text ?? '')
  const settings = { loader: 'css', target: STYLE_TARGET, minify: !dev }
  const { code } = await esbuild.transform(flat, settings)
  // The bundler leaves the space before the value of a custom property.
  return code.trim().replace(/([{;]--[\w-]+): /g, '$1:')
}

/** `url(/static/…)` is an address of the server, not a file of this folder. */
const publicAddresses = {
  name: 'public-addresses',
  setup(build) {
    build.onResolve({ filter: /^(\/|data:)/ }, ({ path, kind }) =>
      kind === 'url-token' ? { path, external: true } : undefined,
    )
  },
}
