/** Fetches the code and the style sheets of screens, each once. */

import { styles } from 'build:styles'
import type { RouteId, Screens } from '../screens.tsx'

type Loaders = { [R in RouteId]: () => Promise<Required<Screens>[R]> }

const loaders: Loaders = {
  home: () => import('../../screens/HomeScreen.tsx').then((module) => module.HomeScreen),
  filials: () => import('../../screens/FilialsScreen.tsx').then((module) => module.FilialsScreen),
  town: () => import('../../screens/TownScreen.tsx').then((module) => module.TownScreen),
  menu: () => import('../../screens/MenuScreen.tsx').then((module) => module.MenuScreen),
  cart: () => import('../../screens/CartScreen.tsx').then((module) => module.CartScreen),
  order: () => import('../../screens/OrderScreen.tsx').then((module) => module.OrderScreen),
  checking: () => import('../../screens/CheckingScreen.tsx').then((module) => module.CheckingScreen),
  coming: () => import('../../screens/ComingScreen.tsx').then((module) => module.ComingScreen),
  notFound: () => import('../../screens/NotFoundScreen.tsx').then((module) => module.NotFoundScreen),
  error: () => import('../../screens/ErrorScreen.tsx').then((module) => module.ErrorScreen),
}

/** The screens that have arrived. The tree reads it through its context. */
export const screens: Screens = {}

const sheets = new Map<string, Promise<void>>()

/** Code and style sheets of a screen. Rejects when one of them can't be fetched. */
export async function loadScreen(route: RouteId): Promise<void> {
  await Promise.all([loadCode(route), ...styles[route].map(loadSheet)])
}

/** Only the code: the document holds the styles of the screen that it shows. */
export async function loadFirstScreen(route: RouteId): Promise<void> {
  for (const href of styles[route]) sheets.set(href, Promise.resolve())
  await loadCode(route)
}

async function loadCode<R extends RouteId>(route: R): Promise<void> {
  if (screens[route]) return
  const screen: Screens[R] = await loaders[route]()
  screens[route] = screen
}

function loadSheet(href: string): Promise<void> {
  const known = sheets.get(href)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      sheets.delete(href)
      reject(new Error(`the style sheet ${href} did not come`))
    }
    document.head.append(link)
  })
  sheets.set(href, loading)
  return loading
}
