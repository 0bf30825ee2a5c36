/** Where the guest was reading, kept over a full load of the same page in another language. */

import { readStored, writeStored } from './storage.ts'

/** Older ones are of another visit to the page, milliseconds. */
const OLD = 30_000
const LINKS = 'main a[href^="/"]'

/** A link that both pages have (the so-manieth to its address), and how far from the top it stood. */
type Place = { path: string; href: string; nth: number; top: number; at: number }

export function keepPlace(): void {
  if (scrollY === 0) return
  const seen = new Map<string, number>()
  for (const link of document.querySelectorAll(LINKS)) {
    const href = link.getAttribute('href') ?? ''
    const nth = seen.get(href) ?? 0
    seen.set(href, nth + 1)
    const { top, height } = link.getBoundingClientRect()
    // The first one below the header that is there at all.
    if (height === 0 || top < innerHeight / 5) continue
    const place: Place = { path: location.pathname, href, nth, top, at: Date.now() }
    writeStored('place', place)
    return
  }
}

export function returnToPlace(): void {
  const place = readStored('place')
  writeStored('place', null)
  if (!isPlace(place) || place.path !== location.pathname || Date.now() - place.at > OLD) return
  // Whoever has scrolled already is somewhere else.
  if (scrollY !== 0) return
  const links = [...document.querySelectorAll(LINKS)].filter((one) => one.getAttribute('href') === place.href)
  const link = links[place.nth]
  if (link) scrollBy(0, link.getBoundingClientRect().top - place.top)
}

function isPlace(value: unknown): value is Place {
  return typeof value === 'object' && value !== null && 'path' in value && 'at' in value
}
