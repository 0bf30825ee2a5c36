/** Navigation, for the parts that begin it or show its state. The server has none. */

import { createContext, useContext } from 'react'
import type { Navigation, Shown } from './navigation.ts'

export const NavigationContext = createContext<Navigation | null>(null)

export type Way = Pick<Shown, 'coming' | 'reloading' | 'stays'>

/** What is awaited. On the server nothing is. */
export const WayContext = createContext<Way>({ coming: null, reloading: false, stays: true })

const nothing = () => Promise.resolve()
const NOWHERE: Pick<Navigation, 'navigate' | 'revalidate' | 'ask'> = {
  navigate: nothing,
  revalidate: nothing,
  ask: nothing,
}

/** Goes to an address of the app. The same function for as long as the app runs. */
export function useNavigate(): Navigation['navigate'] {
  return (useContext(NavigationContext) ?? NOWHERE).navigate
}

/** Asks for the page anew. The same function for as long as the app runs. */
export function useRevalidate(): Navigation['revalidate'] {
  return (useContext(NavigationContext) ?? NOWHERE).revalidate
}

/** The same for a page that asks by itself. */
export function useAsk(): Navigation['ask'] {
  return (useContext(NavigationContext) ?? NOWHERE).ask
}

/** Where the guest is going, and whether the page is asked for anew. */
export function useWay(): Way {
  return useContext(WayContext)
}
