/** What goes on beside the app and no page waits for. A script of its own, fetched when the app is alive. */

import { paths } from '../../paths.ts'
import type { PageData } from '../page-data.ts'
import { tellServer } from './analytics.ts'
import { listenToHost } from './host.ts'
import { watchIntent } from './intent.ts'
import { rememberMenu } from './recent-menus.ts'
import { dropStored, MIRRORED, readCookie, readStored, writeRaw } from './storage.ts'
import { holdTyped, returnTyped } from './typed.ts'

/** A picture that shows nothing. */
const EMPTY = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

/** `shown` is the page of the moment; `reach` hears of the links that the guest reaches for. */
export function begin(shown: { readonly current: PageData }, reach?: (link: URL) => void): void {
  if (reach) watchIntent(reach)
  tellServer()
  coverTorn()
  mirror(shown.current.shell.version)
  noteMenu(shown.current)
  returnTyped()
  holdTyped()
  addEventListener('pagehide', () => mirror(shown.current.shell.version))
  if (readStored('place')) void import('./place.ts').then(({ returnToPlace }) => returnToPlace(), ignore)

  const { hosts = [], langs, lang } = shown.current.shell
  listenToHost({
    hosts,
    langs,
    lang,
    // A full load of the same page, as by the guest's own choice. The cart is the server's; what is not there yet is
    // kept for the next page when this one goes.
    onLanguage: (wanted) =>
      location.replace(paths.inLang(location.pathname + location.search, wanted) + location.hash),
  })
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

/** Keeps the menu that a page shows. */
export function noteMenu({ page }: PageData): void {
  if (page.route === 'menu') rememberMenu(page.data.venue)
}

/** The specification's names in local storage hold what the cookies say (ST-01). Nothing is kept of a stranger. */
function mirror(version: string): void {
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
