/**
 * `node components/build/test.mjs`: builds the front, runs each `tests/front/*.test.ts` with `node --test`, then checks
 * the sizes and that the oldest browsers know what is used.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as esbuild from 'esbuild'
import { buildEarly, buildServer, commonOptions } from './bundles.mjs'
import { loadMessages } from './messages.mjs'

const root = resolve(import.meta.dirname, '../..')
const tests = join(root, 'tests/front')
const out = mkdtempSync(join(tmpdir(), 'front-tests-'))
const { catalogues } = loadMessages(join(root, 'components'), { write: false })
const options = { root, dev: false, catalogues, sprite: 'sprite.svg', styles: '' }
const common = commonOptions(options)
const node = (...args) => spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root }).status === 0
const web = join(out, 'web')
const built = node('components/build/build.mjs', '--out', web)
const bundle = join(out, 'server.js')
writeFileSync(bundle, await buildServer(options))
const early = await buildEarly(join(root, 'components'))

await esbuild.build({
  ...common,
  entryPoints: readdirSync(tests)
    .filter((name) => name.endsWith('.test.ts') || name.endsWith('.test.tsx'))
    .map((name) => join(tests, name)),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  write: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  sourcemap: 'inline',
  // React's CommonJS modules ask for node's own.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  define: {
    'process.env.NODE_ENV': '"production"',
    EARLY_SCRIPT: JSON.stringify(early),
    SERVER_BUNDLE: JSON.stringify(bundle),
    BUILT_WEB: JSON.stringify(web),
    PROJECT_ROOT: JSON.stringify(root),
  },
})

const files = readdirSync(out)
  .filter((name) => name.endsWith('.test.mjs'))
  .map((name) => join(out, name))
const passed = node('--test', '--test-reporter=tap', '--enable-source-maps', ...files)
const inBudget = built && node('components/build/sizes.mjs', web)
const isKnown = built && node('components/build/compat.mjs', web)
rmSync(out, { recursive: true, force: true })
process.exitCode = passed && inBudget && isKnown ? 0 : 1
