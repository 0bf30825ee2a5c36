/** Writes a public file, for release with its compressed forms beside it. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The sizes as the manifest lists them. A server that takes its files from a folder sends them as they are. */
export async function writePublic(folder, { name, contents }, { dev, isThere = false }) {
  const bytes = Buffer.from(contents)
  if (dev) {
    if (!isThere) await writeFile(join(folder, name), bytes)
    return { size: bytes.length }
  }
  const [br, gz] = await Promise.all([
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
    zip(bytes, { level: 9 }),
  ])
  await Promise.all([
    writeFile(join(folder, name), bytes),
    writeFile(join(folder, `${name}.br`), br),
    writeFile(join(folder, `${name}.gz`), gz),
  ])
  return { size: bytes.length, br: br.length, gz: gz.length }
}
