/**
 * The server bundle: one script without modules, evaluated once into the engine's snapshot. It sets `__render` and
 * `__warm`. Nothing of a request stays: what differs between requests comes with the data.
 */

import { catalogue as en } from 'locale:en'
import { catalogue as ka } from 'locale:ka'
import { catalogue as kk } from 'locale:kk'
import { catalogue as ru } from 'locale:ru'
import { renderToString } from 'react-dom/server'
import { App } from './App.tsx'
import { type CartStore, createCartStore } from './lib/cart/store.ts'
import { createMutations } from './lib/mutations/mutations.ts'
import {
  createFragmentCache,
  createFragments,
  type EngineCache,
  type FragmentCache,
  FragmentsContext,
  MARKED,
} from './lib/page/fragments.ts'
import { renderSections } from './lib/page/sections.ts'
import type { Lang, PageData } from './lib/page-data.ts'
import type { Catalogue } from './lib/text/message.ts'
import { createText } from './lib/text/text.tsx'
import { headOf, type Rendered } from './pages/head.ts'
import { Providers } from './pages/Providers.tsx'
import { samplePages } from './pages/samples.ts'
import { overlays, pages } from './pages/server.gen.ts'

declare global {
  /**
   * Renders the page of `url` (path and query) from its data and the name of the data's shared part, 0 if it has none:
   * the head as JSON, a line break, the HTML. The head ends with U+0001 if the HTML has placeholders.
   */
  var __render: (url: string, json: string, shared: number) => Promise<string>
  /** Renders every page in every language, so that the snapshot holds their code compiled. */
  var __warm: () => Promise<void>
  /** The engine's fragment cache. */
  var __fragments: EngineCache
}

const catalogues: Record<Lang, Catalogue> = { kk, ru, en, ka }

/** Of all renders of this isolate; nothing of a guest is in it. */
const cache = createFragmentCache(__fragments)

globalThis.__render = async (url, json, shared) => render(cache, url, json, shared)

globalThis.__warm = async () => {
  for (const { url, data } of samplePages()) {
    const json = JSON.stringify(data)
    render(cache, url, json, 0)
    if (!('categories' in data.page.data)) continue
    const categories = JSON.stringify(data.page.data.categories)
    const own = createFragmentCache({ shared: () => categories, insert: () => 1, clear: () => {} })
    for (let time = 0; time < 2; time++) render(own, url, json, 1)
  }
}

/** How many pieces of a product the rows of a menu show. */
function quantityIn(cart: CartStore, { page }: PageData): (productId: number) => number {
  const { quantity } = cart.snapshot()
  const venue = 'categories' in page.data ? page.data.venue.id : undefined
  return (productId) => quantity(productId, venue)
}

function render(cache: FragmentCache, url: string, json: string, shared: number): string {
  const { data, isShared } = cache.read(json, shared)
  const { lang, fallback } = data.shell
  const text = createText(lang, catalogues[lang], fallback)
  const mutations = createMutations()
  const cart = createCartStore(data.shell.cart ?? null, mutations)
  const fragments = isShared ? createFragments(cache, data, quantityIn(cart, data)) : null
  const { html, losses } = renderSections((sections) =>
    renderToString(
      <FragmentsContext value={fragments}>
        <Providers
          text={text}
          mutations={mutations}
          cart={cart}
          pages={pages}
          overlays={{ modules: overlays }}
          sections={sections}
        >
          <App data={data} location={url} />
        </Providers>
      </FragmentsContext>,
    ),
  )
  const rendered: Rendered = { ...headOf(data, text), losses, reused: fragments?.reused() ?? 0 }
  const head = JSON.stringify(rendered)
  if (!fragments) return `${head}\n${html}`
  return `${head}${MARKED}\n${losses.length > 0 ? fragments.strip(html) : fragments.assemble(html)}`
}
