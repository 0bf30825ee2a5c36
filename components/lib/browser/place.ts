/**
 * Where the guest was reading, kept over full loads: the same page in another language, and Back to a document that is gone.
 * By what stood there, not by pixels: other words are longer, and sections that were never seen have no height yet.
 */

import { readStored, writeStored } from './storage.ts'

/** Another language comes at once, milliseconds. */
const SOON = 30_000
const MOST = 20
const LINKS = 'main a[href^="/"]'

/** A link of the page (which of those to its address), and how far from the top it stood. */
type Place = { url: string; href: string; nth: number; top: number; at: number }

export function keepPlace(): void {
  const others = places().filter(({ url }) => url !== here())
  const place = scrollY === 0 ? [] : [find()].filter((one) => one !== null)
  writeStored('place', [...place, ...others].slice(0, MOST))
}

/** `isBack`: the document was loaded by the browser's Back or Forward. */
export function returnToPlace(isBack: boolean): void {
  const [newest] = places()
  const place = isBack
    ? places().find(({ url }) => url === here())
    : newest && Date.now() - newest.at < SOON && scrollY === 0 && isTranslated(newest.url)
      ? newest
      : undefined
  if (!place) return
  const links = [...document.querySelectorAll(LINKS)].filter((one) => one.getAttribute('href') === place.href)
  const link = links[place.nth]
  if (link) scrollBy(0, link.getBoundingClientRect().top - place.top)
}

/** The first link below the header that is there at all. */
function find(): Place | null {
  const seen = new Map<string, number>()
  for (const link of document.querySelectorAll(LINKS)) {
    const href = link.getAttribute('href') ?? ''
    const nth = seen.get(href) ?? 0
    seen.set(href, nth + 1)
    const { top, height } = link.getBoundingClientRect()
    if (height > 0 && top > innerHeight / 5) return { url: here(), href, nth, top, at: Date.now() }
  }
  return null
}

const here = () => location.pathname + location.search

/** The same page, but for its language. */
function isTranslated(before: string): boolean {
  const [now, then] = [here(), before].map((url) => {
    const { pathname, searchParams } = new URL(url, location.origin)
    const lang = searchParams.get('lang')
    searchParams.delete('lang')
    return { page: `${pathname}?${searchParams}`, lang }
  })
  return now?.page === then?.page && now?.lang !== then?.lang
}

function places(): Place[] {
  const stored = readStored('place')
  return Array.isArray(stored) ? stored.filter(isPlace) : []
}

function isPlace(value: unknown): value is Place {
  return typeof value === 'object' && value !== null && 'url' in value && 'at' in value
}
