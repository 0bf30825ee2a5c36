/**
 * Every screen of the product and the states that a guest can see it in. Each entry brings a fresh page into its
 * state; accessibility, hydration and screenshots look at all of them.
 */
import { payInCash, pressOrder, submitItem } from './flows.mjs'
import { addPlain, atUrl, fillCart, hydrated, inLang, openHydrated, text } from './harness.mjs'

/**
 * @typedef {{ product: object, table: object, lang: string, opened: object }} World
 * `status`: of the document, when it is not 200. `expect`: the route that the page must be of. `langs`: the only
 * languages in which the sandbox can bring it about.
 */

const go = async ({ opened, lang }, address) => {
  await openHydrated(opened.page, inLang(address, lang))
}

/** Upstream faults for the time of one state. */
const withFault = (fault, open) => async (world) => {
  const { sandboxApi } = world.product
  await sandboxApi.set('faults', fault)
  try {
    await open(world)
  } finally {
    await sandboxApi.clear('faults')
  }
}

async function withCart(world, count = 2) {
  await fillCart(world.opened, world.table, world.table.plain.slice(0, count))
}

/** Places an order and leaves its page open. */
export async function placeOrder(world) {
  const { page } = world.opened
  await withCart(world)
  await go(world, '/cart')
  await payInCash(page)
  await pressOrder(page)
  await atUrl(page, /\/filials\/\d+\/order\//)
  await hydrated(page)
  return decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1))
}

const orderIn = (status) => async (world) => {
  const { page } = world.opened
  const id = await placeOrder(world)
  await world.product.sandboxApi.set('order/status', { order_id: id, status, reason: 'The oven broke down' })
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
}

const menuOf = (world) => `/filials/${world.table.filial_id}`

export const states = [
  { name: 'home', expect: 'home', open: (world) => go(world, '/') },
  {
    name: 'home-rail-failed',
    expect: 'home',
    open: withFault({ path: '/brandy', kind: 'status', status: 500 }, (world) =>
      go(world, '/?service=takeaway'),
    ),
  },
  { name: 'venues', expect: 'filials', open: (world) => go(world, '/filials') },
  { name: 'venues-bakery', expect: 'filials', open: (world) => go(world, '/filials?category=bakery') },
  { name: 'venues-nothing', expect: 'filials', open: (world) => go(world, '/filials?q=zzzzzz') },
  { name: 'town', expect: 'town', open: (world) => go(world, '/town') },
  { name: 'menu', expect: 'menu', open: (world) => go(world, menuOf(world)) },
  { name: 'menu-table', expect: 'menu', open: (world) => go(world, world.table.qr) },
  {
    name: 'menu-added',
    expect: 'menu',
    async open(world) {
      await go(world, world.table.qr)
      await addPlain(world.opened.page, world.table.plain[0])
      await world.opened.page.locator('a[href="/cart"]:visible').first().waitFor()
    },
  },
  {
    name: 'menu-closed',
    expect: 'menu',
    async open(world) {
      const { sandboxApi } = world.product
      await sandboxApi.set('opening', { filial_id: world.other.filial_id, closed: true })
      await go(world, `/filials/${world.other.filial_id}`)
    },
  },
  {
    name: 'menu-failed',
    expect: 'menu',
    open: withFault({ path: '/menu/v2/category', kind: 'status', status: 500 }, (world) =>
      go(world, `/filials/${world.third.filial_id}`),
    ),
  },
  {
    name: 'item',
    expect: 'menu',
    open: (world) => go(world, `${menuOf(world)}?item=${world.table.withGroup.id}`),
  },
  {
    name: 'item-wrong',
    expect: 'menu',
    langs: ['kk', 'ru', 'en'],
    async open(world) {
      const { group, id } = world.table.withGroup
      await go(world, `${menuOf(world)}?item=${id}`)
      await submitItem(world.opened.page)
      await world.opened.page
        .getByText(text(world.lang, 'errors.min', { count: group.min }))
        .first()
        .waitFor()
    },
  },
  { name: 'cart-empty', expect: 'cart', open: (world) => go(world, '/cart') },
  {
    name: 'cart',
    expect: 'cart',
    async open(world) {
      await withCart(world)
      await go(world, '/cart')
    },
  },
  {
    name: 'cart-problems',
    expect: 'cart',
    async open(world) {
      const { sandboxApi } = world.product
      await withCart(world, 3)
      const [gone, dearer] = world.table.plain
      const filial_id = world.table.filial_id
      await sandboxApi.set('stock', { filial_id, product_id: gone.id, available: false })
      await sandboxApi.set('price', { filial_id, product_id: dearer.id, price: dearer.price / 100 + 100 })
      try {
        await go(world, '/cart')
      } finally {
        await sandboxApi.set('stock', { filial_id, product_id: gone.id, available: true })
        await sandboxApi.set('price', { filial_id, product_id: dearer.id, price: dearer.price / 100 })
      }
    },
  },
  ...['created', 'cooking', 'ready', 'completed', 'canceled'].map((status) => ({
    name: `order-${status}`,
    expect: 'order',
    open: orderIn(status),
  })),
  {
    name: 'order-of-another',
    expect: 'order',
    async open(world) {
      await placeOrder(world)
      const { page, context } = world.opened
      const address = new URL(page.url()).pathname
      await context.clearCookies()
      await go(world, address)
    },
  },
  {
    name: 'menu-order-strip',
    expect: 'menu',
    async open(world) {
      await placeOrder(world)
      await go(world, menuOf(world))
    },
  },
  { name: 'coming', expect: 'coming', open: (world) => go(world, '/faq') },
  { name: 'not-found', expect: 'notFound', status: 404, open: (world) => go(world, '/no/such/page') },
  { name: 'venue-not-found', expect: 'notFound', status: 404, open: (world) => go(world, '/filials/999999') },
  {
    name: 'venue-unavailable',
    expect: 'error',
    status: 503,
    // A venue that nothing has asked for yet: of others the last good answer would be shown.
    open: withFault({ path: '*', kind: 'status', status: 500 }, (world) => go(world, '/filials/777777')),
  },
]

/** The venues that states use up, so that caches do not carry one state into another. */
export async function venuesFor(product, country, findTable) {
  const table = await findTable(product, { country })
  const all = (await product.sandboxApi.tables()).filter((one) => one.country === country)
  const ids = [...new Set(all.map((one) => one.filial_id))]
  // The ones before it were looked at by the search, so their menus are in the cache.
  const venues = ids.slice(ids.indexOf(table.filial_id) + 1).map((filial_id) => ({ filial_id }))
  return { table, other: venues[0], third: venues[1] }
}

export const inLanguage = (lang) => states.filter((one) => !one.langs || one.langs.includes(lang))
export const countryOf = (lang) => (lang === 'ka' ? 'ge' : 'kz')
