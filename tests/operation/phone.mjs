/** A guest's phone over plain HTTP/1.1: cookies are kept, pages come packed as browsers ask for them, a change is told as data. */
import http from 'node:http'
import { brotliDecompressSync } from 'node:zlib'

/** `web` is where the server listens, such as `127.0.0.1:8080`; all phones of one `agent` share its connections. */
export function phone(web, agent) {
  const [hostname, port] = web.split(':')
  const cookies = new Map()
  const self = {
    cookie: () => [...cookies].map((pair) => pair.join('=')).join('; '),
    /** `sent` are the bytes as they came, `text` what they hold. */
    ask(method, address, fields) {
      const headers = { 'accept-encoding': 'br', cookie: self.cookie() }
      if (fields)
        Object.assign(headers, {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          accept: 'application/json',
        })
      return new Promise((resolve, reject) => {
        const request = http.request({ hostname, port, method, path: address, headers, agent }, (answer) => {
          const parts = []
          answer.on('data', (part) => parts.push(part))
          answer.on('error', reject)
          answer.on('end', () => {
            for (const cookie of answer.headers['set-cookie'] ?? []) {
              const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
              cookies.set(name, value)
            }
            const sent = Buffer.concat(parts)
            const isPacked = answer.headers['content-encoding'] === 'br'
            const text = String(isPacked ? brotliDecompressSync(sent) : sent)
            resolve({ status: answer.statusCode, location: answer.headers.location, sent, text })
          })
        })
        // A connection that rested was closed as it was used again: as a browser does, over a new one.
        request.on('error', (error) => {
          if (request.reusedSocket && error.code === 'ECONNRESET') resolve(self.ask(method, address, fields))
          else reject(error)
        })
        request.end(fields && new URLSearchParams(fields).toString())
      })
    },
  }
  return self
}

/** The cart's form of an order in cash, as its page has it. */
export function orderOf({ shell, page }) {
  const total = page.data.totals.find(({ kind }) => kind === 'total')
  return { cart_version: shell.cart.version, total: total.sum, payment: 'cash' }
}
