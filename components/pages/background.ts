/** What runs beside the app without any page waiting for it: a script of its own, fetched after hydration. */

import { isHosted } from '../lib/browser/host-app.ts'
import { watchIntent } from '../lib/browser/intent.ts'
import { drawLetters } from '../lib/browser/letters.ts'
import {
  dropStored,
  forgetLastGuest,
  MIRRORED,
  readCookie,
  readStored,
  writeRaw,
} from '../lib/browser/storage.ts'
import { holdTyped, holdTypedOfEntries, returnTyped } from '../lib/browser/typed.ts'
import { followTabs } from '../lib/cart/other-tabs.ts'
import { persistTaps } from '../lib/cart/persisted-taps.ts'
import type { CartStore, QueuedChange } from '../lib/cart/store.ts'
import type { Thrown } from '../lib/insight/fault.ts'
import type { PageData } from '../lib/page-data.ts'
import type { Navigation } from '../lib/router/navigation.ts'
import { notePage } from './seen.ts'

export { notePage }

/** A picture that shows nothing. */
const EMPTY = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

/** How many errors of a page are reported. */
const MOST_FAULTS = 10

/** What was thrown and not caught, until the script comes that tells of it (HT-11). */
export const faults: Thrown[] = []

export function noteFault(kind: Thrown['kind'], error: unknown): void {
  if (faults.length < MOST_FAULTS) faults.push({ kind, error })
}

/** `shown` is the page of the moment; `reach` hears of the links that the guest reaches for. */
export function begin(
  shown: { readonly current: PageData },
  reach?: (link: URL) => void,
  navigation?: Navigation,
): void {
  drawLetters()
  if (reach) watchIntent(reach)
  // Pictures and scripts that do not come have no message.
  addEventListener('error', ({ error, message }) => message && noteFault('error', error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => noteFault('rejection', reason))
  coverTorn()
  mirror(shown.current.shell.version)
  notePage(shown.current)
  returnTyped()
  holdTyped()
  if (navigation) holdTypedOfEntries(navigation)
  addEventListener('pagehide', () => mirror(shown.current.shell.version))
  // A document of a table names no manifest; a guest may come to one without another document (PW-01).
  addEventListener('beforeinstallprompt', (event) => shown.current.shell.table && event.preventDefault())
  const [load] = performance.getEntriesByType('navigation')
  const isBack = load !== undefined && 'type' in load && load.type === 'back_forward'
  if (readStored('place'))
    void import('../lib/browser/place.ts').then(({ returnToPlace }) => returnToPlace(isBack), ignore)

  if (navigation) awaitAsking(navigation)
  // Where Back loads a document anew, the browser takes it as it was kept: ask what is.
  if (isBack) void navigation?.revalidate()
  if (navigation && isHosted())
    void import('../lib/host/watch.ts').then((script) => script.watchHost(shown, navigation), ignore)
}

/** The cart outlives its page, and is one in all tabs. `replayed` are the taps that the page has handed over. */
export function followCart(
  cart: CartStore,
  replayed: readonly QueuedChange[],
  { revalidate }: Navigation,
): void {
  persistTaps(cart, replayed)
  followTabs(cart, revalidate)
}

/** What makes a sheet that asks a step of the history comes with the first one, or where a reload has closed one. */
function awaitAsking(navigation: Navigation): void {
  const observer = new MutationObserver(look)
  function look(): void {
    if (!history.state?.step && !document.querySelector('[data-asks][open]')) return
    observer.disconnect()
    void import('../lib/router/asking.ts').then((script) => script.begin(navigation), ignore)
  }
  observer.observe(document, { subtree: true, attributeFilter: ['open'] })
  look()
}

/** A picture that does not come leaves its place empty. CSS sees to it where an engine lets it: not in WebKit. */
function coverTorn(): void {
  const cover = (image: HTMLImageElement) => {
    // A map sees to its own tiles, and has to learn that one did not come.
    if (image.classList.contains('leaflet-tile')) return
    image.srcset = ''
    image.src = EMPTY
  }
  for (const image of document.images)
    if (image.currentSrc && image.complete && !image.naturalWidth) cover(image)
  // Errors of pictures do not bubble.
  addEventListener('error', ({ target }) => target instanceof HTMLImageElement && cover(target), true)
}

/** The specification's names in local storage hold what the cookies say (ST-01). Nothing is kept of an anonymous visitor. */
function mirror(version: string): void {
  forgetLastGuest()
  let any = false
  for (const name of MIRRORED) {
    const value = readCookie(name)
    any ||= value !== undefined
    if (value === undefined) dropStored(name)
    else writeRaw(name, value)
  }
  if (any) writeRaw('version', version)
}

function ignore(): void {}
