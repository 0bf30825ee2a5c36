/** A relay in front of the sandbox upstream, for answers that the sandbox itself would not give. */
import http from 'node:http'

/** Passes calls on; `change(body, type, url)` answers the body that goes back. */
export function relay(upstream, change) {
  const server = http.createServer(async (request, response) => {
    try {
      const { connection, host, ...headers } = request.headers
      const parts = []
      for await (const part of request) parts.push(part)
      const body = parts.length > 0 ? Buffer.concat(parts) : undefined
      const answer = await fetch(upstream + request.url, { method: request.method, headers, body })
      const type = answer.headers.get('content-type') ?? 'text/plain'
      const bytes = Buffer.from(await answer.arrayBuffer())
      const changed = change(bytes, type, new URL(request.url, upstream))
      response.writeHead(answer.status, { 'content-type': type })
      response.end(changed)
    } catch (error) {
      response.writeHead(502)
      response.end(String(error))
    }
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
