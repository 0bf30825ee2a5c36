/**
 * Pieces of a page that look alike to every guest are rendered once and kept as HTML. Only the server has fragments; the
 * browser renders the same components, so the DOM is equal and hydration finds what it expects.
 *
 * What such pieces show comes from shared data: parsed once, frozen, and known by its very text, so that a piece of it is
 * known by being the same object. A piece that is not kept yet is rendered in its place between two marks and cut out of
 * the page that comes of it; one that is kept is a mark alone. Marks are control characters: a page whose data holds one
 * is rendered without fragments.
 */

import { createContext, type ReactNode } from 'react'
import type { Category, PageData, Product } from '../page-data.ts'

const OPEN = '\u0001'
const CLOSE = '\u0002'
/** What React writes between two texts. */
const BETWEEN = '<!-- -->'
/** How JSON writes the marks. */
const WRITTEN = /\\u000[12]/
/** Letters of JSON and HTML that an isolate keeps, two bytes each. */
const MOST = 8_000_000
/** Parsed, JSON takes so many times its text. */
const PARSED = 4
/**
 * The data of a menu, and where in it begins and ends what is the same for every guest. No text in it can look so. The
 * order is that of `MenuPage` in `server/features/menu/data.rs`; where it is another one there are no fragments, and
 * `fragments_reused_total` stands still.
 */
const MENU = '"page":{"route":"menu",'
const [BEGIN, END] = ['"categories":[', '],"lists":']
/** Without its menu a venue shows lists that may be of one guest. */
const FAILED = '"failed":true'

/** What an isolate keeps between renders. */
export type Memory = {
  /** The data of a page: of the menus that were read before, the shared part is the same object. */
  read: (json: string) => { data: PageData; isShared: boolean }
  /** The HTML of a piece by what it shows and how; undefined: it is not kept. */
  find: (of: object, how: string) => string | undefined
  keep: (of: object, how: string, html: string) => void
  clear: () => void
}

export function createMemory(): Memory {
  const menus = new Map<string, readonly Category[]>()
  let pieces = new WeakMap<object, Map<string, string>>()
  let size = 0

  function clear(): void {
    menus.clear()
    pieces = new WeakMap()
    size = 0
  }

  function categoriesOf(text: string): readonly Category[] {
    const known = menus.get(text)
    if (known) return known
    const categories: readonly Category[] = JSON.parse(text, (_, value) => Object.freeze(value))
    menus.set(copied(text), categories)
    size += PARSED * text.length
    return categories
  }

  return {
    read(json) {
      // What was not asked for of late is not worth an order of its own: all of it is there again after a few renders.
      if (size > MOST) clear()
      const page = json.indexOf(MENU)
      const at = page < 0 ? -1 : json.indexOf(BEGIN, page)
      const end = at < 0 ? -1 : json.indexOf(END, at)
      const isPlain = end >= 0 && !json.includes(FAILED, end) && !WRITTEN.test(json)
      if (!isPlain) return { data: JSON.parse(json), isShared: false }
      const from = at + BEGIN.length - 1
      const data = JSON.parse(`${json.slice(0, from)}null${json.slice(end + 1)}`)
      data.page.data.categories = categoriesOf(json.slice(from, end + 1))
      return { data, isShared: true }
    },
    find: (of, how) => pieces.get(of)?.get(how),
    keep(of, how, html) {
      const kept = pieces.get(of) ?? new Map()
      if (!kept.has(how)) size += how.length + html.length
      pieces.set(of, kept.set(how, copied(html)))
    },
    clear,
  }
}

/** A part of a long text, alone: the engine would keep all of the text for it, which is a guest's page. */
const copied = (part: string) => `_${part}`.slice(1)

/** A piece of a page that may look alike to many guests. */
export type Piece = {
  /** The shared data that it shows. All that is known of another object, such as a copy, is that it is this guest's. */
  of: object
  /** Whatever else it shows or goes by, but for the scope; compared as JSON. */
  how: readonly unknown[]
  /** Products whose numbers in the cart it shows: with one of them there it is this guest's. */
  products?: readonly Product[]
  /** An element with a key. It is rendered only where the piece is not kept. */
  node: ReactNode
}

/** The fragments of one render. */
export type Fragments = {
  /** What stands for pieces one after the other; text before or behind them would be kept apart. */
  row: (pieces: readonly Piece[]) => ReactNode[]
  /** The page with all pieces in their places; those that were rendered for it are kept from now on. */
  assemble: (html: string) => string
  /** The same for a page that is not whole: nothing of it is kept. */
  strip: (html: string) => string
  /** So many pieces were rendered before. */
  reused: () => number
}

export const FragmentsContext = createContext<Fragments | null>(null)

export function createFragments(memory: Memory, { shell }: PageData): Fragments {
  const inCart = new Set(shell.cart?.lines.map(({ productId }) => productId))
  /** How all pieces are shown. */
  const scope = `${shell.lang} ${shell.fallback} ${shell.locked} ${Boolean(shell.kiosk)} `
  const rendered: { of: object; how: string }[] = []
  const found: string[] = []

  function row(pieces: readonly Piece[]): ReactNode[] {
    const children: ReactNode[] = []
    let text = ''
    let last: { of: readonly unknown[]; json: string } | undefined
    for (const { of, how, products = [], node } of pieces) {
      if (!Object.isFrozen(of) || products.some(({ id }) => inCart.has(id))) {
        if (text) children.push(text)
        text = ''
        children.push(node)
        continue
      }
      // The rows of a list share it.
      if (last?.of !== how) last = { of: how, json: scope + JSON.stringify(how) }
      const html = memory.find(of, last.json)
      if (html !== undefined) {
        text += `${OPEN}=${found.push(html) - 1}${CLOSE}`
        continue
      }
      children.push(`${text}${OPEN}b${rendered.push({ of, how: last.json }) - 1}${CLOSE}`, node)
      text = `${OPEN}e${CLOSE}`
    }
    if (text) children.push(text)
    return children
  }

  function cut(html: string, keep: boolean): string {
    const [first = '', ...parts] = html.split(OPEN)
    let page = first
    /** The pieces that have begun, the innermost last, and what stands before each. A piece grows by itself: cut out of
     * the page, each would cost a copy of all of it. */
    const open: { piece: { of: object; how: string } | undefined; before: string }[] = []
    for (const part of parts) {
      const end = part.indexOf(CLOSE)
      const number = Number(part.slice(1, end))
      if (part[0] === '=') page += found[number]
      else if (part[0] === 'b') {
        open.push({ piece: rendered[number], before: page })
        page = ''
      } else {
        const ended = open.pop()
        if (keep && ended?.piece) memory.keep(ended.piece.of, ended.piece.how, page)
        page = (ended?.before ?? '') + page
      }
      const rest = part.slice(end + 1)
      // Marks of two rows are texts beside each other, which React keeps apart.
      if (rest !== BETWEEN) page += rest
    }
    return page
  }

  return {
    row,
    assemble: (html) => cut(html, true),
    strip: (html) => cut(html, false),
    reused: () => found.length,
  }
}
