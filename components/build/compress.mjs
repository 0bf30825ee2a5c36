/** Writes a public file with its compressed forms beside it. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The sizes as the manifest lists them. While developing speed counts more than bytes. */
export async function writeCompressed(folder, { name, contents }, { dev }) {
  const bytes = Buffer.from(contents)
  const [br, gz] = await Promise.all([
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: dev ? 2 : 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
    zip(bytes, { level: dev ? 1 : 9 }),
  ])
  await Promise.all([
    writeFile(join(folder, name), bytes),
    writeFile(join(folder, `${name}.br`), br),
    writeFile(join(folder, `${name}.gz`), gz),
  ])
  return { size: bytes.length, br: br.length, gz: gz.length }
}
