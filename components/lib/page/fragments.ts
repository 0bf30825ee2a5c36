/**
 * Pieces of a page that look alike to every guest are rendered once and kept as HTML by what they show. Only the server
 * has fragments; the browser renders the same components, so the DOM is equal and hydration finds what it expects.
 *
 * A piece that is not kept yet is rendered in its place between two marks and cut out of the page that comes of it; one
 * that is kept is a mark alone. Marks are control characters: a page whose data holds one is rendered without fragments.
 */

import { createContext, type ReactNode } from 'react'
import type { PageData } from '../page-data.ts'

const OPEN = '\u0001'
const CLOSE = '\u0002'
/** How JSON writes them. */
const WRITTEN = /\\u000[12]/
/** A row of a menu is about 1.5 KB of an isolate's heap. */
const MOST = 6000

/** The fragments of an isolate by what they show, the oldest first. */
export type Kept = Map<string, string>

/** A piece: `key` holds everything that it shows; none for one that is this guest's alone. */
type Piece = { key: string | null; render: () => ReactNode }

/** The fragments of one render. */
export type Fragments = {
  /** Of the keys of all its pieces: what they show beside their own data, such as the language. */
  scope: string
  /** Products in the guest's cart: their pieces tell how many. */
  inCart: ReadonlySet<number>
  /** Pieces in a row, to be the only children of their element: text beside other text would be kept apart. */
  row: (pieces: readonly Piece[]) => ReactNode[]
  /** The page with all pieces in their places; those that were rendered for it are kept from now on. */
  assemble: (html: string) => string
  /** The same for a page that is not whole: nothing of it is kept. */
  strip: (html: string) => string
}

export const FragmentsContext = createContext<Fragments | null>(null)

/** Null: the page's data can't be told from marks. */
export function createFragments(kept: Kept, json: string, { shell }: PageData): Fragments | null {
  if (WRITTEN.test(json)) return null
  const keys: string[] = []
  const found: string[] = []

  function row(pieces: readonly Piece[]): ReactNode[] {
    const children: ReactNode[] = []
    let text = ''
    for (const { key, render } of pieces) {
      const html = key === null ? undefined : kept.get(key)
      if (html !== undefined) {
        text += `${OPEN}=${found.push(html) - 1}${CLOSE}`
        continue
      }
      if (key !== null) text += `${OPEN}b${keys.push(key) - 1}${CLOSE}`
      if (text) children.push(text)
      children.push(render())
      text = key === null ? '' : `${OPEN}e${CLOSE}`
    }
    if (text) children.push(text)
    return children
  }

  function cut(html: string, keep: boolean): string {
    const [first = '', ...parts] = html.split(OPEN)
    let page = first
    let under: { key: string; html: string } | null = null
    for (const part of parts) {
      const end = part.indexOf(CLOSE)
      const number = Number(part.slice(1, end))
      const rest = part.slice(end + 1)
      if (part[0] === '=') page += found[number]
      else if (part[0] === 'b') under = { key: keys[number] ?? '', html: rest }
      else if (under && keep) put(under.key, under.html)
      page += rest
    }
    return page
  }

  function put(key: string, html: string): void {
    if (kept.size >= MOST) {
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    }
    kept.set(key, html)
  }

  return {
    scope: `${shell.lang} ${shell.fallback} ${shell.locked}`,
    inCart: new Set(shell.cart?.lines.map(({ productId }) => productId)),
    row,
    assemble: (html) => cut(html, true),
    strip: (html) => cut(html, false),
  }
}
