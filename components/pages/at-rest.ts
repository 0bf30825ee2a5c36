/**
 * What a page that has been open for a while can do without the network, and over a full load. Fetched at rest, so that it
 * is no part of a first visit.
 */

import { keepPlace } from '../lib/browser/place.ts'
import { rememberMenu } from '../lib/find/last-menu.ts'
import type { PageId, PageRest } from '../lib/page/pages.ts'
import type { PageData } from '../lib/page-data.ts'
import type { Navigation } from '../lib/router/navigation.ts'
import { motionOf } from './motion.ts'
import { rest } from './rest.gen.ts'

/** When a page rests: this long after the first load, or after it was shown, milliseconds. */
const REST = 3000

/** What a page says of itself. Its data fits by construction, which the types can't follow. */
const restOf = ({ page }: PageData) => rest[page.route] as PageRest<PageId> | undefined

/** `fetchNext` is called with where most go from a page that has come to rest. */
export function begin(
  shown: { readonly current: PageData },
  navigation: Navigation,
  fetchNext: (ahead: readonly PageId[]) => void,
): void {
  seePage(shown.current)
  const fetchAhead = () => {
    const ahead = restOf(shown.current)?.ahead
    if (ahead) fetchNext(ahead)
  }
  fetchAhead()
  let resting: ReturnType<typeof setTimeout>
  navigation.subscribe(() => {
    clearTimeout(resting)
    resting = setTimeout(fetchAhead, REST)
  })
  addEventListener('pagehide', keepPlace)
  // Nothing waits for it, and the app works where it is blocked.
  void Promise.all([import('../lib/insight/begin.ts'), import('./background.ts')])
    .then(([script, { faults }]) => script.begin(() => shown.current, faults))
    .catch(() => {})
  void import('../lib/motion/motion.ts').then((script) => script.begin(navigation, motionOf)).catch(() => {})
  // Most read what the page speaks, and fetch nothing of it.
  if (!navigator.language?.startsWith(shown.current.shell.lang))
    void import('../lib/browser/other-language.ts')
      .then((script) => script.offerLanguage(shown))
      .catch(() => {})
}

/** Each page that is shown from now on. */
export function seePage(shown: PageData): void {
  rememberMenu(shown)
  offline ??= isOfOffline(shown) ? import('../lib/offline/begin.ts').catch(() => null) : undefined
  void offline?.then((script) => script?.look(shown, restOf(shown)))
}

let offline: Promise<typeof import('../lib/offline/begin.ts') | null> | undefined

/** Times without a network are seen to after an order, and where that was begun before: a first visit installs nothing. */
function isOfOffline(shown: PageData): boolean {
  const { activeOrder, kiosk } = shown.shell
  if (!('serviceWorker' in navigator) || kiosk) return false
  const ofOrder = activeOrder !== null || restOf(shown)?.order !== undefined
  return ofOrder || navigator.serviceWorker.controller !== null
}

/** Pages that a lost network does not take away. */
export function atHand(address: string, shown: PageData): PageData | null {
  const url = new URL(address, location.origin)
  for (const page of Object.values(rest)) {
    const made = page.atHand?.(url, shown)
    if (made) return made
  }
  return null
}
