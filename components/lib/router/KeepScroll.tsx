import { useContext, useLayoutEffect, useRef } from 'react'
import { type Location, useLocation } from 'react-router'
import { readStored, writeStored } from '../browser/storage.ts'
import { here, keyOf } from './entries.ts'
import { NavigationContext, useWay } from './use-navigation.ts'

/** Entries of the history that are remembered. */
const MOST = 100

/** How far a page was scrolled in px, the number of the first row in sight, how far that was from the top, and the focus. */
type Place = readonly [top: number, row: number, offset: number, focus?: Focus | null]

/** What had the focus: its element, what that says or where it leads, and which of those that are the same in both. */
type Focus = readonly [name: string, sign: string, nth: number]

/** What pages are left by. A field that got the focus again would open a phone's keyboard. */
const FOCUSED = 'a, button, summary, h1'

/**
 * Each entry of the history is found as it was left, with the focus where it was (RT-28); a new one begins at its top, or
 * at the part that it names.
 */
export function KeepScroll() {
  const navigation = useContext(NavigationContext)
  const location = useLocation()
  const { stays } = useWay()
  const places = useRef<Map<string, Place>>(null)
  const isFirst = useRef(true)

  // The browser would scroll before the page is there.
  useLayoutEffect(() => {
    if (!navigation) return
    const known = readPlaces()
    const own: typeof known = new Map()
    places.current = known
    function note(from: Location): void {
      const place = placeNow()
      own.delete(keyOf(from))
      own.set(keyOf(from), place)
      known.set(keyOf(from), place)
    }
    function leave(): void {
      if (!navigation?.now().coming) note(here())
      // A document out of the browser's memory has not seen what others have written meanwhile.
      const all = readPlaces()
      for (const [key, place] of own) {
        all.delete(key)
        all.set(key, place)
      }
      writeStored('scroll', [...all].slice(-MOST))
      // A document that comes again is scrolled before its scripts run.
      history.scrollRestoration = 'auto'
    }
    function take(): void {
      history.scrollRestoration = 'manual'
    }
    take()
    const forget = navigation.onDeparture(note)
    addEventListener('pagehide', leave)
    addEventListener('pageshow', take)
    return () => {
      forget()
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', take)
    }
  }, [navigation])

  // The position is the window's, and has to be right before the page is painted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each arrival
  useLayoutEffect(() => {
    const before = places.current?.get(keyOf(location))
    const part = partOf(location.hash)
    // An address that is opened anew begins at its top, whatever was read there before. A form that has come back leads to
    // what is wrong with it, not to its button. The browser may be about to.
    const leads = isFirst.current && (isReload() || document.querySelector('main :focus, main [autofocus]'))
    // Some browsers answer with a promise: nothing of it may become what is run at the end.
    if (before && !leads) {
      scrollBack(before)
      // What the browser opens for the first time it focuses itself.
      if (before[3] && !isFirst.current) focusBack(before[3])
    } else if (!isFirst.current) {
      if (part) part.scrollIntoView()
      else if (!stays) void scrollTo(0, 0)
    }
    isFirst.current = false
  }, [location])

  return null
}

/** Neither by Back nor by a reload. */
function isReload(): boolean {
  const [came] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return came?.type === 'navigate'
}

/** The part of the page that an address names. */
export function partOf(hash: string): Element | null {
  try {
    return hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
  } catch {
    // Half a letter in percents names nothing.
    return null
  }
}

// Those of a navigation may stick to an edge, and a venue that was found is as high as its dishes are thought to be.
const rows = () => [...document.querySelectorAll('main li:not(nav *,.found-venue)')]
const isSeen = (one: Element) => one.getBoundingClientRect().bottom > 0
const topOf = (row: Element) => row.getBoundingClientRect().top

function placeNow(): Place {
  const all = rows()
  // None yet: rows without a section are in none that is above.
  let above: Element | undefined
  const row = all.findIndex((one) => {
    // What is not laid out would be for the question: a section that is above is asked alone.
    const section = one.closest('section')
    if (section && !isSeen(section)) above = section
    return section !== above && isSeen(one)
  })
  const found = all[row]
  return [scrollY, row, found ? topOf(found) : 0, focusNow()]
}

const signOf = (one: Element) => one.getAttribute('href') ?? one.textContent

const alike = (name: string, sign: string) =>
  [...document.querySelectorAll<HTMLElement>(name)].filter((one) => signOf(one) === sign)

function focusNow(): Focus | null {
  const one = document.activeElement
  if (!(one instanceof HTMLElement && one.matches(FOCUSED))) return null
  const { localName } = one
  const sign = signOf(one)
  return [localName, sign, alike(localName, sign).indexOf(one)]
}

/** The page is drawn anew: what had the focus is another element by now. */
function focusBack([name, sign, nth]: Focus): void {
  const one = alike(name, sign)[nth]
  if (!one) return
  if (name === 'h1') one.tabIndex = -1
  one.focus({ preventScroll: true })
}

/** Rows out of sight have an estimated height until they are drawn, so the row that was read counts, not the pixels. */
function scrollBack([top, row, offset]: Place): void {
  function settle(frames: number): void {
    const found = rows()[row]
    if (!found) return
    void scrollBy(0, topOf(found) - offset)
    if (frames > 0) requestAnimationFrame(() => settle(frames - 1))
  }
  void scrollTo(0, top)
  if (top > 0) settle(4)
}

function readPlaces(): Map<string, Place> {
  const stored = readStored('scroll')
  const pairs = Array.isArray(stored) ? stored : []
  return new Map(pairs.filter((one) => Array.isArray(one) && Array.isArray(one[1])))
}
