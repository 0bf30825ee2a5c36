/**
 * `node components/build/sizes.mjs DIR`: what a first visit of each route costs, brotli, from the manifest of a build
 * for release. Ends with 1 when the Menu is over its budget.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { FIRST_PAGE } from './settings.mjs'

const BUDGETS = { js: 88_000, css: 7000, early: 1024 }

const folder = process.argv[2]
if (!folder) {
  console.error('sizes.mjs needs the folder of a build')
  process.exit(2)
}
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`
const brotli = (name) => manifest.files[name].br
const sum = (names) => names.reduce((total, name) => total + brotli(name), 0)

/** The language with the largest texts counts. */
const locale = Math.max(...Object.values(manifest.locales).map(brotli))

const rows = Object.entries(manifest.routes).map(([route, { js, css, critical, texts }]) => ({
  route,
  js: brotli(manifest.entry) + sum(js) + locale + Math.max(0, ...Object.values(texts).map(brotli)),
  own: sum(js.filter((name) => name.startsWith(`${route}-`))),
  css: brotliCompressSync(critical).length,
  added: sum(css),
}))

console.log('route      all JS     own JS     inline CSS  added CSS   (brotli)')
for (const { route, js, own, css, added } of rows) {
  const cells = [js, own, css, added].map((bytes) => kilobytes(bytes).padStart(8))
  console.log(`${route.padEnd(9)} ${cells.join('   ')}`)
}
console.log(
  `entry ${kilobytes(brotli(manifest.entry))}, texts ${kilobytes(locale)}, early script ${manifest.early.length} bytes`,
)

const menu = rows.find((row) => row.route === FIRST_PAGE)
const checks = [
  ['all JavaScript of a first Menu visit', menu.js, BUDGETS.js],
  ['all CSS of a first Menu visit', menu.css, BUDGETS.css],
  ['the early-tap script', Buffer.byteLength(manifest.early), BUDGETS.early],
]
for (const [what, size, budget] of checks) {
  const over = size > budget
  console.log(`${over ? 'OVER' : 'ok  '} ${what}: ${size} of ${budget} bytes`)
  if (over) process.exitCode = 1
}
