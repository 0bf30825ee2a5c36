/**
 * Pieces of a page that look alike to every guest are rendered once and kept as HTML. Only the server has fragments; the
 * browser renders the same components, so the DOM is equal and hydration finds what it expects.
 *
 * What such pieces show comes from shared data, which the engine hands over once: parsed, frozen, and known by its name,
 * so that a piece of it is known by being the same object. A piece that is not kept yet is rendered in its place between
 * two markers and cut out of the page that comes of it; one that is kept is a placeholder alone, which the engine fills.
 * Both begin and end with control characters: a page whose data holds one is rendered without fragments.
 */

import { createContext, type ReactNode } from 'react'
import type { Category, PageData, Product } from '../page-data.ts'

const OPEN = '\u0001'
const CLOSE = '\u0002'
/** Ends the head of an answer whose HTML has placeholders. */
export const MARKED = OPEN
/** What React writes between two texts. */
const BETWEEN = '<!-- -->'
/** How JSON writes the two. */
const WRITTEN = /\\u000[12]/
/** Letters of JSON and HTML that are kept for an isolate, two bytes each. */
const MOST = 8_000_000
/** More of one dish are rare. */
const MANY = 10
/** Parsed JSON takes this many times its text. */
const PARSED = 4

/** The engine's side of the cache (`ssr/src/fragment_cache.rs`). */
export type EngineCache = {
  /** The shared part of the data of this render. */
  shared: () => string
  /** Caches HTML, whose placeholders it fills; the number is what a placeholder names it by. */
  insert: (html: string) => number
  clear: () => void
}

/** What an isolate keeps between renders. */
export type FragmentCache = {
  /** The data of a page. Its shared part, if it has one, has a name, and is the same object for each render of it. */
  read: (json: string, shared: number) => { data: PageData; isShared: boolean }
  /** The number of a piece by what it shows and how; undefined: it is not kept. */
  get: (of: object, how: string) => number | undefined
  set: (of: object, how: string, html: string) => void
}

type Menu = { categories: readonly Category[]; isPlain: boolean }

export function createFragmentCache(engine: EngineCache): FragmentCache {
  const menus = new Map<number, Menu>()
  let numbers = new WeakMap<object, Map<string, number>>()
  let size = 0

  function clear(): void {
    menus.clear()
    numbers = new WeakMap()
    engine.clear()
    size = 0
  }

  function menuOf(name: number): Menu {
    const known = menus.get(name)
    if (known) return known
    const text = engine.shared()
    const categories = JSON.parse(text, (_, value) => Object.freeze(value))
    const menu = { categories, isPlain: !WRITTEN.test(text) }
    menus.set(name, menu)
    size += PARSED * text.length
    return menu
  }

  return {
    read(json, shared) {
      const data = JSON.parse(json)
      if (shared === 0) return { data, isShared: false }
      // What was not asked for of late is not worth an order of its own: all of it is there again after a few renders.
      if (size > MOST) clear()
      const { categories, isPlain } = menuOf(shared)
      data.page.data.categories = categories
      return { data, isShared: isPlain && !WRITTEN.test(json) }
    },
    get: (of, how) => numbers.get(of)?.get(how),
    set(of, how, html) {
      const known = numbers.get(of) ?? new Map<string, number>()
      // The page may have shown it twice.
      if (known.has(how)) return
      size += how.length + html.length
      numbers.set(of, known.set(how, engine.insert(html)))
    },
  }
}

/** A piece of a page that may look alike to many guests. */
export type FragmentItem = {
  /** The shared data that it shows. All that is known of another object, such as a copy, is that it is this guest's. */
  of: object
  /** Whatever else it shows or goes by, but for the scope; compared as JSON. */
  how: readonly unknown[]
  /**
   * Products whose numbers in the cart it shows. With one of them there it is this guest's, unless that is its only one
   * and it shows no more of it than how many there are: a product without options.
   */
  products?: readonly Product[]
  /** An element with a key. It is rendered only where the piece is not kept. */
  node: ReactNode
}

/** The fragments of one render. */
export type Fragments = {
  /** What stands for pieces one after the other; text before or behind them would be kept apart. */
  row: (items: readonly FragmentItem[]) => ReactNode[]
  /** The page, whose placeholders the engine fills; the pieces that were rendered for it are kept from now on. */
  assemble: (html: string) => string
  /** The same for a page that is not whole: nothing of it is kept. */
  strip: (html: string) => string
  /** How many pieces were rendered before. */
  reused: () => number
}

export const FragmentsContext = createContext<Fragments | null>(null)

/** What a piece of the frame is of: it shows no data that pages share. */
export const FRAME: object = Object.freeze({})

/** `quantity` tells how many of a product are in the cart, as the page shows it. */
export function createFragments(
  cache: FragmentCache,
  { shell }: PageData,
  quantity: (productId: number) => number,
): Fragments {
  const inCart = new Set(shell.cart?.lines.map(({ productId }) => productId))
  /** How all pieces are shown. */
  const scope = `${shell.lang} ${shell.fallback} ${shell.locked} ${Boolean(shell.kiosk)} `
  const rendered: { of: object; how: string }[] = []
  let reused = 0

  /** How many pieces of its products a piece shows; null: more than their number, or a number that few guests have. */
  function countOf(products: readonly Product[]): number | null {
    if (inCart.size === 0 || !products.some(({ id }) => inCart.has(id))) return 0
    const [only] = products
    if (!only || products.length > 1 || only.options) return null
    const count = quantity(only.id)
    return count < MANY ? count : null
  }

  function row(items: readonly FragmentItem[]): ReactNode[] {
    const children: ReactNode[] = []
    let text = ''
    let last: { of: readonly unknown[]; json: string } | undefined
    for (const { of, how, products = [], node } of items) {
      const count = Object.isFrozen(of) ? countOf(products) : null
      if (count === null) {
        if (text) children.push(text)
        text = ''
        children.push(node)
        continue
      }
      // The rows of a list share it.
      if (last?.of !== how) last = { of: how, json: scope + JSON.stringify(how) }
      const own = count === 0 ? last.json : `${count} ${last.json}`
      const number = cache.get(of, own)
      if (number !== undefined) {
        text += `${OPEN}=${number}${CLOSE}`
        reused++
        continue
      }
      children.push(`${text}${OPEN}b${rendered.push({ of, how: own }) - 1}${CLOSE}`, node)
      text = `${OPEN}e${CLOSE}`
    }
    if (text) children.push(text)
    return children
  }

  function cut(html: string, keep: boolean): string {
    // Nearly always.
    if (rendered.length === 0) return html
    const [first = '', ...parts] = html.split(OPEN)
    let page = first
    /** The pieces that have begun, the innermost last, and what stands before each. A piece grows by itself: cut out of
     * the page, each would cost a copy of all of it. */
    const open: { piece: { of: object; how: string } | undefined; before: string }[] = []
    for (const part of parts) {
      const end = part.indexOf(CLOSE)
      if (part[0] === '=') page += OPEN + part.slice(0, end + 1)
      else if (part[0] === 'b') {
        open.push({ piece: rendered[Number(part.slice(1, end))], before: page })
        page = ''
      } else {
        const ended = open.pop()
        if (keep && ended?.piece) cache.set(ended.piece.of, ended.piece.how, page)
        page = (ended?.before ?? '') + page
      }
      const rest = part.slice(end + 1)
      // Placeholders of two rows are texts beside each other, which React keeps apart.
      if (rest !== BETWEEN) page += rest
    }
    return page
  }

  return {
    row,
    assemble: (html) => cut(html, true),
    strip: (html) => cut(html, false),
    reused: () => reused,
  }
}
