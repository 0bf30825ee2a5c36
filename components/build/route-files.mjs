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
  keypad: { over: 'cart', file: 'components/parts/TableKeypad.tsx', css: 'parts/table-keypad.css' },
  delivery: { over: 'cart', file: 'components/parts/CartDelivery.tsx', css: 'parts/cart-delivery.css' },
  kiosk: { file: 'components/parts/KioskVeil.tsx', css: 'parts/kiosk-veil.css' },
}

/** Where the server serves the hashed files. */
export const PUBLIC_PATH = '/assets/'

/** The oldest browsers whose syntax the bundles keep to. Older ones use the forms without scripts. */
export const TARGET = ['chrome84', 'safari15', 'firefox90']
