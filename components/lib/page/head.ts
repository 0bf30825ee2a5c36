/** What a page tells search engines and link previews (SO), in `pages/<id>/head.ts`. Only the server needs it. */

import type { Service, Shell, Venue, VenueCard } from '../page-data.ts'
import type { Text } from '../text/text.tsx'
import type { DataOf, PageId } from './pages.ts'

/** A step on the way to a page: its name and path. */
export type Step = [name: string, path: string]

export type PageHead<I extends PageId> = Head<DataOf<I>>

type Head<Data> = {
  /**
   * The path that search engines shall know, or null for what is personal, passing, or found by a search (SO-01,
   * SO-02). A part that failed for now does not take a page out of the index.
   */
  path: ((data: Data, shell: Shell) => string | null) | null
  /** Without one: the product's. */
  description?: (data: Data, t: Text, shell: Shell) => string
  /** The steps to the page from the front on, which is not among them. Its own is the last one. */
  steps?: (data: Data, t: Text, shell: Shell) => Step[]
  /** The picture of a link preview. */
  image?: (data: Data) => string | undefined
  /** The venues of a list, in its order. */
  list?: (data: Data) => VenueCard[]
}

/** Nothing for search engines. */
export const UNLISTED = { path: null } as const

const CANONICAL: readonly Service[] = ['express', 'takeaway', 'delivery']

/** One venue has an address for each service; search engines know that of the first one that the host offers, as any
 * other leads there. The server's structured data and the sitemaps choose the same. */
export function canonicalId({ id, siblings }: Venue, { services }: Pick<Shell, 'services'>): number {
  const offered = CANONICAL.filter((service) => services.includes(service))
  for (const service of [...offered, ...CANONICAL]) {
    const found = siblings.find((sibling) => sibling.service === service)
    if (found) return found.id
  }
  return id
}
