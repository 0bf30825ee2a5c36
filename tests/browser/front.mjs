/** A front before the product that can be cut, led to another one, keep a path waiting, and serve another service worker. */
import http from 'node:http'

/**
 * `front.target` is where it leads; null cuts it. `front.held` is a path that is not
 * answered, `front.worker` is added to the service worker.
 */
export async function openFront(target) {
  const front = { target, held: null, worker: '' }
  const server = http.createServer((request, response) => {
    if (!front.target) {
      request.socket.destroy()
      return
    }
    const { url, method, headers } = request
    if (url === front.held) return
    const { 'if-none-match': _known, ...fresh } = headers
    const sent = url === '/worker.js' ? { ...fresh, 'accept-encoding': 'identity' } : headers
    const onward = http.request(front.target + url, { method, headers: sent }, (answer) => {
      const added = url === '/worker.js' ? front.worker : ''
      const { 'content-length': _length, etag: _tag, ...rest } = answer.headers
      response.writeHead(answer.statusCode, added ? rest : answer.headers)
      answer.pipe(response, { end: !added })
      if (added) answer.on('end', () => response.end(added))
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  front.web = `http://127.0.0.1:${server.address().port}`
  front.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return front
}
