// Generated from the Rust page structs by ts-rs. Do not edit: `make types` writes it anew.

/** The interface languages of both countries (LC-02). */
export type Lang = 'kk' | 'ru' | 'en' | 'ka'
export type Country = 'kz' | 'ge'
/** The three services of the switcher; their upstream ids are 1, 3 and 4 (SV-01). */
export type Service = 'takeaway' | 'express' | 'delivery'

/** How sums of a town are written (LC-11). All sums are integers in hundredths of the currency. */
export type MoneyFormat = {
  code: string
  symbol: string
  symbolAfter: boolean
  thousands: string
  decimal: string
  fractionDigits: number
  rounding: string
  precision: number
}

export type TownRef = { id: number; name: string }

/** The table that a QR link bound to the session. */
export type TableRef = { filialId: number; tableId: string; number: string; mainTerminalId: string }

export type LineProblem = 'gone' | 'price'

/** One cart line. `price` is for one piece with its options; `sum` is price × qty; hundredths. */
export type CartLine = {
  id: string
  productId: number
  name: string
  qty: number
  price: number
  sum: number
  options: string[]
  note?: string
  image?: string
  /** Set when the upstream no longer sells it, or asks another price (`oldPrice` is what the guest saw). */
  problem?: LineProblem
  oldPrice?: number
  /** Whether the same product can be raised by a plain + in the menu (no options, no note). */
  plain: boolean
}

/** The cart as every page shows it. A higher `version` is newer. */
export type CartView = {
  version: number
  filialId: number
  venueName: string
  count: number
  total: number
  lines: CartLine[]
}

/** The one-line strip about an order under way. */
export type ActiveOrder = { number: string; status: OrderStatus; href: string }

export type FieldError = { field: string; code: string; values: Record<string, string | number> }

/** What a form post leaves for the page that follows it: shown once. */
export type Flash = {
  /** Message key under `flash.`: 'added', 'removed', 'cartCleared', 'townChanged', 'formErrors', … */
  kind: string
  errors: FieldError[]
  /** What the guest had typed, by field name. */
  values: Record<string, string[]>
}

/** What every page gets beside its own data. */
export type Shell = {
  lang: Lang
  langs: Lang[]
  country: Country
  /** Server time, milliseconds since the epoch, UTC. */
  now: number
  /** Minutes east of UTC in the town. */
  utcOffset: number
  money: MoneyFormat
  service: Service
  services: Service[]
  town: TownRef
  table: TableRef | null
  cart: CartView | null
  activeOrder: ActiveOrder | null
  flash: Flash | null
  /** Origin of the site for absolute links, without a slash at the end. */
  origin: string
  /** Path and query as asked for. */
  url: string
  version: string
}

/** Open state of a venue, worked out on the server from its schedule and the town's offset. */
export type OpenState = {
  open: boolean
  /** Around the clock (FL-04). */
  always: boolean
  /** "HH:MM" when it closes (open) or opens next (closed); null when not known. */
  at: string | null
  /** Days from today until `at`: 0 today, 1 tomorrow. */
  inDays: number
}

export type VenueCard = {
  /** The filial id for the chosen service. */
  id: number
  name: string
  brand: string
  address: string
  /** Metres, null when not known. */
  distance: number | null
  far: boolean
  rating: number | null
  image?: string
  open: OpenState
  services: Service[]
  promo: boolean
  /** Minutes a guest usually waits, null when not known. */
  minutes: number | null
}

export type RailKind = 'promo' | 'recent' | 'near' | 'popular' | 'bakery' | 'semiFinished' | 'readyMeals' | 'grocery'

export type Rail = { kind: RailKind; position: number; href: string; venues: VenueCard[]; failed: boolean }

export type HomePage = { rails: Rail[]; failed: boolean }

export type VenueListPage = {
  /** Which list: a rail kind, or null for all. */
  category: RailKind | null
  query: string
  venues: VenueCard[]
  page: number
  lastPage: number
  total: number
  failed: boolean
}

export type TownPage = { towns: TownRef[]; detected: TownRef | null; back: string }

export type Venue = {
  id: number
  name: string
  brand: string
  address: string
  image?: string
  open: OpenState
  services: Service[]
  /** Filial id of each service (SV-03). */
  filials: { service: Service; id: number }[]
  servicePercent: number
  utcOffset: number
  money: MoneyFormat
}

export type BannerKind = 'weather_issues' | 'night_shift' | 'closed'
export type Banner = { kind: BannerKind | null; message: string }

