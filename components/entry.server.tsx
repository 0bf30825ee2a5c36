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
import { Providers } from './frame/Providers.tsx'
import { createCartStore } from './lib/cart/store.ts'
import type { Screens } from './lib/page/screens.tsx'
import { renderSections } from './lib/page/sections.ts'
import type { Lang, PageData } from './lib/page-data.ts'
import { createText, type Text } from './lib/text/text.tsx'
import { ItemSheet } from './overlays/item/overlay.tsx'
import { AgeScreen } from './pages/age/page.tsx'
import { BookingScreen } from './pages/booking/page.tsx'
import { BrandFilialsScreen } from './pages/brandFilials/page.tsx'
import { BrandsScreen } from './pages/brands/page.tsx'
import { CartScreen } from './pages/cart/page.tsx'
import { CheckingScreen } from './pages/checking/page.tsx'
import { ComingScreen } from './pages/coming/page.tsx'
import { DetailsScreen } from './pages/details/page.tsx'
import { ErrorScreen } from './pages/error/page.tsx'
import { FaqScreen } from './pages/faq/page.tsx'
import { FilialsScreen } from './pages/filials/page.tsx'
import { headOf, type Rendered } from './pages/head.ts'
import { HomeScreen } from './pages/home/page.tsx'
import { LanguageScreen } from './pages/language/page.tsx'
import { LegalScreen } from './pages/legal/page.tsx'
import { MapScreen } from './pages/map/page.tsx'
import { MenuScreen } from './pages/menu/page.tsx'
import { MenuSearchScreen } from './pages/menuSearch/page.tsx'
import { NotFoundScreen } from './pages/notFound/page.tsx'
import { OrderScreen } from './pages/order/page.tsx'
import { samplePages } from './pages/samples.ts'
import { SearchScreen } from './pages/search/page.tsx'
import { TownScreen } from './pages/town/page.tsx'
import { createRoutes, ROOT } from './routes.tsx'

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
