/**
 * The style sheets: for the document all that a route needs as one text to stand in its head, for a navigation in
 * the browser only what the route adds to the core.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { hashOf } from './hash.mjs'
import { withoutLayers } from './layers.mjs'
import { PIECES, PUBLIC_PATH, SCREENS, STYLE_TARGET } from './route-files.mjs'

export async function buildStyles(components, { dev }) {
  const core = present(components, 'styles/core.css')
  const own = (route) => present(components, `screens/${route}.css`)
  const sources = [
    ...Object.keys(SCREENS).map((route) => ({ route, under: [], added: own(route) })),
    ...Object.entries(PIECES).map(([id, { over, css }]) => ({
      route: id,
      under: over ? own(over) : [],
      added: present(components, css),
    })),
  ]
  const built = await Promise.all(
    sources.map(async ({ route, under, added }) => ({
      route,
      critical: await bundle(components, [...core, ...under, ...added], dev),
      added: await bundle(components, added, dev),
    })),
  )
  const sheets = built.filter(({ added }) => added !== '')
  const nameOf = ({ route, added }) => `${route}-${hashOf(added)}.css`
  const names = Object.fromEntries(built.map((one) => [one.route, one.added === '' ? [] : [nameOf(one)]]))
  return {
    critical: Object.fromEntries(built.map(({ route, critical }) => [route, critical])),
    names,
    addresses: Object.fromEntries(
      Object.entries(names).map(([route, files]) => [route, files.map((name) => PUBLIC_PATH + name)]),
    ),
    files: sheets.map((one) => ({ name: nameOf(one), contents: one.added })),
  }
}

function present(components, file) {
  return existsSync(join(components, file)) ? [`./${file}`] : []
}

async function bundle(components, files, dev) {
  if (files.length === 0) return ''
  const result = await esbuild.build({
    stdin: {
      contents: files.map((file) => `@import "${file}";`).join('\n'),
      loader: 'css',
      resolveDir: components,
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
  return (await esbuild.transform(flat, settings)).code.trim()
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
