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

/** Where the server serves the hashed files. */
export const PUBLIC_PATH = '/assets/'

/** The oldest browsers whose syntax the bundles keep to. Older ones use the forms without scripts. */
export const TARGET = ['chrome84', 'safari15', 'firefox90']
