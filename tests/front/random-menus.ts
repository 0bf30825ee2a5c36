/** Menus as the stock may leave them, and guests with carts: by chance, but the same for the same seed. */

import type { CartLine, CartView, Category, PageData, Product } from '../../components/lib/page-data.ts'

export type Random = () => number
type MenuData = PageData & { page: { route: 'menu' } }

/** The same numbers each time, from 0 to 1. */
export function generator(seed: number): Random {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** One of a list that is not empty. */
export function oneOf<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T
}

/** As long as menus are measured: dishes of every kind, twelve to a category. */
export function longMenu(categories: readonly Category[], length: number): Category[] {
  const all = categories.flatMap(({ products }) => products)
  const long: Category[] = []
  for (let at = 0; at < length; at++) {
    const pattern = all[at % all.length] as Product
    if (at % 12 === 0) long.push({ id: 100 + at, name: `Бөлім ${at}`, photos: at % 24 === 0, products: [] })
    long.at(-1)?.products.push({
      ...pattern,
      id: 5000 + at,
      name: `${pattern.name} ${at}`,
      ...(at % 7 === 0 ? { age: 18 } : {}),
    })
  }
  return long
}

/** The menu at another hour: categories and dishes gone or sold out, other prices, promos and limits. */
export function atAnotherHour(categories: readonly Category[], random: Random): Category[] {
  return categories
    .filter(() => random() < 0.9)
    .map((category) => ({
      ...category,
      photos: random() < 0.8 ? category.photos : !category.photos,
      products: random() < 0.05 ? [] : category.products.flatMap((product) => changed(product, random)),
    }))
}

function changed(product: Product, random: Random): Product[] {
  const now = { ...product }
  if (random() < 0.05) return []
  if (random() < 0.2) now.out = true
  else if (random() < 0.5) delete now.out
  if (random() < 0.2) now.price += 100 * Math.floor(random() * 50)
  if (random() < 0.1) Object.assign(now, { promo: Math.round(now.price * 0.7), percent: -30 })
  if (random() < 0.1) now.limit = 1 + Math.floor(random() * 4)
  else if (random() < 0.2) delete now.limit
  if (random() < 0.05) now.unpriced = true
  if (random() < 0.1) now.age = 21
  return [now]
}

/** A guest at this menu: what is in the cart, the short lists, the table, the age, what the venue says of itself. */
export function asAnotherGuest(data: MenuData, categories: readonly Category[], random: Random): MenuData {
  const { shell, page } = data
  const products = categories.flatMap((category) => category.products)
  const { venue, promos, lists, house: _, ...menu } = page.data
  const { locked: __, ...others } = shell
  return {
    ...data,
    shell: {
      ...others,
      ...(random() < 0.3 ? { locked: true } : {}),
      table: random() < 0.5 ? null : shell.table,
      service: random() < 0.5 ? 'takeaway' : shell.service,
      cart: random() < 0.1 ? null : cartOf(venue, products, random),
    },
    page: {
      ...page,
      data: {
        ...menu,
        categories: [...categories],
        venue: { ...venue, open: { ...venue.open, open: random() < 0.8 } },
        promos: random() < 0.3 ? promos.slice(1) : promos,
        ...(random() < 0.5 ? { house: true } : {}),
        lists: lists.map((list) => ({
          ...list,
          products: products.filter(() => random() < Math.min(0.4, 6 / products.length)).map(({ id }) => id),
        })),
      },
    },
  }
}

function cartOf(venue: { id: number; name: string }, products: readonly Product[], random: Random): CartView {
  const lines = products
    // Some stand in two lines, with other options.
    .flatMap((product) => (random() < 0.15 ? (random() < 0.2 ? [product, product] : [product]) : []))
    .map((product, at) => lineOf(product, at, random))
  return {
    mark: Math.floor(random() * 2 ** 32),
    version: Math.floor(random() * 1000),
    venueId: random() < 0.8 ? venue.id : venue.id + 1,
    venueName: venue.name,
    count: lines.reduce((sum, { qty }) => sum + qty, 0),
    total: lines.reduce((sum, line) => sum + line.sum, 0),
    lines,
  }
}

export function lineOf({ id, name, price }: Product, at: number, random: Random): CartLine {
  // Of more than nine no row is kept.
  const qty = 1 + Math.floor(random() * 3) * Math.floor(random() * 6)
  return {
    id: `line-${at}`,
    productId: id,
    name,
    qty,
    price,
    sum: price * qty,
    options: [],
    note: 'Айгүл, no onions',
    plain: random() < 0.5,
  }
}
