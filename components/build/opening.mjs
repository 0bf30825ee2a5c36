/**
 * The begin of documents, which is the same in all of a screen, packed as well as can be: the server packs only what
 * follows (`server/web/encoding/opening.rs`). Styles are a third of a first view's bytes.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, createBrotliCompress } from 'node:zlib'
import { hashOf } from './hash.mjs'

/** What stands before it in every document, in the letters of no document, so that nothing in it is repeated. */
function placeholder(build) {
  const text = `<!doctype html>\n<html lang="kk" data-build="${build}">\n<head>\n`
  return Buffer.from([...text].map((_, at) => 0x80 + at))
}

/** The server fills the same template. */
export function openingOf(root, { critical, early }) {
  return readFileSync(join(root, 'server/templates/opening.html'), 'utf8')
    .trimEnd()
    .replace('{{ critical|safe }}', () => critical)
    .replace('{{ early|safe }}', () => early)
}

/** How many bytes stand before it, the name of its text, and its packed bytes in base64. They are whole blocks and no stream: neither begin nor end. */
export async function packOpening(opening, { build, dev }) {
  const before = placeholder(build)
  const packer = createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: dev ? 2 : 11,
      [constants.BROTLI_PARAM_LGWIN]: 19,
      [constants.BROTLI_PARAM_SIZE_HINT]: opening.length,
    },
  })
  const parts = []
  packer.on('data', (part) => parts.push(part))
  const pack = (bytes) =>
    new Promise((resolve, reject) => {
      packer.once('error', reject)
      packer.write(bytes)
      packer.flush(constants.BROTLI_OPERATION_FLUSH, () => resolve(Buffer.concat(parts.splice(0))))
    })
  await pack(before)
  const br = await pack(Buffer.from(opening))
  packer.destroy()
  return { at: before.length, of: hashOf(opening), br: br.toString('base64') }
}
