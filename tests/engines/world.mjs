/** The product behind plain http and behind TLS, as a proxy in front of it would speak. */
import net from 'node:net'
import tls from 'node:tls'
import { findTable, startProduct } from '../browser/harness.mjs'
import { selfSigned } from '../browser/https.mjs'

/**
 * What a page asks for when the app found another page than the server has sent, or could not begin. A guest may leave
 * before the page tells of it; this request is sent at once.
 */
const FAILED = 'GET /assets/failed-'

/** Starts the product; with `secure` it is reached by https alone, under a certificate that nobody knows. */
export async function startWorld({ secure = false } = {}) {
  const front = await relay(secure)
  const product = await startProduct({ args: ['--public-url', front.web] })
  front.lead(new URL(product.web).port)
  const table = await findTable(product)
  const numbers = async (name) => {
    const text = await (await fetch(`${product.admin}/metrics`)).text()
    return text.split('\n').filter((line) => line.startsWith(`${name}{`))
  }
  return {
    product,
    table,
    web: front.web,
    /** What the policy of pages has stopped, as browsers reported it. */
    stopped: async () => (await numbers('csp_reports_total')).filter((line) => !line.endsWith(' 0')),
    /** How many errors browsers told of so far, by kind, and how many pages the app did not find as they were sent. */
    async faults() {
      const told = (await numbers('browser_faults_total')).map((line) => {
        const [, kind, count] = /kind="(\w+)".* (\d+)$/.exec(line)
        return [kind, Number(count)]
      })
      return { ...Object.fromEntries(told), failed: front.failed() }
    },
    async stop() {
      front.server.close()
      await product.stop()
    },
  }
}

async function relay(secure) {
  let port
  let failed = 0
  const options = secure ? selfSigned(['IP:127.0.0.1']) : {}
  const server = (secure ? tls : net).createServer(options, (guest) => {
    const product = net.connect(port, '127.0.0.1')
    let rest = ''
    guest.on('data', (part) => {
      const parts = (rest + part.toString('latin1')).split(FAILED)
      failed += parts.length - 1
      // The request may come in two parts.
      rest = parts.at(-1).slice(1 - FAILED.length)
    })
    for (const [from, to] of [
      [guest, product],
      [product, guest],
    ]) {
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    server,
    web: `${secure ? 'https' : 'http'}://127.0.0.1:${server.address().port}`,
    failed: () => failed,
    lead(to) {
      port = to
    },
  }
}
