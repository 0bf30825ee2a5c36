/** What esbuild is taught for all bundles: modules made by the build, what stays out of one of them. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Serves modules by name from `sources`: `{ 'build:assets': 'export const …' }`. */
export function virtualModules(sources) {
  return {
    name: 'virtual-modules',
    setup(build) {
      build.onResolve({ filter: /^(build|locale):/ }, ({ path }) => ({ path, namespace: 'virtual' }))
      build.onLoad({ filter: /.*/, namespace: 'virtual' }, ({ path }) => ({
        contents: sources[path] ?? '',
        loader: 'js',
        ...(path in sources ? {} : { errors: [{ text: `the build makes no module ${path}` }] }),
      }))
    },
  }
}

/** Modules import their styles, which the build collects by itself (see styles.mjs): nothing of them is script. */
export function withoutStyles() {
  return {
    name: 'without-styles',
    setup(build) {
      build.onResolve({ filter: /\.css$/ }, ({ path }) => ({ path, namespace: 'styles', sideEffects: false }))
      build.onLoad({ filter: /.*/, namespace: 'styles' }, () => ({ contents: '' }))
    },
  }
}

/**
 * `react-dom/server` brings the streaming renderer too, which needs MessageChannel and TextEncoder when its module
 * loads. The engine only calls renderToString: its module alone is half as big.
 */
export function onlyRenderToString(root) {
  const file = join(root, 'node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js')
  return {
    name: 'only-render-to-string',
    setup(build) {
      build.onResolve({ filter: /^react-dom\/server$/ }, () => ({ path: file }))
    },
  }
}

/** The map touches the browser as soon as its module runs: the server's bundle holds an empty one in its place. */
export function withoutMap() {
  return {
    name: 'without-map',
    setup(build) {
      build.onResolve({ filter: /\/canvas\.ts$/ }, ({ path }) => ({ path, namespace: 'no-map' }))
      build.onLoad({ filter: /.*/, namespace: 'no-map' }, () => ({ contents: '' }))
    },
  }
}

/** The same for the reader of barcodes: WebAssembly with its glue, which the server never runs. */
export function withoutReader() {
  return {
    name: 'without-reader',
    setup(build) {
      build.onResolve({ filter: /\/wasm-reader\.ts$/ }, ({ path }) => ({ path, namespace: 'no-reader' }))
      build.onLoad({ filter: /.*/, namespace: 'no-reader' }, () => ({ contents: '' }))
    },
  }
}

/**
 * Lets every file of `into` reach all modules of its `kit`, so that these share one output file. A visitor of any screen
 * has then most of the next one.
 */
export function withKits(root, kits) {
  const importsOf = new Map()
  for (const { kit, into } of kits) {
    const imports = kit.map((file) => `\nimport ${JSON.stringify(join(root, file))}`).join('')
    for (const file of into.map((file) => join(root, file)))
      importsOf.set(file, (importsOf.get(file) ?? '') + imports)
  }
  return {
    name: 'with-kits',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const imports = importsOf.get(path)
        if (imports === undefined) return undefined
        return { contents: readFileSync(path, 'utf8') + imports, loader: 'tsx', resolveDir: dirname(path) }
      })
    },
  }
}
