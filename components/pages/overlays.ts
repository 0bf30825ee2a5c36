/** Overlays: what opens over a page, each a folder in `overlays/` with code, styles and texts of its own. */

import { createContext } from 'react'
import type { PageId } from '../lib/page/pages.ts'
import type { OverlayModules } from './browser.gen.ts'

export type OverlayId = keyof OverlayModules

/** What has code, texts and styles of its own. */
export type ViewId = PageId | OverlayId

/** What is at hand beside the page that is shown. */
export type Overlays = {
  /** All of them on the server, in the browser those whose code has arrived. */
  modules: { [I in OverlayId]?: OverlayModules[I] }
  /** Fetches code, texts and styles of what a page shows over itself. Only in the browser. */
  load?: (id: ViewId) => Promise<void>
}

export const OverlaysContext = createContext<Overlays>({ modules: {} })
