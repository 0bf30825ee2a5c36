/** The three script bundles: browser (split by route), server (one script), early taps (inline). */

import { basename, join } from 'node:path'
import * as esbuild from 'esbuild'
import { minify } from 'terser'
import { LANGS } from './catalogues.mjs'
import { bundle } from './contexts.mjs'
import { viewFiles } from './graph.mjs'
import { groupsOf, neededByMost } from './groups.mjs'
import { shakenLibraries } from './libraries.mjs'
import {
  onlyRenderToString,
  virtualModules,
  withKits,
  withoutMap,
  withoutReader,
  withoutStyles,
} from './plugins.mjs'
import { AFTER, APP_TARGET, ENTRY, FIRST_PAGE, PUBLIC_PATH, WAY } from './settings.mjs'

/** Tests have all texts at hand. */
const EMPTY = { 'build:texts': "export const texts = { prefix: '', without: [] }" }
/** And read no barcodes. */
const NO_READER = { url: '', kilobytes: 0 }

/** The modules that the build makes. */
function sourcesOf({ sprite, styles, texts = EMPTY, wasm = NO_READER }) {
  return {
    'build:assets': `export const sprite = ${JSON.stringify(PUBLIC_PATH + sprite)}`,
    ...texts,
    'build:scanner': `export const wasm = ${JSON.stringify(wasm)}`,
    'build:styles': `export const styles = { prefix: '${PUBLIC_PATH}', hashes: '${styles}'.split(' ') }`,
  }
}

/** All texts, each language as a module. */
function localesOf(catalogues) {
  return Object.fromEntries(
    LANGS.map((lang) => [`locale:${lang}`, `export const catalogue = ${JSON.stringify(catalogues[lang])}`]),
  )
}

/** The words of the worker's page in all languages. */
function workerTextsOf(catalogues) {
  const words = LANGS.map((lang) => [
    lang,
    Object.fromEntries(Object.entries(catalogues[lang]).filter(([key]) => key.startsWith('offline.'))),
  ])
  return { 'build:worker-texts': `export const texts = ${JSON.stringify(Object.fromEntries(words))}` }
}

/** What all bundles of the app share. Tests use it too. */
export function commonOptions(
  options,
  sources = { ...sourcesOf(options), ...localesOf(options.catalogues), ...workerTextsOf(options.catalogues) },
) {
  return {
    absWorkingDir: options.root,
    bundle: true,
    jsx: 'automatic',
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
    metafile: true,
    plugins: [virtualModules(sources), withoutStyles()],
    // Style sheets have no effect in scripts.
    logOverride: { 'ignored-bare-import': 'silent' },
  }
}

export async function buildBrowser(options) {
  const sources = sourcesOf(options)
  const common = commonOptions(options, sources)
  const views = viewFiles(options.folders)
  const settings = {
    ...common,
    entryPoints: {
      entry: ENTRY,
      ...views,
      ...Object.fromEntries(LANGS.map((lang) => [lang, `locale:${lang}`])),
    },
    outdir: 'public',
    format: 'esm',
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    target: APP_TARGET,
    minify: !options.dev,
    sourcemap: options.dev ? 'inline' : false,
    define: { 'process.env.NODE_ENV': options.dev ? '"development"' : '"production"' },
    ...(options.dev
      ? { conditions: ['development', 'module'] }
      : { plugins: [shakenLibraries(options.root), ...common.plugins] }),
  }
  let result = await bundle(options.contexts, settings, sources)
  if (!options.dev) {
    const way = WAY.map((id) => views[id])
    const shared = sharedOf(result.metafile, [ENTRY, views[FIRST_PAGE]])
    const kit = [...shared, ...neededByMost(result.metafile, { taken: shared, way, after: AFTER })]
    const into = usersOf(result.metafile, kit)
    const together = withKits(options.root, [
      { kit, into },
      ...groupsOf(result.metafile, { taken: kit, way, after: AFTER }),
    ])
    result = await esbuild.build({ ...settings, plugins: [together, ...settings.plugins] })
  }
  const outputs = readOutputs(result.metafile)
  const byName = new Map(outputs.map((output) => [output.name, output]))
  const nameOf = (entry) => outputs.find((output) => output.entryPoint === entry)?.name
  const entry = nameOf(ENTRY)
  const endingWith = (file) => outputs.find((output) => output.entryPoint?.endsWith(file))?.name
  return {
    entry,
    routes: Object.fromEntries(
      Object.entries(views).map(([id, file]) => {
        // Of an overlay with several pages under it the document names the one that it shows.
        const under = options.folders.openings.filter(({ overlay }) => overlay === id)
        const pages = under.length === 1 ? under.map(({ page }) => views[page]) : []
        const needed = [...pages, file].map(endingWith)
        return [id, preloads(byName, [entry, ...needed])]
      }),
    ),
    locales: Object.fromEntries(
      LANGS.map((lang) => [
        lang,
        outputs.find((output) => output.entryPoint?.endsWith(`locale:${lang}`))?.name,
      ]),
    ),
    files: await Promise.all(
      result.outputFiles.map(async (file) => ({
        name: basename(file.path),
        contents: options.dev ? file.text : await squeeze(file.text),
      })),
    ),
    metafile: result.metafile,
  }
}

