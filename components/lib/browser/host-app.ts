/** The host app, if there is one: a partner's webview, or a page that has ours in a frame. */

import type { Host } from '../host/begin.ts'
import { readCookie } from './storage.ts'

export type Native = {
  ReactNativeWebView?: { postMessage: (message: string) => void }
  webkit?: { messageHandlers?: { dastarkhan?: { postMessage: (message: string) => void } } }
}

/** No page but those of the settings may have ours in a frame; webviews say what they are. */
export function isHosted(): boolean {
  const { ReactNativeWebView, webkit } = window as Native
  const native = ReactNativeWebView ?? webkit?.messageHandlers?.dastarkhan
  return parent !== window || !!native || /^[ai]/.test(readCookie('platform') ?? '')
}

/** What talks to it; null in a plain browser, which fetches nothing of it, and where it does not come. */
export const host = async (): Promise<Host | null> =>
  isHosted()
    ? import('../host/begin.ts').then(
        ({ theHost }) => theHost(),
        () => null,
      )
    : null
