/**
 * The app in the browser. The document is complete and works without it: everything here makes the same page quicker.
 * Texts and the screen's code are awaited before the first render, so hydration never meets a gap.
 */

import { type ReactNode, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { ownAddress } from './lib/address.ts'
import { noteArrival } from './lib/back.ts'
import { createCartStore } from './lib/cart-store.ts'
import { clearBusy, keepUnanswered, replayEarlyTaps } from './lib/client/early-taps.ts'
import { savesData, watchIntent } from './lib/client/intent.ts'
import { createPageSource } from './lib/client/page-source.ts'
import { reloadOnce } from './lib/client/reload.ts'
import { loadFirstScreen, loadScreen, screens } from './lib/client/screen-loader.ts'
import { createDataStrategy, expectedCode, shownCode } from './lib/client/strategy.ts'
import { catalogue, loadCore } from './lib/client/texts.ts'
import type { PageData } from './lib/page-data.ts'
import { postForm } from './lib/post-form.ts'
import { Providers } from './lib/providers.tsx'
import type { KioskProps } from './lib/screens.tsx'
import { createText, TextProvider } from './lib/text.tsx'
import { createRoutes, ROOT } from './routes.tsx'

async function start(): Promise<void> {
  const app = document.getElementById('app')
  const block = document.getElementById('data')
  if (!app || !block) return
  const data: PageData = JSON.parse(block.textContent ?? '')
  const shell = app.hasAttribute('data-shell')

  try {
    await Promise.all([loadCore(data.shell.lang), ...shownCode(data).map(loadFirstScreen)])
  } catch (error) {
    // The document stays as it is and its forms work. Only an empty one is worth another try.
    if (shell) reloadOnce(location.pathname + location.search)
    throw error
  }

  noteArrival(data.shell.fromPayment === true)
  const shown = { current: data }
  const cart = createCartStore(data.shell.cart, {
    post: postForm,
    follow(to, action) {
      if (to !== location.pathname + location.search) void router.navigate(to)
      else refresh(action)
    },
    settled: refresh,
  })
  /** Totals and obstacles of the cart page are the server's; no other page changes with the cart. */
  function refresh(action: string) {
    if (!action.startsWith('/cart') || shown.current.page.route === 'cart') void router.revalidate()
  }
  const source = createPageSource(cart.epoch)
  const router = createBrowserRouter(createRoutes(), {
    hydrationData: { loaderData: { [ROOT]: data } },
    dataStrategy: createDataStrategy({ source, cart, build: document.documentElement.dataset.build, shown }),
  })

  const lost = new Set(
    [...app.querySelectorAll<HTMLElement>('[data-lost]')].map(({ dataset }) => dataset.lost ?? ''),
  )

  function onAlive() {
    // What the next pages show begins whole.
    lost.clear()
    replayEarlyTaps(cart)
    // Nobody waits for it, so its loss is no matter.
    void import('./lib/client/aside.ts').then(({ begin, noteMenu }) => {
      begin(shown)
      router.subscribe(() => noteMenu(shown.current))
    }, ignore)
    if (data.shell.kiosk) watchTablet()
  }
  /** Nobody is forgotten without it, so it is tried until it comes. */
  function watchTablet() {
    import('./lib/client/kiosk.ts')
      .then(({ begin }) => begin(shown, over))
      .catch(() => setTimeout(watchTablet, 10_000))
  }
  const tree = (
    <Alive onAlive={onAlive}>
      <Providers
        text={createText(data.shell.lang, catalogue)}
        cart={cart}
        screens={screens}
        sections={{ lost }}
      >
        <RouterProvider router={router} />
      </Providers>
    </Alive>
  )
  clearBusy()
  if (shell) createRoot(app).render(tree)
  else hydrateRoot(app, tree, { onRecoverableError: (error) => console.error('Hydration failed:', error) })

  keepUnanswered(cart)
  watchIntent(({ pathname, search }) => {
    if (savesData()) return
    // What is told while a change is on its way is old when it comes.
    if (!cart.snapshot().pending) source.ahead(pathname + search)
    for (const id of expectedCode(pathname, search)) loadScreen(id).catch(() => {})
  })
  // A page out of the back-forward cache shows what was: ask what is.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    const own = ownAddress()
    if (own) void router.navigate(own, { replace: true, preventScrollReset: true })
    else void router.revalidate()
  })
  // A menu is there to open its dishes, and the error page has to be at hand when nothing else can be fetched.
  setTimeout(() => {
    if (shown.current.page.route === 'menu' && !savesData()) loadScreen('item').catch(() => {})
  }, 3000)
  setTimeout(() => loadScreen('error').catch(() => {}), 10_000)
}

/** Lays the veil of a tablet over the app, in a tree of its own. The answer is its element. */
async function over(props: KioskProps): Promise<Element> {
  await loadScreen('kiosk')
  const box = document.body.appendChild(document.createElement('div'))
  const { kiosk: Veil } = screens
  if (Veil)
    createRoot(box).render(
      <TextProvider text={createText(props.lang, catalogue)}>
        <Veil {...props} />
      </TextProvider>,
    )
  return box
}

function ignore(): void {}

/** Tells when the first commit is done: from then on React itself takes the taps. */
function Alive({ onAlive, children }: { onAlive: () => void; children: ReactNode }) {
  // The inline script is outside of React. Its hand-over empties it, so a second call does nothing.
  useEffect(onAlive, [onAlive])
  return children
}

start().catch((error: unknown) => console.error('The app did not start:', error))
