/**
 * The app in the browser. The document is complete and works without it: everything here makes the same page quicker.
 * Texts and the page's code are awaited before the first render, so hydration never meets a gap.
 */

import { type ComponentType, type ReactNode, startTransition, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Browser } from './Browser.tsx'
import { here } from './lib/browser/address.ts'
import { noteArrival } from './lib/browser/back.ts'
import { savesData } from './lib/browser/saves-data.ts'
import { clearBusy, keepUnanswered, replayEarlyTaps } from './lib/cart/early-taps.ts'
import { createCartStore } from './lib/cart/store.ts'
import { createMutations } from './lib/mutations/mutations.ts'
import { postForm } from './lib/mutations/post-form.ts'
import { answering } from './lib/net/connection.ts'
import { createPageSource } from './lib/net/page-source.ts'
import { reloadOnce } from './lib/net/reload.ts'
import type { PageId } from './lib/page/pages.ts'
import type { PageData } from './lib/page-data.ts'
import { createNavigation } from './lib/router/navigation.ts'
import { createText, TextProvider } from './lib/text/text.tsx'
import { catalogue, loadCore } from './lib/text/texts.ts'
import type { DebugProps } from './overlays/debug/overlay.tsx'
import type { KioskProps } from './overlays/kiosk/overlay.tsx'
import { loadFirstView, loadView, overlays, pages } from './pages/loader.ts'
import { isOfCart, overlaysOf } from './pages/openings.ts'
import { Providers } from './pages/Providers.tsx'
import { createLoad, expectedViews, shownViews } from './pages/strategy.ts'

