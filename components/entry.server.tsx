/**
 * The server bundle: one script without modules, evaluated once into the engine's snapshot. It sets `__render` and
 * `__warm`. Nothing of a request stays: whatever differs between requests comes with the data.
 */

import { catalogue as en } from 'locale:en'
import { catalogue as ka } from 'locale:ka'
import { catalogue as kk } from 'locale:kk'
import { catalogue as ru } from 'locale:ru'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { createCartStore } from './lib/cart-store.ts'
import { headOf, type Rendered } from './lib/head.ts'
import type { Lang, PageData } from './lib/page-data.ts'
import { Providers } from './lib/providers.tsx'
import { samplePages } from './lib/samples.ts'
import type { Screens } from './lib/screens.tsx'
import { renderSections } from './lib/sections.ts'
import { createText, type Text } from './lib/text.tsx'
import { CartDelivery } from './parts/CartDelivery.tsx'
import { ItemSheet } from './parts/ItemSheet.tsx'
import { TableKeypad } from './parts/TableKeypad.tsx'
import { createRoutes, ROOT } from './routes.tsx'
import { AgeScreen } from './screens/AgeScreen.tsx'
import { BookingScreen } from './screens/BookingScreen.tsx'
import { BrandFilialsScreen } from './screens/BrandFilialsScreen.tsx'
import { BrandsScreen } from './screens/BrandsScreen.tsx'
import { CartScreen } from './screens/CartScreen.tsx'
import { CheckingScreen } from './screens/CheckingScreen.tsx'
import { ComingScreen } from './screens/ComingScreen.tsx'
import { DetailsScreen } from './screens/DetailsScreen.tsx'
import { ErrorScreen } from './screens/ErrorScreen.tsx'
import { FaqScreen } from './screens/FaqScreen.tsx'
import { FilialsScreen } from './screens/FilialsScreen.tsx'
import { HomeScreen } from './screens/HomeScreen.tsx'
import { LanguageScreen } from './screens/LanguageScreen.tsx'
import { LegalScreen } from './screens/LegalScreen.tsx'
import { MapScreen } from './screens/MapScreen.tsx'
import { MenuScreen } from './screens/MenuScreen.tsx'
import { MenuSearchScreen } from './screens/MenuSearchScreen.tsx'
import { NotFoundScreen } from './screens/NotFoundScreen.tsx'
import { OrderScreen } from './screens/OrderScreen.tsx'
import { SearchScreen } from './screens/SearchScreen.tsx'
import { TownScreen } from './screens/TownScreen.tsx'

declare global {
  /** Renders the page of `url` (path and query) from its data: the head as JSON, a line break, the HTML. */
  var __render: (url: string, json: string) => Promise<string>
  /** Renders every screen in every language, so that the snapshot holds their code compiled. */
  var __warm: () => Promise<void>
}

const screens: Screens = {
  home: HomeScreen,
  filials: FilialsScreen,
  town: TownScreen,
  menu: MenuScreen,
  cart: CartScreen,
  order: OrderScreen,
  checking: CheckingScreen,
  brands: BrandsScreen,
  brandFilials: BrandFilialsScreen,
  booking: BookingScreen,
  map: MapScreen,
  search: SearchScreen,
  menuSearch: MenuSearchScreen,
  details: DetailsScreen,
  faq: FaqScreen,
  legal: LegalScreen,
  language: LanguageScreen,
  age: AgeScreen,
  coming: ComingScreen,
  notFound: NotFoundScreen,
  error: ErrorScreen,
  item: ItemSheet,
  keypad: TableKeypad,
  delivery: CartDelivery,
}

// Texts never change, so one object per language serves all requests.
const texts = {
  kk: createText('kk', kk),
  ru: createText('ru', ru),
  en: createText('en', en),
  ka: createText('ka', ka),
} satisfies Record<Lang, Text>

const handler = createStaticHandler(createRoutes())

globalThis.__render = async (url, json) => {
  const data: PageData = JSON.parse(json)
  const context = await handler.query(request(url), {
    dataStrategy: async () => ({ [ROOT]: { type: 'data', result: data } }),
  })
  // `Response` does not exist in the engine, so `instanceof` can't ask.
  if (!('loaderData' in context)) throw new Error('the router redirected a page whose data is complete')
  const text = texts[data.shell.lang]
  const { html, losses } = renderSections((sections) =>
    renderToString(
      <Providers text={text} cart={createCartStore(data.shell.cart)} screens={screens} sections={sections}>
        <StaticRouterProvider
          context={context}
          router={createStaticRouter(handler.dataRoutes, context)}
          hydrate={false}
        />
      </Providers>,
    ),
  )
  const told: Rendered = { ...headOf(data, text), losses }
  return `${JSON.stringify(told)}\n${html}`
}

globalThis.__warm = async () => {
  for (const { url, data } of samplePages()) await globalThis.__render(url, JSON.stringify(data))
}

/** The part of a request that `query` looks at; the engine has no `Request`, and needs none. */
function request(url: string): Request {
  const bare = { method: 'GET', url: `http://dastarkhan.invalid${url}`, signal: { aborted: false } }
  return bare as unknown as Request
}
