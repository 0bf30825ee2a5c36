/**
 * `make bench`: measures the binary on this machine and prints a Markdown table. Load is wrk's.
 *
 * Where there are two cores, the server has one of them, load, sandbox and the relay that makes menus of any length the
 * other; two isolates and a start have both. What misses its budget says so; only a million renders fail by it, all else
 * depends on what the machine does beside.
 *
 * `BENCH_ONLY` names one part, `million` is measured by that alone; `BENCH_SECONDS` is how long a turn takes, and
 * `DASTARKHAN_BINARY` another binary.
 */
import { cpus } from 'node:os'
import { hits } from './parts/hits.mjs'
import { memory } from './parts/memory.mjs'
import { million } from './parts/million.mjs'
import { renders } from './parts/renders.mjs'
import { starts } from './parts/starts.mjs'
import { unrendered } from './parts/unrendered.mjs'
import { openWorld, PAGE } from './world.mjs'

const USUAL = { renders, memory, unrendered, hits, starts }
const PARTS = { ...USUAL, million }
const only = process.env.BENCH_ONLY
if (only && !Object.hasOwn(PARTS, only)) {
  console.error(`bench: BENCH_ONLY is one of ${Object.keys(PARTS).join(', ')}`)
  process.exit(2)
}

const rows = []
function row(what, result, note = '', isMet = true) {
  rows.push([what, result, isMet ? note : `MISSED: ${note}`])
}
const ms = (value) => (value >= 100 ? `${value.toFixed(0)} ms` : `${value.toFixed(2)} ms`)
const rated = ({ rate, p50, p99 }) =>
  `${rate >= 100 ? rate.toFixed(0) : rate.toFixed(1)}/s, p50 ${ms(p50)}, p99 ${ms(p99)}`

function print(seconds) {
  const [{ model }] = cpus()
  const pad = (text, width) => text + ' '.repeat(Math.max(0, width - [...text].length))
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((one) => [...one[at]].length), 6))
  const line = (cells) => `| ${cells.map((cell, at) => pad(cell, widths[at])).join(' | ')} |`
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${model}, wrk, ${seconds} s a turn\n`,
  )
  console.log(line(['What', 'Result', 'Note']))
  console.log(line(widths.map((width) => '-'.repeat(width))))
  for (const one of rows) console.log(line(one))
}

const opened = await openWorld()
const world = { ...opened, page: opened.venueOf(PAGE), row, ms, rated }
let isWell = true
for (const part of only ? [PARTS[only]] : Object.values(USUAL)) {
  isWell = (await part(world)) !== false && isWell
}
print(world.seconds)
process.exit(isWell ? 0 : 1)
