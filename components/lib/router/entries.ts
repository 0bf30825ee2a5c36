/**
 * The entries of the window's history. Each keeps its place in a row and a key of its own, written as React Router writes
 * them.
 */

import type { Location } from 'react-router'
import { outward, plain } from '../browser/address.ts'

type EntryState = { usr?: unknown; key?: string; idx?: number | null; step?: true } | null

function entryState(): EntryState {
  return window.history.state
}

/** Where the window is. What the browser made itself has no key. */
export function here(): Location {
  const { pathname, search, hash } = window.location
  const { usr = null, key = 'default' } = entryState() ?? {}
  return { pathname: plain(pathname), search, hash, state: usr, key }
}

/** The same after the browser went there. What a link to a part has just made is told apart when the guest returns to it. */
export function arrived(): Location {
  if (!entryState()) history.replaceState({ usr: { part: random() } }, '')
  return here()
}

/** An address of the app, as a place that has no entry yet. */
export function placeOf(to: string, state: unknown = null): Location {
  const { pathname, search, hash } = new URL(to, window.location.href)
  return { pathname: plain(pathname), search, hash, state, key: random() }
}

const random = () => Math.random().toString(36).slice(2, 10)

export const addressOf = ({ pathname, search, hash }: Location): string => pathname + search + hash

/** What the browser made itself is called `default`: that goes by its address, and by the part that a link led to. */
export const keyOf = ({ key, pathname, search, state }: Location): string =>
  key === 'default' ? pathname + search + (state?.part ?? '') : key

/** The first entry of a document begins the row. */
export function begin(): void {
  if (entryState()?.idx == null) history.replaceState({ ...entryState(), idx: 0 }, '')
}

export function replace(place: Location): void {
  history.replaceState(written(place, entryState()?.idx ?? 0), '', outward(addressOf(place)))
}

/** The entry is only there for a sheet that asks something (`asking.ts`). */
export const isStep = (): boolean => entryState()?.step === true

export function push(place: Location): void {
  try {
    if (isStep()) replace(place)
    else history.pushState(written(place, (entryState()?.idx ?? 0) + 1), '', outward(addressOf(place)))
  } catch {
    // Safari takes no more than a hundred in half a minute; a document is always taken.
    window.location.assign(outward(addressOf(place)))
  }
}

function written({ state, key }: Location, idx: number): EntryState {
  return { usr: state, key, idx }
}