/**
 * The app's own modules that a first visit of a page shares with others. The bundler makes a file of each set of
 * pages that share something: some thirty of a few hundred bytes each, with their own headers and hardly compressed.
 */
function sharedOf({ outputs }, files) {
  const found = new Set()
  const visit = (path) => {
    for (const each of outputs[path]?.imports ?? []) {
      if (each.kind !== 'import-statement' || found.has(each.path)) continue
      found.add(each.path)
      visit(each.path)
    }
  }
  for (const [path, { entryPoint }] of Object.entries(outputs)) if (files.includes(entryPoint)) visit(path)
  return [...found]
    .flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
    .filter((file) => !file.includes(':'))
}

/** What is fetched by itself and uses a module of the kit: without the kit its share of that would be a file of its own. */
function usersOf({ outputs }, kit) {
  const files = new Set(kit)
  const uses = (path, seen = new Set()) => {
    if (seen.has(path)) return false
    seen.add(path)
    const { inputs, imports } = outputs[path]
    return (
      Object.keys(inputs).some((file) => files.has(file)) ||
      imports.some((each) => each.kind === 'import-statement' && uses(each.path, seen))
    )
  }
  return Object.keys(outputs)
    .filter((path) => outputs[path].entryPoint?.startsWith('components/') && uses(path))
    .map((path) => outputs[path].entryPoint)
}

/** What the bundler's own minifier leaves, mostly in React and the router: some 3 KB of a first visit. */
async function squeeze(code) {
  const ecma = 2020
  const { code: squeezed } = await minify(code, {
    module: true,
    ecma,
    compress: { ecma, module: true, passes: 2 },
    format: { ecma, comments: false },
  })
  return squeezed ?? code
}

function readOutputs(metafile) {
  return Object.entries(metafile.outputs).map(([path, output]) => ({
    name: basename(path),
    bytes: output.bytes,
    entryPoint: output.entryPoint,
    imports: output.imports
      .filter((each) => each.kind === 'import-statement')
      .map((each) => basename(each.path)),
  }))
}

/** What a first view needs beside the entry itself, the first of `needed`: everything that they import at once. */
function preloads(outputs, needed) {
  const found = new Set()
  const visit = (name) => {
    if (found.has(name)) return
    found.add(name)
    for (const next of outputs.get(name)?.imports ?? []) visit(next)
  }
  for (const name of needed) visit(name)
  found.delete(needed[0])
  const size = (name) => outputs.get(name)?.bytes ?? 0
  // The largest first: it takes longest to arrive.
  return [...found].sort((a, b) => size(b) - size(a))
}

/** One script for the engine, always with React's production build. */
export async function buildServer(options) {
  const sources = { ...sourcesOf(options), ...localesOf(options.catalogues) }
  // Words stand before the bundle, which is the same then when only they have changed.
  if (options.dev)
    for (const lang of LANGS) sources[`locale:${lang}`] = `export const catalogue = __catalogues.${lang}`
  const common = commonOptions(options, sources)
  const settings = {
    ...common,
    plugins: [
      onlyRenderToString(options.root),
      shakenLibraries(options.root),
      withoutMap(),
      withoutReader(),
      ...common.plugins,
    ],
    entryPoints: ['components/entry.server.tsx'],
    outdir: 'server',
    format: 'iife',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['production', 'module'],
    target: 'es2023',
    minify: !options.dev,
    // Function names in the engine's error reports.
    keepNames: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  }
  const result = await bundle(options.contexts, settings, sources)
  const code = result.outputFiles[0]?.text ?? ''
  if (!options.dev) return code
  // To render all samples is most of what a snapshot takes: a page that is looked at compiles itself.
  return `var __catalogues = ${JSON.stringify(options.catalogues)}\n${code}\ndelete globalThis.__warm\n`
}

/** The service worker: one script at an address of its own, with the words of its page in all languages. */
export async function buildWorker({ root, catalogues, contexts, dev }) {
  const sources = workerTextsOf(catalogues)
  const settings = {
    absWorkingDir: root,
    entryPoints: ['components/worker/worker.ts'],
    bundle: true,
    minify: !dev,
    format: 'iife',
    target: APP_TARGET,
    charset: 'utf8',
    write: false,
    logLevel: 'warning',
    plugins: [virtualModules(sources)],
  }
  const result = await bundle(contexts, settings, sources)
  return result.outputFiles[0]?.text ?? ''
}

/** The inline script of the early taps: fixed bytes, its hash stands in the content security policy. */
export async function buildEarly(components, contexts = null) {
  const result = await bundle(contexts, {
    entryPoints: [join(components, 'early/early.ts')],
    bundle: true,
    minify: true,
    // Its names are single letters, which nothing of the page asks for: a function around it is ten bytes more.
    format: 'esm',
    // Where even this is not understood the forms go to the server at once.
    target: 'es2021',
    charset: 'ascii',
    write: false,
    logLevel: 'warning',
  })
  return (result.outputFiles[0]?.text ?? '').trim().replace(/;$/, '')
}
