/** The product behind plain http and behind TLS, as a proxy in front of it would speak. */
import net from 'node:net'
import tls from 'node:tls'
import { findTable, startProduct } from '../browser/harness.mjs'
import { selfSigned } from '../browser/https.mjs'

/** Starts the product; with `secure` it is reached by https alone, under an unknown certificate. */
export async function startWorld({ secure = false } = {}) {
  const front = secure ? await relayTls() : null
  const product = await startProduct({ args: front ? ['--public-url', front.web] : [] })
  front?.lead(new URL(product.web).port)
  const numbers = async (name) => {
    const text = await (await fetch(`${product.admin}/metrics`)).text()
    return text.split('\n').filter((line) => line.startsWith(`${name}{`))
  }
  const table = await findTable(product)
  return {
    product,
    table,
    web: front?.web ?? product.web,
    /** What the policy of pages has stopped, as browsers reported it. */
    stopped: async () => (await numbers('csp_reports_total')).filter((line) => !line.endsWith(' 0')),
    /** How many errors browsers told of so far, by kind. */
    async faults() {
      const told = (await numbers('browser_faults_total')).map((line) => {
        const [, kind, count] = /kind="(\w+)".* (\d+)$/.exec(line)
        return [kind, Number(count)]
      })
      return Object.fromEntries(told)
    },
    async stop() {
      front?.server.close()
      await product.stop()
    },
  }
}

async function relayTls() {
  let port
  const server = tls.createServer(selfSigned(['IP:127.0.0.1']), (guest) => {
    const product = net.connect(port, '127.0.0.1')
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
    web: `https://127.0.0.1:${server.address().port}`,
    lead(to) {
      port = to
    },
  }
}
