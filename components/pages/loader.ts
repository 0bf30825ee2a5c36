/** Fetches the code, the texts and the style sheets of pages and overlays, each once. */

import { styles } from 'build:styles'
import { answering } from '../lib/net/connection.ts'
import type { PageId, Pages } from '../lib/page/pages.ts'
import { loadTexts } from '../lib/text/texts.ts'
import { overlayLoaders, pageLoaders } from './browser.gen.ts'
import type { OverlayId, Overlays, ViewId } from './overlays.ts'

/** The pages that have arrived. The tree reads them through their context. */
export const pages: Pages = {}
/** The overlays that have arrived, for the tree in the same way. */
export const overlays: Overlays = { modules: {}, load: loadOver }

/** As the build lists the hashes of their style sheets. */
const views = [...Object.keys(pageLoaders), ...Object.keys(overlayLoaders)]

const sheets = new Map<string, Promise<void>>()

/**
 * Code, texts and style sheets of a page or overlay; those of a page wait until it is shown (`wear`). Rejects when one of
 * them can't be fetched.
 */
export async function loadView(id: ViewId): Promise<void> {
  await Promise.all([loadCode(id), loadTexts(id), loadSheet(id)])
  if (isOverlay(id)) wear(id)
}

/** The style sheet of what is shown now applies. */
export function wear(id: ViewId): void {
  document.querySelector(`link[href="${sheetOf(id)}"]`)?.removeAttribute('media')
}

/** What a page asks for to lay it over itself: of the age a page asks there. */
async function loadOver(id: ViewId): Promise<void> {
  await loadPatiently(id)
  wear(id)
}

/** The same, and once more when the server answers again. Rejects when it answers and a piece is still missing. */
export async function loadPatiently(id: ViewId): Promise<void> {
  try {
    await loadView(id)
  } catch {
    await answering()
    await loadView(id)
  }
}

/** Only code and texts: the document holds the styles of the page that it shows. */
export async function loadFirstView(id: ViewId): Promise<void> {
  sheets.set(sheetOf(id), Promise.resolve())
  await Promise.all([loadCode(id), loadTexts(id)])
}

/** Its address, or nothing where what is on every page is enough. */
function sheetOf(id: ViewId): string {
  const hash = styles.hashes[views.indexOf(id)]
  return hash ? `${styles.prefix}${id}-${hash}.css` : ''
}

function loadCode(id: ViewId): Promise<void> | undefined {
  return isOverlay(id) ? loadOverlay(id) : loadPage(id)
}

function isOverlay(id: ViewId): id is OverlayId {
  return id in overlayLoaders
}

async function loadPage<I extends PageId>(id: I): Promise<void> {
  if (pages[id]) return
  const loaded: Pages[I] = await pageLoaders[id]()
  pages[id] = loaded
}

async function loadOverlay<I extends OverlayId>(id: I): Promise<void> {
  if (overlays.modules[id]) return
  const loaded: Overlays['modules'][I] = await overlayLoaders[id]()
  overlays.modules[id] = loaded
}

function loadSheet(id: ViewId): Promise<void> | undefined {
  const href = sheetOf(id)
  const known = sheets.get(href)
  if (known || !href) return known
  const loading = new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    // Sheets have many rules in common. As one applies, all of the page that is shown would be laid out anew: half a second
    // of a slow phone for a menu of 2,000 dishes.
    link.media = 'not all'
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