/** One dish or good. Sums in hundredths. */
export type Product = {
  id: number
  name: string
  text?: string
  /** What one piece costs without a promo. */
  price: number
  /** Set when a promo makes it cheaper (MN-01). */
  promo?: number
  /** Negative whole percent of the promo (MN-01). */
  percent?: number
  /** The price is the lowest of several sizes. */
  from?: true
  weight?: string
  image?: string
  /** Sold out or unavailable now. */
  out?: true
  /** Has sizes or additives: + opens the item. */
  options?: true
  /** At most so many for the promo price. */
  limit?: number
}

export type Category = { id: number; name: string; photos: boolean; products: Product[] }

export type Size = { id: number; name: string; price: number; out: boolean }
export type Option = { id: number; name: string; price: number; max: number; out: boolean }
export type OptionGroup = { id: number; name: string; min: number; max: number; options: Option[] }

/** One product with everything that can be chosen (the `?item=` sheet). */
export type Item = {
  product: Product
  sizes: Size[] | null
  groups: OptionGroup[]
  /** Option id → count, from last_selected, cleaned of what is gone (AT-02). */
  selected: Record<string, number>
  selectedSize: number | null
  minutes: number | null
  /** The options could not be loaded: it cannot be added (AT-11). */
  failed: boolean
}

export type MenuPage = {
  venue: Venue
  banner: Banner | null
  categories: Category[]
  /** The menu itself did not come, only favourites (MN-07). */
  failed: boolean
  /** Shown over the menu when `?item=` names a product. */
  item: Item | null
}

export type PaymentKind = 'online' | 'cash'
export type Total = { kind: 'goods' | 'service' | 'discount' | 'delivery' | 'total'; sum: number; percent?: number }

export type CartPage = {
  venue: Venue | null
  totals: Total[]
  payments: PaymentKind[]
  /** Cooking time range in minutes, null when not known (CT-06). */
  minutes: { min: number; max: number } | null
  crossSell: Product[]
  /** Why it can't be ordered yet, in order: 'empty' | 'closed' | 'table' | 'problems' | 'noPayment' | 'signIn' | 'checkFailed' */
  blocks: string[]
  name: string
}

export type OrderStatus = 'created' | 'cooking' | 'ready' | 'delivery' | 'completed' | 'canceled' | 'unknown'
export type OrderLine = { name: string; qty: number; sum: number; options: string[] }

/** One order as its page shows it. Times are milliseconds since the epoch. */
export type OrderPage = {
  id: string
  number: string
  service: Service
  status: OrderStatus
  /** Rank of the furthest status reached; progress never runs backwards (OR-03). */
  rank: number
  steps: { status: OrderStatus; at: number | null }[]
  payment: PaymentKind
  createdAt: number
  /** When the next status is expected, null when not known. */
  nextAt: number | null
  /** Server time of this reading. */
  readAt: number
  final: boolean
  reason: string | null
  venue: { id: number; name: string; address: string }
  money: MoneyFormat
  utcOffset: number
  /** False without the capability: no line, sum, table or comment is told (ZZ-06). */
  personal: boolean
  table: string | null
  comment: string | null
  lines: OrderLine[]
  totals: Total[]
  /** Address of the event stream (server-sent events; each event is an OrderPage as JSON). */
  events: string
}

/** An order whose outcome is not known yet. */
export type CheckingPage = { key: string }
/** A route of the specification that is not built yet. */
export type ComingPage = { route: string; filialId: number | null }
/** Not found, with what was looked for: 'page' | 'venue' | 'order' | 'item'. */
export type NotFoundPage = { what: string }
export type ErrorPage = { kind: 'unavailable' | 'overloaded' | 'badRequest' | 'forbidden'; requestId: string }

/** The data of one page, told apart by the id of its route in `routes.tsx`. */
export type Page =
  | { route: 'home'; data: HomePage }
  | { route: 'filials'; data: VenueListPage }
  | { route: 'town'; data: TownPage }
  | { route: 'menu'; data: MenuPage }
  | { route: 'cart'; data: CartPage }
  | { route: 'order'; data: OrderPage }
  | { route: 'checking'; data: CheckingPage }
  | { route: 'coming'; data: ComingPage }
  | { route: 'notFound'; data: NotFoundPage }
  | { route: 'error'; data: ErrorPage }

/** The one JSON text that V8 renders from, that the page carries and that `/_data/…` answers. */
export type PageData = { shell: Shell; page: Page; status: number }

/** What a JSON mutation answers. */
export type MutationAnswer = { cart: CartView | null; flash: Flash | null; redirect: string | null }
