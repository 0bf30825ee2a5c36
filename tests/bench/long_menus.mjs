/** A relay in front of the sandbox upstream that makes menus of any length. */
import { relay } from '../browser/relay.mjs'

/** Menus of the venues in `lengths` get as many products as it says. */
export const longMenus = (upstream, lengths) =>
  relay(upstream, (body, _type, { pathname, searchParams }) => {
    const length = lengths.get(searchParams.get('filial_id'))
    return pathname === '/menu/v2/category/products' && length ? menuOf(JSON.parse(body), length) : body
  })

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
