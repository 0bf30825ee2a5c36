/**
 * The yardstick of `session_page.mjs`: the product's server bundle in a plain Node server that has its data in memory.
 * It renders each page anew and packs it as the `compression` package does: brotli 4, zstd by its default.
 *
 * usage: plain_node.mjs SERVER_JS PAGE_JSON
 */
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { promisify } from 'node:util'
import vm from 'node:vm'
import zlib from 'node:zlib'

const [bundle, file] = process.argv.slice(2)
const { url, data, document } = JSON.parse(readFileSync(file, 'utf8'))
globalThis.__fragments = {}
vm.runInThisContext(readFileSync(bundle, 'utf8'), { filename: 'server.js' })

const page = JSON.parse(data)
const first = await globalThis.__render(url, data, 0)
const html = first.slice(first.indexOf('\n') + 1)
const at = document.indexOf(html.slice(0, 200))
if (at < 0) throw new Error('the page of the server and that of the bundle begin differently')
// What stands before and after: the same bytes as in the product, without its page and its data.
const head = document.slice(0, at)
const tail = '</div></body></html>'

const brotli = promisify(zlib.brotliCompress)
const zstd = promisify(zlib.zstdCompress)
const PACK = {
  br: (text) => brotli(text, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (text) => zstd(text),
}
let count = 0

const server = http.createServer(async (request, response) => {
  if (request.url === '/count') return response.end(String(count))
  count++
  const json = JSON.stringify(page)
  // Of data that is not shared all is rendered: a plain `renderToString`.
  const answer = await globalThis.__render(url, json, 0)
  const body = answer.slice(answer.indexOf('\n') + 1)
  const text = `${head}${body}<script type="application/json">${json.replaceAll('<', '\\u003c')}</script>${tail}`
  const asked = request.headers['accept-encoding'] ?? ''
  const encoding = ['zstd', 'br'].find((name) => asked.includes(name))
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (!encoding) return response.end(text)
  response.setHeader('content-encoding', encoding)
  response.end(await PACK[encoding](text))
})
server.listen(0, '127.0.0.1', () => console.log(`listening web http://127.0.0.1:${server.address().port}`))
