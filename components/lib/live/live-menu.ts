/** Follows a venue for an open menu or cart: a script of its own, which comes after hydration (beyond.md, 9). */

import { paths } from '../../paths.ts'
import type { CartStore } from '../cart/store.ts'
import { fetchPage } from '../net/fetch-page.ts'
import type { CartLine, CartPage, LiveMenu, LiveProduct, MenuPage, Product } from '../page-data.ts'
import { type LiveState, type LiveStore, NOTHING, productNow } from './live-store.ts'
import { readJson, watchStream } from './stream.ts'

/** Guests who hear of a change together do not ask together. */
const APART = 300
/** What has nothing to do with the order may take longer. */
const FAR_APART = 1500

type Following = {
  venueId: number
  /** The state that the page shows, if it names one. */
  since: string
  /** The only products that it shows. */
  only?: string
  live: LiveStore
  /** The products as the page has them. */
  shown?: ReadonlyMap<number, Product>
  heard: (event: LiveMenu, before: LiveState, now: LiveState) => void
}

/** Puts what the venue tells into the store until the returned function is called, which empties it. */
function follow({ venueId, since, only, live, shown = new Map(), heard }: Following): () => void {
  let known = since
  const address = () => paths.venueEvents(venueId, { since: known || undefined, only })
  live.set({ ...NOTHING, venueId })
  const stop = watchStream<LiveMenu>({
    address,
    read: (data) => readJson(data, isLiveMenu),
    async ask() {
      try {
        const answer = await fetch(address(), { headers: { Accept: 'application/json' } })
        return answer.ok ? readJson(await answer.text(), isLiveMenu) : null
      } catch {
        return null
      }
    },
    heard(event) {
      known = event.rev
      const before = live.state()
      const now = stateAfter(before, event, shown)
      live.set(now)
      heard(event, before, now)
      return false
    },
    // What has changed is told at the order.
    silent() {},
  })
  return () => {
    stop()
    live.set(NOTHING)
  }
}

function stateAfter(
  before: LiveState,
  { open, bill, full, products }: LiveMenu,
  shown: ReadonlyMap<number, Product>,
): LiveState {
  const same = before.open && JSON.stringify(before.open) === JSON.stringify(open)
  const next = new Map(full ? [] : before.products)
  for (const product of products) {
    const [old, first] = [before.products.get(product.id), shown.get(product.id)]
    // A row whose product is the same object is not drawn again, nor is one that says so from the beginning.
    if (old && stampOf(old) === stampOf(product)) next.set(product.id, old)
    else if (old || !full || !first || stampOf(first) !== stampOf(product)) next.set(product.id, product)
  }
  return {
    ...before,
    open: same ? before.open : open,
    bill,
    products: full || products.length > 0 ? next : before.products,
  }
}

function stampOf({ price, promo, percent, from, unpriced, out, limit }: LiveProduct | Product): string {
  return [price, promo, percent, from, unpriced, out, limit].join()
}

function isLiveMenu(value: unknown): value is LiveMenu {
  return typeof value === 'object' && value !== null && 'rev' in value && 'products' in value
}

type MenuLinks = { live: LiveStore; cart: CartStore; reload: () => void }

/** The shape that the menu was loaded for and has not come with yet: a page that is old stays so. */
let tried: string | undefined

/** Keeps the rows of a menu true, and the guest's cart beside or below it. */
export function watchMenu(page: MenuPage, { live, cart, reload }: MenuLinks): () => void {
  const venueId = page.venue.id
  const shown = new Map<number, Product>()
  for (const product of page.categories.flatMap(({ products }) => products)) shown.set(product.id, product)
  let shape: string | null = null
  let loading: ReturnType<typeof setTimeout> | undefined
  let judging: ReturnType<typeof setTimeout> | undefined
  let over = false

  const linesHere = () => {
    const now = cart.snapshot().cart
    return now?.venueId === venueId ? now.lines : []
  }

  /** The server tells what a change means for the cart: limits of promos, options, what can be had. */
  async function judgeCart(): Promise<void> {
    const epoch = cart.epoch()
    const before = linesHere()
    const answer = await fetchPage(paths.cart(), { prefetch: true }).catch(() => null)
    if (over || answer?.kind !== 'page') return
    cart.adopt(answer.data.shell.cart, epoch)
    const fresh = linesHere().filter(
      (line) => line.problem && before.find(({ id }) => id === line.id)?.problem !== line.problem,
    )
    const [line] = fresh
    if (!line) return
    const key = fresh.length > 1 ? 'cart.problems' : line.problem === 'gone' ? 'live.gone' : 'live.price'
    live.set({ ...live.state(), news: { key, name: line.name } })
  }

  const later = (work: () => void, within: number) => setTimeout(work, Math.random() * within)

  const stop = follow({
    venueId,
    since: page.rev,
    live,
    shown,
    heard(event, before, now) {
      const wasOpen = (before.open ?? page.venue.open).open
      if (wasOpen !== event.open.open) {
        live.set({ ...now, news: { key: event.open.open ? 'live.opened' : 'live.closed', name: '' } })
      }
      const first = shape === null
      const moved = first ? event.full && !hasSame(event.products, shown) : shape !== event.shape
      shape = event.shape
      if (first && !moved) tried = undefined
      if (moved && tried !== event.shape) {
        tried = event.shape
        clearTimeout(loading)
        loading = later(reload, FAR_APART)
        return
      }
      const lines = linesHere()
      const touched = lines.some((line) => {
        const current = now.products.get(line.productId)
        const product = shown.get(line.productId)
        if (first) return isBehind(line, current && product ? productNow(product, current) : product)
        return current !== before.products.get(line.productId)
      })
      if (!touched) return
      clearTimeout(judging)
      judging = later(judgeCart, APART)
    },
  })
  return () => {
    over = true
    clearTimeout(loading)
    clearTimeout(judging)
    stop()
  }
}

function hasSame(products: readonly LiveProduct[], shown: ReadonlyMap<number, Product>): boolean {
  return products.length === shown.size && products.every(({ id }) => shown.has(id))
}

/** Whether a line says something else than its product. What options cost, only the server knows. */
function isBehind(line: CartLine, product: Product | LiveProduct | undefined): boolean {
  if (!product || product.out) return line.problem !== 'gone'
  if (line.problem === 'gone') return true
  return line.plain && line.price !== (product.promo ?? product.price)
}

type CartLinks = { live: LiveStore; cart: CartStore; reload: () => void }

/** Asks for the cart page anew when something changes that its lines or its way to the order depend on. */
export function watchCart(page: CartPage, { live, cart, reload }: CartLinks): () => void {
  const { venue } = page
  if (!venue) return () => {}
  const lines = cart.snapshot().cart?.lines ?? []
  const only = [...new Set(lines.map(({ productId }) => productId))].join()
  let timer: ReturnType<typeof setTimeout> | undefined
  let before: string | null = null
  const stop = follow({
    venueId: venue.id,
    since: '',
    only,
    live,
    heard(event, _, now) {
      const snapshot = JSON.stringify([event.open.open, event.bill, [...now.products]])
      const old =
        before === null
          ? event.open.open !== venue.open.open ||
            event.bill !== page.bill ||
            (cart.snapshot().cart?.lines ?? []).some((line) =>
              isBehind(line, now.products.get(line.productId)),
            )
          : before !== snapshot
      before = snapshot
      if (!old) return
      clearTimeout(timer)
      timer = setTimeout(reload, Math.random() * APART)
    },
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
