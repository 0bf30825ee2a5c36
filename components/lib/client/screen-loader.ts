/** Fetches the code, the texts and the style sheets of screens and pieces, each once. */

import { styles } from 'build:styles'
import type { CodeId, Screens } from '../screens.tsx'
import { loadTexts } from './texts.ts'

type Loaders = { [R in CodeId]: () => Promise<Required<Screens>[R]> }

const loaders: Loaders = {
  home: () => import('../../screens/HomeScreen.tsx').then((module) => module.HomeScreen),
  filials: () => import('../../screens/FilialsScreen.tsx').then((module) => module.FilialsScreen),
  town: () => import('../../screens/TownScreen.tsx').then((module) => module.TownScreen),
  menu: () => import('../../screens/MenuScreen.tsx').then((module) => module.MenuScreen),
  cart: () => import('../../screens/CartScreen.tsx').then((module) => module.CartScreen),
  order: () => import('../../screens/OrderScreen.tsx').then((module) => module.OrderScreen),
  checking: () => import('../../screens/CheckingScreen.tsx').then((module) => module.CheckingScreen),
  brands: () => import('../../screens/BrandsScreen.tsx').then((module) => module.BrandsScreen),
  brandFilials: () =>
    import('../../screens/BrandFilialsScreen.tsx').then((module) => module.BrandFilialsScreen),
  booking: () => import('../../screens/BookingScreen.tsx').then((module) => module.BookingScreen),
  map: () => import('../../screens/MapScreen.tsx').then((module) => module.MapScreen),
  search: () => import('../../screens/SearchScreen.tsx').then((module) => module.SearchScreen),
  menuSearch: () => import('../../screens/MenuSearchScreen.tsx').then((module) => module.MenuSearchScreen),
  details: () => import('../../screens/DetailsScreen.tsx').then((module) => module.DetailsScreen),
  faq: () => import('../../screens/FaqScreen.tsx').then((module) => module.FaqScreen),
  legal: () => import('../../screens/LegalScreen.tsx').then((module) => module.LegalScreen),
  language: () => import('../../screens/LanguageScreen.tsx').then((module) => module.LanguageScreen),
  age: () => import('../../screens/AgeScreen.tsx').then((module) => module.AgeScreen),
  coming: () => import('../../screens/ComingScreen.tsx').then((module) => module.ComingScreen),
  notFound: () => import('../../screens/NotFoundScreen.tsx').then((module) => module.NotFoundScreen),
  error: () => import('../../screens/ErrorScreen.tsx').then((module) => module.ErrorScreen),
  item: () => import('../../parts/ItemSheet.tsx').then((module) => module.ItemSheet),
  keypad: () => import('../../parts/TableKeypad.tsx').then((module) => module.TableKeypad),
  delivery: () => import('../../parts/CartDelivery.tsx').then((module) => module.CartDelivery),
  kiosk: () => import('../../parts/KioskVeil.tsx').then((module) => module.KioskVeil),
}

/** The screens that have arrived. The tree reads it through its context. */
export const screens: Screens = { load: loadScreen }

const sheets = new Map<string, Promise<void>>()

/** Code, texts and style sheets of a screen or piece. Rejects when one of them can't be fetched. */
export async function loadScreen(route: CodeId): Promise<void> {
  await Promise.all([loadCode(route), loadTexts(route), ...styles[route].map(loadSheet)])
}

/** Only code and texts: the document holds the styles of the screen that it shows. */
export async function loadFirstScreen(route: CodeId): Promise<void> {
  for (const href of styles[route]) sheets.set(href, Promise.resolve())
  await Promise.all([loadCode(route), loadTexts(route)])
}

async function loadCode<R extends CodeId>(route: R): Promise<void> {
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
