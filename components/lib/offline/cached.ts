/**
 * What is kept for times without a network, and the only module that names it: written by pages, read by the service
 * worker (PW-03, PW-04). No page is kept: of an order what its guest reads at a glance, of a menu names and prices.
 */

import type { Lang } from '../page-data.ts'

/** When something was read. */
export type CachedTime = {
  /** `HH:MM` by the venue's clock, as the server told it. */
  time: string
  /** The same with its day; records of older builds have none. */
  readAt?: number
  utcOffset?: number
  /** Milliseconds by the phone's clock, which may be wrong: only for how long it has been kept there. */
  at: number
}

/** The last order as it was read last. */
export type CachedOrder = CachedTime & {
  number: string
  venue: string
  /** In the guest's words, in the language of then. */
  status: string
  lang: Lang
  /** Of which device it was: a sign-out makes it another one. */
  device: string
}

/** The menu that was open last. */
export type CachedMenu = CachedTime & {
  id: number
  venue: string
  groups: { name: string; dishes: [name: string, price: string][] }[]
}

type Cached = { lang: Lang; order: CachedOrder; menu: CachedMenu }

/** How long each is told of: prices hold longer than how far an order is. */
const DAY = 24 * 60 * 60 * 1000
const LONGEST = { order: DAY, menu: 7 * DAY }

/** Its records; the files of the app stand in another one. */
const RECORDS = 'records'
export const FILES = 'files'

const address = (name: string) => `/.cached/${name}`
/** Where the release before stored it. */
const oldAddress = (name: string) => `/.kept/${name}`

export async function writeCached<K extends keyof Cached>(name: K, value: Cached[K]): Promise<void> {
  try {
    const cache = await caches.open(RECORDS)
    await cache.put(address(name), Response.json(value))
  } catch {
    // A full disk, or caches that are blocked: there is nothing to read then.
  }
}

export async function readCached<K extends keyof Cached>(name: K): Promise<Cached[K] | null> {
  try {
    const cache = await caches.open(RECORDS)
    const record = (await cache.match(address(name))) ?? (await cache.match(oldAddress(name)))
    return record ? await record.json() : null
  } catch {
    return null
  }
}

/** What is not too old to be told; a menu of an older build does not say how old it is. */
export async function readFresh<K extends keyof typeof LONGEST>(name: K): Promise<Cached[K] | null> {
  const cached = await readCached(name)
  return cached && Date.now() - cached.at < LONGEST[name] ? cached : null
}

/** Nothing is left of the order, or of anything. */
export async function clearCached(what: 'order' | 'all'): Promise<void> {
  try {
    if (what === 'all') {
      await Promise.all((await caches.keys()).map((name) => caches.delete(name)))
      return
    }
    const cache = await caches.open(RECORDS)
    await Promise.all([cache.delete(address(what)), cache.delete(oldAddress(what))])
  } catch {
    // Nothing can be kept here.
  }
}
