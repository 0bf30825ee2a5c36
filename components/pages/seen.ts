/** The events that lie in what is shown (AN-02): the server sees pages ahead of guests. What pages keep of themselves. */

import { track } from '../lib/browser/events.ts'
import type { PageId, PageShown } from '../lib/page/pages.ts'
import type { PageData } from '../lib/page-data.ts'
import { shown as pagesShown } from './shown.gen.ts'

let shownAt = ''
let venue: number | undefined

/** A page that is shown; the same one anew is no event. */
export function notePage({ page, shell }: PageData): void {
  // Its data fits by construction, which the types can't follow.
  const own = pagesShown[page.route] as PageShown<PageId> | undefined
  own?.keep?.(page.data)
  const at = `${page.route} ${shell.url.split('?', 1)[0]}`
  if (at === shownAt) return
  shownAt = at
  const here = venueOf(page.data)
  if (here !== undefined && here !== venue) {
    venue = here
    track({ name: 'venueSelected', venue: here })
  }
  if (own) track(own.event(page.data))
}

function venueOf(data: object): number | undefined {
  if (!('venue' in data) || typeof data.venue !== 'object' || data.venue === null) return
  return 'id' in data.venue && typeof data.venue.id === 'number' ? data.venue.id : undefined
}
