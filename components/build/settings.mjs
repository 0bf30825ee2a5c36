/** What the parts of the build agree on. */

export const ENTRY = 'components/entry.client.tsx'

/** The way that most guests go, from what a QR code opens to their order. */
export const WAY = ['menu', 'cart', 'order']

/** The scripts that the entry fetches after any first view. */
export const AFTER = ['components/pages/background.ts', 'components/pages/at-rest.ts']

/** A first visit of it is what has to be small: the texts of this page come with the entry's. */
export const FIRST_PAGE = WAY[0]

/** Where the server serves the hashed files. */
export const PUBLIC_PATH = '/assets/'

/**
 * The oldest browsers in which the app runs: those that pass the test of features in `early/early.ts` and
 * `entry.client.tsx`. `compat.mjs` holds the scripts to them. Older ones use the forms without scripts.
 */
export const APP_BROWSERS = {
  chrome: '97',
  webview_android: '97',
  safari: '15.4',
  safari_ios: '15.4',
  firefox: '104',
}

/** The oldest browsers whose styles are right: the forms are the whole product there. `compat.mjs` holds them. */
export const STYLE_BROWSERS = {
  chrome: '88',
  webview_android: '88',
  safari: '14.1',
  safari_ios: '14.5',
  firefox: '78',
}

const targetOf = ({ chrome, safari, safari_ios: ios, firefox }) => [
  `chrome${chrome}`,
  `safari${safari}`,
  `ios${ios}`,
  `firefox${firefox}`,
]

/** The same, as the bundler wants it: it writes newer syntax anew. */
export const APP_TARGET = targetOf(APP_BROWSERS)
export const STYLE_TARGET = targetOf(STYLE_BROWSERS)
