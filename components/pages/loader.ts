/** Fetches the code, the texts and the style sheets of screens and pieces, each once. */

import { styles } from 'build:styles'
import type { CodeId, Screens } from '../lib/page/screens.tsx'
import { loadTexts } from '../lib/text/texts.ts'

type Loaders = { [R in CodeId]: () => Promise<Required<Screens>[R]> }

const loaders: Loaders = {
  home: () => import('./home/page.tsx').then((module) => module.HomeScreen),
  filials: () => import('./filials/page.tsx').then((module) => module.FilialsScreen),
  town: () => import('./town/page.tsx').then((module) => module.TownScreen),
  menu: () => import('./menu/page.tsx').then((module) => module.MenuScreen),
  cart: () => import('./cart/page.tsx').then((module) => module.CartScreen),
  order: () => import('./order/page.tsx').then((module) => module.OrderScreen),
  checking: () => import('./checking/page.tsx').then((module) => module.CheckingScreen),
  brands: () => import('./brands/page.tsx').then((module) => module.BrandsScreen),
  brandFilials: () => import('./brandFilials/page.tsx').then((module) => module.BrandFilialsScreen),
  booking: () => import('./booking/page.tsx').then((module) => module.BookingScreen),
  map: () => import('./map/page.tsx').then((module) => module.MapScreen),
  search: () => import('./search/page.tsx').then((module) => module.SearchScreen),
  menuSearch: () => import('./menuSearch/page.tsx').then((module) => module.MenuSearchScreen),
  details: () => import('./details/page.tsx').then((module) => module.DetailsScreen),
  faq: () => import('./faq/page.tsx').then((module) => module.FaqScreen),
  legal: () => import('./legal/page.tsx').then((module) => module.LegalScreen),
  language: () => import('./language/page.tsx').then((module) => module.LanguageScreen),
  age: () => import('./age/page.tsx').then((module) => module.AgeScreen),
  coming: () => import('./coming/page.tsx').then((module) => module.ComingScreen),
  notFound: () => import('./notFound/page.tsx').then((module) => module.NotFoundScreen),
  error: () => import('./error/page.tsx').then((module) => module.ErrorScreen),
  item: () => import('../overlays/item/overlay.tsx').then((module) => module.ItemSheet),
  kiosk: () => import('../overlays/kiosk/overlay.tsx').then((module) => module.KioskVeil),
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
