/** The file of each route's screen; its style sheet is `screens/<route>.css`. */
export const SCREENS = {
  home: 'HomeScreen',
  filials: 'FilialsScreen',
  town: 'TownScreen',
  menu: 'MenuScreen',
  cart: 'CartScreen',
  order: 'OrderScreen',
  checking: 'CheckingScreen',
  brands: 'BrandsScreen',
  brandFilials: 'BrandFilialsScreen',
  booking: 'BookingScreen',
  map: 'MapScreen',
  search: 'SearchScreen',
  menuSearch: 'MenuSearchScreen',
  details: 'DetailsScreen',
  faq: 'FaqScreen',
  legal: 'LegalScreen',
  language: 'LanguageScreen',
  age: 'AgeScreen',
  coming: 'ComingScreen',
  cookies: 'CookiesScreen',
  notFound: 'NotFoundScreen',
  error: 'ErrorScreen',
}

/**
 * Parts that a screen shows over itself once they are asked for, each with code, styles and texts (`locales/<id>`) of
 * its own. A document that shows one at once holds its styles beside those of the screen. One without a screen of its
 * own lies over any of them, and no document shows it at once.
 */
export const PIECES = {
  item: { over: 'menu', file: 'components/parts/ItemSheet.tsx', css: 'parts/item-sheet.css' },
  kiosk: { file: 'components/parts/KioskVeil.tsx', css: 'parts/kiosk-veil.css' },
}

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
