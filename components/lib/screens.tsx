/** The screens that are at hand: all of them on the server, in the browser those whose code has arrived. */

import { type ComponentType, createContext, useContext } from 'react'
import type { Watch } from './kiosk-watch.ts'
import type { CartDelivery, Item, Lang, MoneyFormat, Page, Product, Venue } from './page-data.ts'

export type RouteId = Page['route']
export type ScreenProps<R extends RouteId> = { data: Extract<Page, { route: R }>['data'] }

/** Screens and pieces: what has code, texts and styles of its own. */
export type CodeId = RouteId | 'item' | 'keypad' | 'delivery' | 'kiosk'

/** A dish over the menu. */
export type ItemProps = {
  product: Product
  /** Null while its options are on their way. */
  item: Item | null
  venue: Venue
  /** The guest has said to be too young. */
  locked: boolean
  /** Asks for the options again. */
  retry: () => void
}

/** The keys of a tablet for the number of the table. */
export type KeypadProps = { filialId: number }

/** Who brings the order of a cart, and for how much. */
export type DeliveryProps = { delivery: CartDelivery; goods: number; money: MoneyFormat }

/** A dish that a resting tablet shows. */
export type RestingDish = { id: number; name: string; image: string }

/** What lies over the pages of a tablet. */
export type KioskProps = {
  watch: Watch
  /** The page tells an order: nothing is lost when it goes. */
  isOrdered: () => boolean
  /** Address where the next guest begins. */
  rest: string
  lang: Lang
  langs: readonly Lang[]
  venue: string | undefined
  dishes: readonly RestingDish[]
}

/** One screen by its route; the data fits by construction of `Page`. */
export type Screens = { [R in RouteId]?: ComponentType<ScreenProps<R>> } & {
  item?: ComponentType<ItemProps>
  keypad?: ComponentType<KeypadProps>
  delivery?: ComponentType<DeliveryProps>
  kiosk?: ComponentType<KioskProps>
  /** Fetches code, texts and styles of what a screen shows over itself. Only in the browser. */
  load?: (id: CodeId) => Promise<void>
}

export const ScreensContext = createContext<Screens>({})

type Props = { page: Page }

/** Shows a page by the id that the server gave it. */
export function Screen({ page }: Props) {
  const screens = useContext(ScreensContext)
  switch (page.route) {
    case 'home':
      return screens.home ? <screens.home data={page.data} /> : null
    case 'filials':
      return screens.filials ? <screens.filials data={page.data} /> : null
    case 'town':
      return screens.town ? <screens.town data={page.data} /> : null
    case 'menu':
      return screens.menu ? <screens.menu data={page.data} /> : null
    case 'cart':
      return screens.cart ? <screens.cart data={page.data} /> : null
    case 'order':
      return screens.order ? <screens.order data={page.data} /> : null
    case 'checking':
      return screens.checking ? <screens.checking data={page.data} /> : null
    case 'brands':
      return screens.brands ? <screens.brands data={page.data} /> : null
    case 'brandFilials':
      return screens.brandFilials ? <screens.brandFilials data={page.data} /> : null
    case 'booking':
      return screens.booking ? <screens.booking data={page.data} /> : null
    case 'map':
      return screens.map ? <screens.map data={page.data} /> : null
    case 'search':
      return screens.search ? <screens.search data={page.data} /> : null
    case 'menuSearch':
      return screens.menuSearch ? <screens.menuSearch data={page.data} /> : null
    case 'details':
      return screens.details ? <screens.details data={page.data} /> : null
    case 'faq':
      return screens.faq ? <screens.faq data={page.data} /> : null
    case 'legal':
      return screens.legal ? <screens.legal data={page.data} /> : null
    case 'language':
      return screens.language ? <screens.language data={page.data} /> : null
    case 'age':
      return screens.age ? <screens.age data={page.data} /> : null
    case 'coming':
      return screens.coming ? <screens.coming data={page.data} /> : null
    case 'notFound':
      return screens.notFound ? <screens.notFound data={page.data} /> : null
    case 'error':
      return screens.error ? <screens.error data={page.data} /> : null
  }
}
