import { useContext, useLayoutEffect, useRef } from 'react'
import { type Location, useLocation } from 'react-router'
import { readStored, writeStored } from '../browser/storage.ts'
import { NavigationContext, useWay } from './use-navigation.ts'

/** Entries of the history that are remembered. */
const MOST = 100

/** The first entries of documents are all called `default`: those go by their address. */
const keyOf = ({ key, pathname, search }: Location): string => (key === 'default' ? pathname + search : key)

/** Each entry of the history is found as it was left; a new one begins at its top, or at the part that it names. */
export function KeepScroll() {
  const navigation = useContext(NavigationContext)
  const location = useLocation()
  const { stays } = useWay()
  const tops = useRef<Map<string, number>>(null)
  const isFirst = useRef(true)

  // The browser would scroll before the page is there.
  useLayoutEffect(() => {
    if (!navigation) return
    const known = readTops()
    tops.current = known
    function note(from: Location): void {
      known.delete(keyOf(from))
      known.set(keyOf(from), scrollY)
    }
    function leave(): void {
      const { location: shown, coming } = navigation?.now() ?? {}
      if (shown && !coming) note(shown)
      writeStored('scroll', [...known].slice(-MOST))
      // A document that comes again is scrolled before its scripts run.
      history.scrollRestoration = 'auto'
    }
    function take(): void {
      history.scrollRestoration = 'manual'
    }
    take()
    navigation.departures.add(note)
    addEventListener('pagehide', leave)
    addEventListener('pageshow', take)
    return () => {
      navigation.departures.delete(note)
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', take)
    }
  }, [navigation])

  // The position is the window's, and has to be right before the page is painted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each arrival
  useLayoutEffect(() => {
    const before = tops.current?.get(keyOf(location))
    const part = partOf(location.hash)
    // Some browsers answer with a promise: nothing of it may become what is run at the end.
    if (before !== undefined) void scrollTo(0, before)
    else if (!isFirst.current) {
      if (part) part.scrollIntoView()
      else if (!stays) void scrollTo(0, 0)
    }
    isFirst.current = false
  }, [location])

  return null
}

function partOf(hash: string): Element | null {
  try {
    return hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
  } catch {
    // Half a letter in percents names nothing.
    return null
  }
}

function readTops(): Map<string, number> {
  const kept = readStored('scroll')
  const pairs = Array.isArray(kept) ? kept : []
  return new Map(pairs.filter((one) => Array.isArray(one) && typeof one[1] === 'number'))
}
