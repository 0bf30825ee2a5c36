/**
 * Client navigation. One answer of the server is the data of the whole tree, so there is one thing to wait for: the page
 * that is shown stays until the next one is there, and a new navigation cancels the one before.
 *
 * React Router's own data mode does this for trees with a loader a route, with fetchers, actions and blockers, for 15 KB
 * more on every first visit.
 */

import type { Location } from 'react-router'
import { ownAddress } from '../browser/address.ts'
import { createListeners } from '../browser/listeners.ts'
import type { PageData } from '../page-data.ts'
import { addressOf, arrived, begin, here, placeOf, push, replace } from './entries.ts'

/** How the guest got where they are: by the history, or by a link that made or took an entry. */
export type Action = 'POP' | 'PUSH' | 'REPLACE'

export type Move = {
  /** The entry is taken instead of a new one. The address that the window is at takes its entry unless told otherwise. */
  replace?: boolean | undefined
  /** The page stays where it is scrolled to. */
  preventScrollReset?: boolean | undefined
  /** Is kept with the entry. */
  state?: unknown
  /** Not pressed just now: without a network it waits. A press that is answered minutes later surprises. */
  waits?: boolean | undefined
}

/** What came of asking for a page. */
export type Outcome =
  | { kind: 'page'; data: PageData }
  | { kind: 'redirect'; to: string; replace: boolean }
  | { kind: 'failed'; error: unknown }
  /** There is no network to get it by. */
  | { kind: 'lost' }

/** What is shown, and what is awaited. A new object with each change. */
export type Shown = {
  readonly location: Location
  readonly action: Action
  readonly data: PageData
  /** The page could not be put together. */
  readonly failed: boolean
  /** Whether the move to `location` leaves the page where it is scrolled to. */
  readonly stays: boolean
  /** Where the guest is going. */
  readonly coming: Location | null
  /** The page that is shown is asked for anew. */
  readonly reloading: boolean
}

export type Navigation = {
  now: () => Shown
  subscribe: (listener: () => void) => () => void
  /** Goes to an address of the app, or by that many entries. */
  navigate: (to: string | number, move?: Move) => Promise<void>
  /** Asks for the page anew. Resolves when a page is there, be it another one that the guest went to meanwhile. */
  revalidate: () => Promise<void>
  /** The same for a page that asks by itself: what is under way already comes first, be it a slow answer. */
  ask: () => Promise<void>
  /** Told before each departure, while the page is still as the guest leaves it. */
  onDeparture: (listener: (from: Location) => void) => () => void
  /** Tells what listens of a change. What moves from one page to the next is laid around it (`lib/motion`). */
  draw: (tell: () => void, from: Shown, to: Shown) => void
  /** Shows the entry of the history that the browser has gone to. Sheets have entries of their own (`asking.ts`). */
  pop: () => void
}

type Run = { stop: AbortController; action: Action; place: Location; move: Move; isQuiet: boolean }

/** `load` asks for the page of an address (path and query); `waits`: until there is a network. */
export function createNavigation(
  first: PageData,
  load: (url: string, signal: AbortSignal, waits: boolean) => Promise<Outcome>,
): Navigation {
  begin()
  let now: Shown = {
    location: here(),
    action: 'POP',
    data: first,
    failed: false,
    stays: true,
    coming: null,
    reloading: false,
  }
  let running: Run | null = null
  let reload: { done: Promise<void>; resolve: () => void } | null = null
  const { subscribe, tell } = createListeners()
  const departures = createListeners<[from: Location]>()

  function show(change: Partial<Shown>): void {
    const from = now
    now = { ...now, ...change }
    navigation.draw(tell, from, now)
  }

  async function go(action: Action, place: Location, move: Move, isQuiet = false): Promise<void> {
    running?.stop.abort()
    if (!isQuiet) departures.tell(shown())
    // A revalidation asks the server nevertheless.
    if (!reload && isInPage(now.location, place)) return arrive(action, place, move, {})
    const run: Run = { stop: new AbortController(), action, place, move, isQuiet }
    running = run
    if (!isQuiet) show({ coming: place })
    const { signal } = run.stop
    const waits = move.waits || isQuiet || action === 'POP'
    const outcome = await load(place.pathname + place.search, signal, waits).catch(
      (error: unknown): Outcome => ({ kind: 'failed', error }),
    )
    if (signal.aborted) return
    if (outcome.kind === 'lost') {
      running = null
      show({ coming: null })
      // What was given up for it goes on: Back, after which the window is at another entry, or to ask anew.
      const place = here()
      if (place.key !== now.location.key) void go('POP', place, {})
      else if (reload) refresh()
      return
    }
    if (outcome.kind === 'redirect') {
      // Back to it would lead on for ever.
      const takes = outcome.replace || action !== 'PUSH'
      const { preventScrollReset } = move
      return go(takes ? 'REPLACE' : 'PUSH', placeOf(outcome.to), { preventScrollReset, waits })
    }
    if (outcome.kind === 'failed') console.error('The page could not be shown:', outcome.error)
    const result = outcome.kind === 'page' ? { data: outcome.data, failed: false } : { failed: true }
    if (isQuiet) {
      running = null
      settle(result)
    } else arrive(action, place, move, result)
  }

  /** With what the page itself has written into its address. */
  function shown(): Location {
    return ownAddress() === null ? now.location : { ...now.location, search: here().search }
  }

  /** What only leads on by now gives its entry away. */
  function refresh(): void {
    void go('REPLACE', shown(), {}, true)
  }

  function arrive(action: Action, place: Location, move: Move, result: Partial<Shown>): void {
    running = null
    if (action === 'PUSH') push(place)
    if (action === 'REPLACE') replace(place)
    const stays = move.preventScrollReset === true
    settle({ ...result, action, location: place, stays, coming: null })
  }

  function settle(result: Partial<Shown>): void {
    const reloaded = reload
    reload = null
    show({ ...result, reloading: false })
    reloaded?.resolve()
  }

  addEventListener('popstate', () => navigation.pop())

  const navigation: Navigation = {
    now: () => now,
    subscribe,
    async navigate(to, move = {}) {
      if (typeof to === 'number') return history.go(to)
      const place = placeOf(to, move.state)
      // Of the window: while Back is under way the page that is shown is the one being left.
      const takes = move.replace ?? addressOf(place) === addressOf(here())
      return go(takes ? 'REPLACE' : 'PUSH', place, move)
    },
    revalidate() {
      reload ??= open()
      const { done } = reload
      show({ reloading: true })
      // A guest who is on the way is brought there with what is known by then.
      if (running && !running.isQuiet) void go(running.action, running.place, running.move)
      else refresh()
      return done
    },
    async ask() {
      if (!running) return navigation.revalidate()
      if (running.isQuiet) await reload?.done
    },
    onDeparture: departures.subscribe,
    draw: (tell) => tell(),
    pop: () => void go('POP', arrived(), {}),
  }
  return navigation
}

function open(): { done: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const done = new Promise<void>((settled) => {
    resolve = settled
  })
  return { done, resolve }
}

/** A part of the page that is shown: there is nothing to ask for. */
function isInPage(from: Location, to: Location): boolean {
  if (from.pathname !== to.pathname || from.search !== to.search) return false
  return from.hash === '' ? to.hash !== '' : to.hash !== '' || from.hash === to.hash
}
