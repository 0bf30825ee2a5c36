/** Whose work is in what browsers get and in the server, and on which terms: the licences ask that copies carry them. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crateNotices } from './crates.mjs'

/** Packages whose pictures are drawn into the product, beside those whose code is bundled. */
const PICTURES = ['lucide-static', '@lobehub/fluent-emoji-3d']
const PACKAGE = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//
const WIDE = '='.repeat(78)

/** The text of `/legal/notices`, for the packages that a build took code from (esbuild's metafile), and the crates. */
export function buildNotices(root, { outputs }, { dev }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  const names = new Set([...PICTURES, ...inputs.flatMap((path) => path.match(PACKAGE)?.[1] ?? [])])
  const parts = [...names].sort().map((name) => noticeOf(join(root, 'node_modules', name)))
  const fonts = readFileSync(join(root, 'assets/fonts/OFL.txt'), 'utf8').trim()
  parts.push({ title: 'Noto Sans and Noto Sans Georgian (OFL-1.1)', text: fonts })
  if (names.has('zxing-wasm')) {
    // What is compiled into the package has terms of its own.
    const apache = readFileSync(join(root, 'assets/licences/Apache-2.0.txt'), 'utf8').trim()
    const by = 'Copyright the authors of ZXing and ZXing-C++\nhttps://github.com/zxing-cpp/zxing-cpp'
    parts.push({ title: 'ZXing-C++ (Apache-2.0)', text: `${by}\n\n${apache}` })
  }
  // What `make dev` builds is not shipped, and each change would wait for cargo.
  if (!dev) parts.push(...crateNotices(root))
  const head = 'Dastarkhan contains work of others. It is used on these terms.'
  return `${[head, ...parts.map(({ title, text }) => `${WIDE}\n${title}\n\n${text}`)].join('\n\n')}\n`
}

/** A package without a file of its licence is named with the licence and the author that it states. */
function noticeOf(folder) {
  const { name, version, license, author, homepage } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  if (!license) throw new Error(`${name} states no licence`)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry))
  const by = typeof author === 'object' ? author.name : author
  const stated = [by && `Copyright ${by}`, homepage].filter(Boolean).join('\n')
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : stated
  if (!text) throw new Error(`${name} has neither a licence file nor an author`)
  return { title: `${name} ${version} (${license})`, text }
}
