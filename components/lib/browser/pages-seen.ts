/** The events that lie in what is shown (AN-02): another venue, a menu, the cart. The server sees pages ahead of guests. */

import type { PageData } from '../page-data.ts'
import { track } from './events.ts'

let shownAt = ''
let venue: number | undefined

/** A page that is shown; the same one anew is no event. */
export function trackPage({ page, shell }: PageData): void {
  const at = `${page.route} ${shell.url.split('?', 1)[0]}`
  if (at === shownAt) return
  shownAt = at
  const here = venueOf(page.data)
  if (here !== undefined && here !== venue) {
    venue = here
    track({ name: 'venueSelected', venue: here })
  }
  if (page.route === 'menu') track({ name: 'menuOpened', venue: page.data.venue.id })
  if (page.route === 'cart') track({ name: 'basketOpened' })
}

function venueOf(data: object): number | undefined {
  if (!('venue' in data) || typeof data.venue !== 'object' || data.venue === null) return
  return 'id' in data.venue && typeof data.venue.id === 'number' ? data.venue.id : undefined
}
