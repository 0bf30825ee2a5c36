/** The reader of barcodes, served by ourselves under a name of its content (BC-10). */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { hashOf } from './hash.mjs'
import { PUBLIC_PATH } from './settings.mjs'

let reader

/** Its file, its address, and how much a phone fetches, which the page tells while it waits. */
export function buildWasm(root) {
  reader ??= readWasm(root)
  return reader
}

function readWasm(root) {
  const contents = readFileSync(join(root, 'node_modules/zxing-wasm/dist/reader/zxing_reader.wasm'))
  const name = `zxing-${hashOf(contents)}.wasm`
  // Roughly as it is sent; the quick quality is near enough to a rounded number.
  const packed = brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  const kilobytes = Math.round(packed.length / 10_240) * 10
  return { file: { name, contents }, wasm: { url: PUBLIC_PATH + name, kilobytes } }
}
