/** A relay in front of the sandbox upstream that makes menus of any length. */
import http from 'node:http'

/** Passes calls on to the sandbox; menus of the venues in `lengths` get as many products as it says. */
export function relay(upstream, lengths) {
  const server = http.createServer(async (request, response) => {
    try {
      const { connection, host, ...headers } = request.headers
      const parts = []
      for await (const part of request) parts.push(part)
      const body = parts.length > 0 ? Buffer.concat(parts) : undefined
      const answer = await fetch(upstream + request.url, { method: request.method, headers, body })
      let text = await answer.text()
      const url = new URL(request.url, upstream)
      const length = lengths.get(url.searchParams.get('filial_id'))
      if (url.pathname === '/menu/v2/category/products' && length) text = menuOf(JSON.parse(text), length)
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      })
      response.end(text)
    } catch (error) {
      response.writeHead(502)
      response.end(String(error))
    }
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** The menu repeated or cut to exactly `length` products, twelve to a category. */
function menuOf(menu, length) {
  const products = menu.data.flatMap((one) => one.relationships.products.data)
  const all = Array.from({ length }, (_, at) => {
    const round = Math.floor(at / products.length)
    const product = products[at % products.length]
    return round === 0
      ? product
      : { ...product, id: product.id + round * 1_000_000, product_id: product.product_id + round * 1_000_000 }
  })
  const data = []
  for (let at = 0; at < length; at += 12) {
    const pattern = menu.data[data.length % menu.data.length]
    data.push({
      ...pattern,
      id: data.length + 1,
      relationships: { ...pattern.relationships, products: { data: all.slice(at, at + 12) } },
    })
  }
  return JSON.stringify({ ...menu, data })
}
