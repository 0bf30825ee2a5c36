/** The product behind plain http and behind TLS, as a proxy in front of it would speak. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { findTable, startProduct } from '../browser/harness.mjs'

/** Starts the product; with `secure` it is reached by https alone, under a certificate that nobody knows. */
export async function startWorld({ secure = false } = {}) {
  const front = secure ? await relayTls() : null
  const product = await startProduct({ args: front ? ['--public-url', front.web] : [] })
  front?.lead(new URL(product.web).port)
  const table = await findTable(product)
  return {
    product,
    table,
    web: front?.web ?? product.web,
    /** What the policy of pages has stopped, as browsers reported it. */
    async stopped() {
      const numbers = await (await fetch(`${product.admin}/metrics`)).text()
      return numbers.split('\n').filter((line) => line.startsWith('csp_reports_total'))
    },
    async stop() {
      front?.server.close()
      await product.stop()
    },
  }
}

async function relayTls() {
  let port
  const server = tls.createServer(selfSigned(), (guest) => {
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

function selfSigned() {
  const folder = mkdtempSync(path.join(tmpdir(), 'dastarkhan-tls-'))
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const openssl =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1 ' +
    '-addext subjectAltName=IP:127.0.0.1'
  execFileSync('openssl', [...openssl.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const made = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true })
  return made
}