async function start(): Promise<void> {
  // The same question as the script of the early taps asks: below that line the forms are the product.
  if (!('findLast' in [])) return
  const app = document.getElementById('app')
  const block = document.getElementById('data')
  if (!app || !block) return
  const data: PageData = JSON.parse(block.textContent ?? '')
  const shell = app.hasAttribute('data-shell')

  try {
    await Promise.all([loadCore(data.shell.lang), ...shownViews(data).map(loadFirstView)])
  } catch (error) {
    // The document stays as it is and its forms work. Only an empty one is worth another try, when the server answers.
    if (shell) {
      await answering()
      reloadOnce(location.pathname + location.search)
    }
    throw error
  }

  noteArrival(data.shell.fromPayment === true)
  const shown = { current: data }
  const mutations = createMutations({
    post: postForm,
    follow(to, action, paying) {
      // A page of another site that the settings name: the server leads to no other. A host app may have its own.
      if (!to.startsWith('/')) {
        const leaving = new CustomEvent('leave', { cancelable: true, detail: { to, paying } })
        if (dispatchEvent(leaving)) location.assign(to)
      } else if (to !== here()) void navigation.navigate(to, { waits: true })
      else refresh(action)
    },
    settled: refresh,
  })
  const cart = createCartStore(data.shell.cart ?? null, mutations)
  /** Most pages do not change with the cart. */
  function refresh(action: string) {
    if (!action.startsWith('/cart') || isOfCart(shown.current.page.route)) void navigation.revalidate()
  }
  let rest: typeof import('./pages/at-rest.ts') | undefined
  const source = createPageSource(mutations.epoch)
  const load = createLoad({
    source,
    cart,
    mutations,
    build: document.documentElement.dataset.build,
    shown,
    hash: () => (navigation.now().coming ?? navigation.now().location).hash,
    atHand: (url) => rest?.atHand(url, shown.current) ?? null,
  })
  const navigation = createNavigation(data, load)

  const lost = new Set(
    [...app.querySelectorAll<HTMLElement>('[data-lost]')].map(({ dataset }) => dataset.lost ?? ''),
  )

  function onHydrated() {
    // What the next pages show begins whole.
    lost.clear()
    const replayed = replayEarlyTaps(cart)
    // Nothing waits for it, and the page works without it.
    void import('./pages/background.ts').then((script) => {
      script.begin(shown, fetchAhead, navigation)
      // On a tablet the next guest is another.
      if (!data.shell.kiosk) script.followCart(cart, replayed, navigation)
      navigation.subscribe(() => script.notePage(shown.current))
    }, ignore)
    if (data.shell.kiosk) watchTablet()
    if (parent !== window) import('./overlays/debug/begin.ts').then(({ begin }) => begin(data, over), ignore)
  }
  /** The guest reaches for a link. */
  function fetchAhead({ pathname, search }: URL) {
    if (savesData()) return
    // What is told while a change is on its way is old when it comes.
    if (!cart.snapshot().pending) source.prefetch(pathname + search)
    for (const id of expectedViews(pathname, search)) loadView(id).catch(ignore)
  }
  /** Without it no guest is forgotten, so it is tried until it comes. */
  function watchTablet() {
    import('./overlays/kiosk/begin.ts')
      .then(({ begin }) => begin(shown, over))
      .catch(() => setTimeout(watchTablet, 10_000))
  }
  const tree = (
    <Hydrated onHydrated={onHydrated}>
      <Providers
        text={createText(data.shell.lang, catalogue, data.shell.fallback)}
        mutations={mutations}
        cart={cart}
        pages={pages}
        overlays={overlays}
        sections={{ lost }}
      >
        <Browser navigation={navigation} />
      </Providers>
    </Hydrated>
  )
  clearBusy()
  if (shell) createRoot(app).render(tree)
  else {
    // What was rendered anew goes on, and tells it with all else.
    const onRecoverableError = (error: unknown) => {
      console.error('The hydration failed:', error)
      void import('./pages/background.ts').then((script) => script.noteFault('hydration', error), ignore)
    }
    // As a transition it lets the page scroll and paint in between: at once it is one task of 90 ms on a slow phone.
    startTransition(() => void hydrateRoot(app, tree, { onRecoverableError }))
  }

  keepUnanswered(cart)
  // A page out of the back-forward cache shows what was: ask what is.
  addEventListener('pageshow', (event) => {
    if (event.persisted) void navigation.revalidate()
  })
  /** What the page opens, and where most go from it. */
  function fetchNext(ahead: readonly PageId[]) {
    if (savesData()) return
    const overlays = overlaysOf(shown.current.page.route).map(([id]) => id)
    // Each in a task of its own: all of them are one of 60 ms on a slow phone.
    for (const id of [...overlays, ...ahead]) setTimeout(() => loadView(id).catch(ignore))
  }
  setTimeout(() => {
    void import('./pages/at-rest.ts').then((script) => {
      rest = script
      script.begin(shown, navigation, fetchNext)
      navigation.subscribe(() => script.seePage(shown.current))
    }, ignore)
  }, 3000)
  // It has to be at hand.
  setTimeout(() => loadView('error').catch(ignore), 10_000)
}

type Lain = { kiosk: KioskProps; debug: DebugProps }

/** Lays the veil of a tablet over the app, or what developers see, in a tree of its own. The answer is its element. */
async function over<I extends keyof Lain>(id: I, props: Lain[I]): Promise<Element> {
  await loadView(id)
  const box = document.body.appendChild(document.createElement('div'))
  // The module of an id takes its props, which the types can't follow.
  const Overlay = overlays.modules[id]?.Overlay as ComponentType<Lain[I]> | undefined
  if (Overlay)
    createRoot(box).render(
      <TextProvider text={createText(props.lang, catalogue, props.fallback)}>
        <Overlay {...props} />
      </TextProvider>,
    )
  return box
}

function ignore(): void {}

/** Tells when the first commit is done: from then on React itself takes the taps. */
function Hydrated({ onHydrated, children }: { onHydrated: () => void; children: ReactNode }) {
  // The inline script is outside of React. Its hand-over empties it, so a second call does nothing.
  useEffect(onHydrated, [onHydrated])
  return children
}

start().catch((error: unknown) => {
  console.error('The start failed:', error)
  void import('./lib/insight/failed.ts').then((script) => script.failed(error), ignore)
})
