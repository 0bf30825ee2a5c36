/** Several sites of one machine behind TLS: partners with a page of their own, and the product as a proxy in front has it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A key and its certificate, for this test alone, for names such as `IP:127.0.0.1` and `DNS:app.test`. */
export function selfSigned(names) {
  const folder = mkdtempSync(path.join(tmpdir(), 'dastarkhan-tls-'))
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const openssl = [
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test'.split(' '),
    ...['-addext', `subjectAltName=${names.join(',')}`],
  ]
  execFileSync('openssl', [...openssl, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const made = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true })
  return made
}

/** Chromium finds every name of `.test` here, and believes the certificate. */
export const TO_SITES = ['--host-resolver-rules=MAP *.test 127.0.0.1', '--ignore-certificate-errors']

/** Each name answers by its handler; a relay is one. `origin(name)` says where a browser finds it. */
export async function startSites(handlers) {
  const names = Object.keys(handlers)
  const options = selfSigned(names.map((name) => `DNS:${name}`))
  const server = https.createServer(options, (request, response) => {
    const name = request.headers.host?.split(':')[0]
    const answer = handlers[name] ?? ((_, none) => none.writeHead(421).end())
    answer(request, response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  return {
    origin: (name) => `https://${name}:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Passes everything on, as it came; `to()` is where. */
export const passOn = (to) => (request, response) => {
  const { hostname, port } = new URL(to())
  const { method, headers, url } = request
  const onward = http.request({ hostname, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.rawHeaders)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  // A stream of events ends when the page that listened is gone.
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}
