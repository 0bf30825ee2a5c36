/** Pages of a list of venues, each added to the end of what is shown (HM-04, HM-05, HM-14). */

import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { Page, VenueCard } from '../../lib/page-data.ts'
import { newOnes } from './venue-groups.ts'

export type VenueList = {
  venues: VenueCard[]
  page: number
  lastPage: number
  failed: boolean
}

type State = {
  /** What the pages belong to; another town, service or search has pages of its own. */
  of: string
  /** Venues of the pages after the first, page by page. */
  pages: VenueCard[][]
  page: number
  lastPage: number
  status: 'idle' | 'loading' | 'failed'
}

export type MoreVenues = {
  /** All pages so far, the document's own first. */
  pages: VenueCard[][]
  /** The page that comes next, or null at the end. */
  next: number | null
  status: State['status']
  /** Venues that came last. */
  added: number
  /** Asks for the next page; after a failure this is the retry. */
  load: () => void
}

/** Pages by the entry of the history that they were seen in: Back finds the list as long as it was. */
const cache = new Map<string, State>()
const MOST_CACHED = 20

/** `address` of a page is what the list has without scripts too. */
export function useMoreVenues(list: VenueList, address: (page: number) => string): MoreVenues {
  const shell = useShell()
  const { key } = useLocation()
  const of = [shell.town.id, shell.service, address(list.page)].join(' ')
  const before = cache.get(key)
  const first = before?.of === of ? before : start(of, list)
  const [state, setState] = useState<State>(first)
  const running = useRef<AbortController>(null)
  // Another list in the same place is there at once, not after a frame with the old one.
  const current = state.of === of ? state : first

  // A page under way belongs to the list that asked for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` names the list, its change ends the request
  useEffect(() => {
    return () => {
      if (!running.current) return
      running.current.abort()
      running.current = null
      setState((left) => ({ ...left, status: 'idle' }))
    }
  }, [of])

  function show(next: State): void {
    setState(next)
    cache.delete(key)
    cache.set(key, { ...next, status: next.status === 'loading' ? 'idle' : next.status })
    for (const old of [...cache.keys()].slice(0, Math.max(0, cache.size - MOST_CACHED))) cache.delete(old)
  }

  async function load(): Promise<void> {
    if (running.current || current.page >= current.lastPage) return
    const controller = new AbortController()
    running.current = controller
    show({ ...current, status: 'loading' })
    const answer = await pageOf(address(current.page + 1), controller.signal)
    if (controller.signal.aborted) return
    running.current = null
    if (answer === 'over') {
      show({ ...current, lastPage: current.page, status: 'idle' })
      return
    }
    if (!answer) {
      show({ ...current, status: 'failed' })
      return
    }
    const known = [list.venues, ...current.pages].flat()
    show({
      of,
      pages: [...current.pages, newOnes(known, answer.venues)],
      page: current.page + 1,
      lastPage: answer.lastPage,
      status: 'idle',
    })
  }

  return {
    pages: [list.venues, ...current.pages],
    next: list.failed || current.page >= current.lastPage ? null : current.page + 1,
    status: current.status,
    added: current.pages.at(-1)?.length ?? 0,
    load: () => void load(),
  }
}

function start(of: string, { page, lastPage }: VenueList): State {
  return { of, pages: [], page, lastPage, status: 'idle' }
}

/** Null: it did not come. The list may have become shorter: a page past its end leads to another. */
async function pageOf(url: string, signal: AbortSignal): Promise<VenueList | 'over' | null> {
  try {
    const answer = await fetchPage(url, { signal, prefetch: true })
    if (answer.kind === 'redirect') return 'over'
    const list = answer.kind === 'page' ? listOf(answer.data.page) : null
    return list?.failed ? null : list
  } catch {
    return null
  }
}

function listOf(page: Page): VenueList | null {
  return 'venues' in page.data && 'lastPage' in page.data ? page.data : null
}
