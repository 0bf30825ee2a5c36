/**
 * Every screen of the product and the states that a guest can see it in. Each entry brings a fresh page into its
 * state; accessibility, hydration and screenshots look at all of them.
 */
import assert from 'node:assert/strict'
import {
  buy,
  chooseDish,
  chooseWay,
  deleteAccount,
  endPayment,
  payInCash,
  pressOrder,
  signIn,
  submitItem,
} from './flows.mjs'
import {
  addPlain,
  atUrl,
  dataOf,
  fillCart,
  hydrated,
  importSource,
  inLang,
  openHydrated,
  qrPath,
  text,
  untilTrue,
} from './harness.mjs'

const { formatMoney } = await importSource('components/lib/format/format.ts')
const { routeTable } = await importSource('components/lib/page-routes.ts')

/**
 * @typedef {{ product: object, table: object, lang: string, opened: object }} World
 * `status`: of the document, when it is not 200. `problem`: what the browser may say of it. `expect`: the route that the page must be of. `langs`: the only
 * languages in which the sandbox can bring it about.
 */

const go = async ({ opened, lang }, address) => {
  await openHydrated(opened.page, inLang(address, lang))
}

/**
 * From here on a guest's own press changes the page, and the answer may come later than the half second in which
 * Chromium forgives a shift: what moves then is not loading.
 */
const answered = (page) =>
  page.evaluate(() => {
    if (window.__shifts) window.__shifts.over = true
  })

/** Upstream faults for the time of one state. */
const withFault = (fault, open) => async (world) => {
  const { sandboxApi } = world.product
  await sandboxApi.set('faults', fault)
  try {
    await open(world)
  } finally {
    await sandboxApi.clear('faults')
  }
}

async function withCart(world, count = 2) {
  await fillCart(world.opened, world.table, world.table.plain.slice(0, count))
}

/** Honest answers of some paths hold other values, for the time of one state. */
const withAnswers = (answers, open) => async (world) => {
  const { sandboxApi } = world.product
  for (const [path, values] of Object.entries(answers)) {
    await sandboxApi.set('faults', { path, kind: 'replace', values })
  }
  try {
    await open(world)
  } finally {
    await sandboxApi.clear('faults')
  }
}

const BONUSES = '/ladder-go/api/v1/balance/calculate-info'
const GIFTS = '/menu-promos/v1/gifts'
const COUPONS = '/menu-promos/v1/coupons'
const OWN_ORDERS = '/takeaway/v2/user/orders'

/** Bonuses of a guest of its own, who has so much. */
const bonusesOf = (phone, sums) => async (world) => {
  await signIn(world.opened, { phone })
  await world.product.sandboxApi.set('balance', { phone, ...sums })
  await go(world, '/profile/bonuses')
}

const bonusOrder = (number, created_at, sums) => ({
  id: `o_${number}`,
  number,
  type: 'express',
  status: 'completed',
  created_at,
  filial: { id: 1013, name: 'Лағман үйі', brand_name: 'Лағман үйі' },
  ...sums,
})

/** A name as long as any that an upstream may tell. */
const LONG_LEVEL = 'Құрметті қонақтар мен тұрақты келушілер деңгейі'

/** Places an order and leaves its page open. */
export async function placeOrder(world) {
  const { page } = world.opened
  await withCart(world)
  await go(world, '/cart')
  await payInCash(page)
  await pressOrder(page)
  await atUrl(page, /\/filials\/\d+\/order\//)
  await hydrated(page)
  return decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1))
}

const orderIn = (status) => async (world) => {
  const { page } = world.opened
  const id = await placeOrder(world)
  await world.product.sandboxApi.set('order/status', { order_id: id, status, reason: 'The oven broke down' })
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
}

/** A page of an order that a signed-in guest has placed elsewhere, in a status. */
const ownOrder =
  (address, { kind = 'takeaway', payment, status }) =>
  async (world) => {
    const { product, opened } = world
    const phone = '+77010000051'
    await signIn(opened, { phone })
    const { id } = await buy(product, phone, kind, payment)
    if (status) await product.sandboxApi.set('order/status', { order_id: id, status })
    await go(world, address(id))
    return id
  }
const infoOf = (id) => `/orders/${id}`

/** A fridge leads to the languages of its own country. */
const fridgeOf = ({ lang }) => (lang === 'ka' ? 2191 : 1201)
const brandOfFridges = ({ lang }) => (lang === 'ka' ? 25 : 17)
const OF_KAZAKHSTAN = ['kk', 'ru', 'en']

const goodOf = async (world) => {
  const query = encodeURIComponent('сэндвич')
  const found = await world.product.sandboxApi.upstream(
    `/menu/v3/search/products?query=${query}&kind=good&brand_id=${brandOfFridges(world)}`,
  )
  return found.data.find((one) => one.location.filial_id === fridgeOf(world)).product
}

const FRIDGES = '/smart-lock/v1/sessions'

/** A fridge that a guest of its own has opened, and what became of it; `unseen` pieces are taken beyond those in the cart. */
let fridgeGuests = 0

/** A guest who has opened nothing yet: three doors a minute are all that one may (S-17). */
function fridgeGuest(world) {
  fridgeGuests += 1
  return signIn(world.opened, { phone: `+7701001${String(fridgeGuests).padStart(4, '0')}` })
}

function withFridge({ lock = 'works', presses = 1, event, withGood, unseen, shut, lands } = {}) {
  return async (world) => {
    const { sandboxApi } = world.product
    const fridge = fridgeOf(world)
    // No other guest may have it open.
    await sandboxApi.set('door', { filial_id: fridge, event: 'lost' }).catch(() => {})
    await sandboxApi.set('lock', { filial_id: fridge, lock })
    try {
      await fridgeGuest(world)
      await post(world, '/session/age', { answer: 'yes' })
      for (let press = 0; press < presses; press += 1) await post(world, '/fridge/open', { filial: fridge })
      if (event) await sandboxApi.set('door', { filial_id: fridge, event })
      if (withGood) {
        const { product_id } = await goodOf(world)
        await post(world, '/cart/lines', { filial: fridge, product: product_id, delta: 1 })
        if (unseen) {
          await sandboxApi.set('taken', { filial_id: fridge, product_id, count: unseen })
        }
      }
      if (shut) {
        const answer = await world.opened.context.request.get(
          `${world.opened.web}/_data/filials/${fridge}/fridge`,
        )
        const { session } = (await answer.json()).page.data
        await post(world, '/fridge/close', { filial: fridge, session })
      }
      await go(world, lands ?? `/filials/${fridge}/fridge`)
    } finally {
      await sandboxApi.set('lock', { filial_id: fridge, lock: 'works' })
    }
  }
}

/** The order of what was taken, as it is or with other answers about it. */
const fridgeOrder = (answers) => async (world) => {
  await withFridge({ withGood: true, unseen: 1, shut: true })(world)
  const { order } = (await dataOf(world.opened.page)).page.data
  // The open page is not told that it is over again.
  await world.opened.context.route(/\/order\/[^/]+\/events/, () => {})
  await withAnswers(answers, () => go(world, infoOf(order)))(world)
}
const OWN_ORDER = '/takeaway/v2/user/order'

/** Somebody else has the fridge open when this guest presses. */
async function pressBusyFridge(world) {
  const { product, opened } = world
  const fridge = fridgeOf(world)
  await product.sandboxApi.set('door', { filial_id: fridge, event: 'lost' }).catch(() => {})
  const context = await opened.context.browser().newContext()
  const other = { opened: { context, web: opened.web } }
  await signIn(other.opened, { phone: '+77010000074' })
  await signIn(opened, { phone: '+77010000075' })
  for (const one of [other, world]) await post(one, '/session/age', { answer: 'yes' })
  await post(other, '/fridge/open', { filial: fridge })
  await context.close()
  await go(world, `/filials/${fridge}/fridge`)
  await answered(opened.page)
  await opened.page.locator('form[action="/fridge/open"] button').click()
  await opened.page.getByRole('status').getByText(text(world.lang, 'errors.fridgeBusy')).waitFor()
}

/** A camera that shows white paper, and a reader that finds this on it. */
export const withFilm = (page, found = null) =>
  page.addInitScript((code) => {
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement('canvas')
      const context = canvas.getContext('2d')
      const draw = () => {
        context.fillStyle = '#fff'
        context.fillRect(0, 0, canvas.width, canvas.height)
        requestAnimationFrame(draw)
      }
      draw()
      const stream = canvas.captureStream(10)
      window.__track = stream.getTracks()[0]
      return stream
    }
    const formats = ['ean_13', 'ean_8', 'code_128', 'code_39', 'code_93', 'itf', 'upc_a', 'upc_e', 'qr_code']
    window.BarcodeDetector = class {
      static getSupportedFormats = async () => formats
      detect = async () => (code ? [code] : [])
    }
  }, found)
/** The bill of the table, with what its QR code names. */
const billOf = ({ table }) =>
  table.qr.replace(`/filials/${table.filial_id}?`, `/filials/${table.filial_id}/bill?`)

/** The table has no bill of an earlier state. */
async function closeBill({ product: { sandboxApi }, table }) {
  const { data } = await sandboxApi.set('bill/open', { filial_id: table.filial_id, table_id: table.table_id })
  await sandboxApi.set('bill/close', { bill_id: data.id })
}

/** A new bill with three lines. */
async function openBill(world) {
  const { product, table } = world
  await closeBill(world)
  const { data } = await product.sandboxApi.set('bill/open', {
    filial_id: table.filial_id,
    table_id: table.table_id,
  })
  for (const [at, count] of [2, 1, 3].entries()) {
    const line = { bill_id: data.id, product_id: table.plain[at].id, count }
    await product.sandboxApi.set('bill/add', line)
  }
  return data.id
}

/** The data of the bill's page, as somebody's requests get it. */
async function billData(request, world, choice) {
  const query = new URLSearchParams(choice)
  const answer = await request.get(`${world.opened.web}/_data${billOf(world)}&${query}`)
  return (await answer.json()).page.data
}

/** Chooses that many of each line. */
async function holdDishes(request, world, bill, counts) {
  const { lines } = await billData(request, world, { split: 'dishes' })
  const form = { bill }
  for (const [at, { key }] of lines.entries()) form[`unit.${key}`] = String(counts[at] ?? 0)
  const address = `${world.opened.web}${billOf(world).replace('/bill?', '/bill/dishes?')}`
  await request.post(address, { form, headers: { origin: world.opened.web } })
}
const takeDishes = (world, bill, counts) => holdDishes(world.opened.context.request, world, bill, counts)

/** Begins to pay a part: the page that the answer leads to. */
async function payPart(request, world, bill, { payment, ...choice }) {
  const { choice: counted } = await billData(request, world, choice)
  const { amount, tips, bonuses, turn } = counted
  const form = { of: 2, pay: 1, tip: 0, ...choice, bill, payment, amount, tips, bonuses, turn }
  const answer = await request.post(`${world.opened.web}${billOf(world).replace('/bill?', '/bill/pay?')}`, {
    form,
    headers: { origin: world.opened.web, accept: 'application/json' },
  })
  return (await answer.json()).redirect
}

/** Another guest, of whom this browser knows nothing, is paying a part. */
async function someonePays(world, choice, counts) {
  const { opened, table } = world
  const context = await opened.context.browser().newContext()
  await context.request.get(`${opened.web}${table.qr}`)
  const { bill } = await billData(context.request, world, {})
  if (counts) await holdDishes(context.request, world, bill, counts)
  await payPart(context.request, world, bill, { ...choice, payment: 'qr' })
  await context.close()
}

const TARIFFS = '/dr-delivery/api/v1/tariffs'
/** The bank's page, which is another guest's. */
const BANK = /\/pay\/(card|qr)\/|favicon/

const post = ({ opened: { context, web } }, address, form) =>
  context.request.post(`${web}${address}`, { form: { back: '/cart', ...form }, headers: { origin: web } })

/** A cart of a guest who sits at no table. */
async function withCartFor(world, service, count) {
  await withCart(world, count)
  await post(world, '/session/table/leave', {})
  await post(world, '/session/service', { service })
}

/** A signed-in guest's delivery to an address near the venue. */
async function withDelivery(world, count) {
  await signIn(world.opened, { phone: '+77010000042' })
  await withCartFor(world, 'delivery', count)
  await saveAddress(world)
}

/** Places an order that is paid at the bank, and leaves the page that follows open. */
async function payOnline(world, way, outcome) {
  const { page } = world.opened
  await withCart(world)
  await go(world, '/cart')
  await chooseWay(page, way)
  await pressOrder(page)
  if (outcome) await endPayment(page, outcome)
  if (outcome) {
    await atUrl(page, /[?&]payment_id=/)
    await hydrated(page)
    return
  }
  // Loaded anew: the document is that of the page.
  await atUrl(page, way === 'card' ? /\/pay\/card\// : /\/pay\/[^/]+$/)
  await go(world, '/cart')
  await go(world, await page.locator('.order a[href^="/pay/"]').getAttribute('href'))
}

const orderOfPayment = async ({ product }) => (await product.sandboxApi.orders())[0].id

/** A venue that guests have written about. */
const reviewsOf = ({ lang }) => `/filials/${lang === 'ka' ? 2013 : 1013}/reviews`

/** A guest of its own writes one. */
async function writeReview(world, phone) {
  const { opened } = world
  await signIn(opened, { phone })
  const form = { rating: '4', text: 'Дәмі жақсы.\nТүскі уақытта кезек көп.', back: '/' }
  const headers = { origin: opened.web }
  await opened.context.request.post(`${opened.web}${reviewsOf(world)}`, { form, headers })
}

const detailsOf = ({ filial_id }) => `/filials/${filial_id}/details`
const mapShown = ({ opened }) => opened.page.locator('.map[data-state="live"]').waitFor()

const menuOf = (world) => `/filials/${world.table.filial_id}`

/** Towns and brands of the sandbox: a town without venues, one that nothing else asks about, a brand with several. */
const PLACES = {
  kz: { empty: '9', other: '5', brand: 9, away: { latitude: 51.1694, longitude: 71.4491 } },
  ge: { empty: '26', other: '23', brand: 22, away: { latitude: 41.6168, longitude: 41.6367 } },
}
const places = ({ lang }) => PLACES[countryOf(lang)]

const inTown = (which, open) => async (world) => {
  const { context, web } = world.opened
  await context.addCookies([{ name: 'townId', value: places(world)[which], url: web }])
  await open(world)
}

/** The day after tomorrow: no time of it is over. */
const bookingOf = (world) => {
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  return `/brands/booking?filial=${world.table.filial_id}&date=${date}`
}

/** Books a table by the form, with scripts or without. */
export async function bookTable(world, visit = (address) => go(world, address)) {
  const { page } = world.opened
  await visit(bookingOf(world))
  const form = page.locator('form[action="/bookings"]')
  await form.locator('input[name="time"]:not([disabled])').last().check()
  await form.locator('input[name="name"]').fill('Айгүл')
  await form.locator('input[name="phone"]').fill('+7 701 000 00 12')
  await answered(page)
  await form.locator('button').click()
  // A guest with a table at that time is asked first. Nothing may go on waiting for that: it would press in a later page.
  const another = 'form[action="/bookings"] button[name="another"]'
  await page.waitForFunction(
    (selector) => /[?&]booking=/.test(location.search) || document.querySelector(selector),
    another,
  )
  if (!/[?&]booking=/.test(page.url())) await page.locator(another).click()
  await atUrl(page, /[?&]booking=/)
}

/** At the form of a booking of a guest whose cart can be ordered with the table. */
async function orderAhead(world) {
  await signIn(world.opened, { phone: '+77010000075' })
  await withCart(world)
  await go(world, bookingOf(world))
  await answered(world.opened.page)
}

/** A table with dishes that are to be paid for. */
async function bookAhead(world) {
  await orderAhead(world)
  await world.opened.page.locator('input[name="ahead"]').check()
  await bookTable(world, async () => {})
}

/** To the question whether a table with dishes is to be given back; `paid`: so much was paid for them. */
async function askToCancel(world, paid) {
  await bookAhead(world)
  const { page } = world.opened
  const bill = await page.locator('a[href*="/bills/preorder/"]').first().getAttribute('href')
  const [bill_id] = bill.split('/').slice(-1)
  if (paid) await world.product.sandboxApi.set('bill/pay', { bill_id, sum: paid })
  await go(world, await page.locator('a[href*="?cancel="]').first().getAttribute('href'))
  return page
}

/** Over the map to the form of a new address, at the town's centre. */
export async function toAddressForm(world) {
  const { page } = world.opened
  await go(world, '/address-map?back=/addresses')
  await answered(page)
  const confirm = page.locator('form[action="/addresses/place"] button').last()
  await confirm.click()
  await page.locator('.pinned b').waitFor()
  await confirm.click()
  await atUrl(page, /\/address-form/)
  await page.locator('input[name="street"]').waitFor()
}

/** Saves it: it is the local one. */
async function saveAddress(world) {
  const { page } = world.opened
  await toAddressForm(world)
  await page.locator('input[name="street"]').fill('Әл-Фараби даңғылы')
  await page.locator('input[name="building"]').fill('10')
  await page.locator('input[name="apartment"]').fill('25')
  await page.locator('form[action="/addresses"] button').first().click()
  await atUrl(page, /\/addresses/)
}

/** Others have paid while this guest was about to: how much is left is said where it is mended. */
const withLessLeft = (query, place) => async (world) => {
  await openBill(world)
  await someonePays(world, { split: 'equal', of: 3, pay: 1 })
  await go(world, `${billOf(world)}${query}&problem=less`)
  const { left, money } = (await dataOf(world.opened.page)).page.data
  const told = text(world.lang, 'bill.problem.lessPaying', { left: formatMoney(left, money) })
  await place(world.opened.page).getByText(told).waitFor()
}

const listed = [
  { name: 'home', expect: 'home', open: (world) => go(world, '/') },
  {
    name: 'home-rail-failed',
    expect: 'home',
    open: withFault({ path: '/brandy', kind: 'status', status: 500 }, (world) =>
      go(world, '/?service=takeaway'),
    ),
  },
  { name: 'venues', expect: 'venues', open: (world) => go(world, '/filials') },
  { name: 'venues-bakery', expect: 'venues', open: (world) => go(world, '/filials?category=bakery') },
  { name: 'venues-nothing', expect: 'venues', open: (world) => go(world, '/filials?q=zzzzzz') },
  { name: 'venues-page', expect: 'venues', open: (world) => go(world, '/filials?page=2') },
  { name: 'venues-empty', expect: 'venues', open: inTown('empty', (world) => go(world, '/filials')) },
  {
    name: 'venues-failed',
    expect: 'venues',
    status: 503,
    // A search that was not made yet: of others the last good answer would be shown.
    open: withFault({ path: '/takeaway/v2/locations', kind: 'status', status: 500 }, (world) =>
      go(world, '/filials?q=never'),
    ),
  },
  { name: 'home-empty', expect: 'home', open: inTown('empty', (world) => go(world, '/')) },
  {
    name: 'home-elsewhere',
    expect: 'home',
    async open(world) {
      const { page, context } = world.opened
      await context.grantPermissions(['geolocation'])
      await context.setGeolocation(places(world).away)
      await go(world, '/')
      await page.locator('.near').click()
      await page.locator('.offer').waitFor()
    },
  },
  { name: 'brands', expect: 'brands', open: (world) => go(world, '/brands') },
  { name: 'brands-nothing', expect: 'brands', open: (world) => go(world, '/brands?q=zzzz') },
  { name: 'brands-empty', expect: 'brands', open: inTown('empty', (world) => go(world, '/brands')) },
  {
    name: 'brands-failed',
    expect: 'brands',
    status: 503,
    open: withFault(
      { path: '/brandy/api/v1/brands', kind: 'status', status: 500 },
      inTown('other', (world) => go(world, '/brands')),
    ),
  },
  {
    name: 'brand-venues',
    expect: 'brandVenues',
    open: (world) => go(world, `/brands/filials?brand=${places(world).brand}`),
  },
  {
    name: 'brand-venues-empty',
    expect: 'brandVenues',
    open: inTown('empty', (world) => go(world, `/brands/filials?brand=${places(world).brand}`)),
  },
  { name: 'search-empty', expect: 'search', open: (world) => go(world, '/search') },
  {
    name: 'search-history',
    expect: 'search',
    async open(world) {
      await go(world, '/search')
      const history = JSON.stringify({ version: 1, value: ['лагман', 'плов по-праздничному', 'чай'] })
      await world.opened.page.evaluate((value) => localStorage.setItem('searchHistory', value), history)
      await go(world, '/search')
    },
  },
  { name: 'search', expect: 'search', open: (world) => go(world, '/search?q=а') },
  {
    name: 'search-filters',
    expect: 'search',
    open: (world) => go(world, `/search?q=${world.lang === 'ka' ? 'ჩაი' : 'чай'}&meatless=1`),
  },
  {
    name: 'search-mended',
    expect: 'search',
    open: (world) => go(world, `/search?q=${world.lang === 'ka' ? 'ხინკლაი' : 'лагмна'}`),
  },
  {
    name: 'search-narrowed',
    expect: 'search',
    open: (world) => go(world, `/search?q=${world.lang === 'ka' ? 'ჩაი' : 'чай'}&price=1`),
  },
  {
    name: 'search-suggestions',
    expect: 'search',
    async open(world) {
      const { page } = world.opened
      // The server asks once and waits for little: on a busy machine it has none.
      await page.route('**/search/suggest?*', (route) => {
        const query = new URL(route.request().url()).searchParams.get('q')
        const items = world.table.plain.slice(0, 5).map(({ name }) => ({ text: name, kind: 'product' }))
        return route.fulfill({ json: { query, items } }).catch(() => {})
      })
      await go(world, '/search')
      await answered(page)
      await page.getByRole('combobox').pressSequentially(world.lang === 'ka' ? 'ხ' : 'а')
      await page.getByRole('option').first().waitFor()
      // What was found comes below, faint until it is there.
      await page.locator('.results:not([data-late]) .finds').waitFor()
      await page.getByRole('combobox').press('ArrowDown')
    },
  },
  { name: 'search-nothing', expect: 'search', open: (world) => go(world, '/search?q=qxjvbk') },
  {
    name: 'search-failed',
    expect: 'search',
    status: 503,
    open: withFault({ path: '/menu/v3/search', kind: 'status', status: 500 }, (world) =>
      go(world, '/search?q=zzz'),
    ),
  },
  { name: 'menu-search-empty', expect: 'menuSearch', open: (world) => go(world, `${menuOf(world)}/search`) },
  {
    name: 'menu-search',
    expect: 'menuSearch',
    open: (world) => go(world, `${menuOf(world)}/search?q=${encodeURIComponent(world.table.plain[0].name)}`),
  },
  {
    name: 'menu-search-mended',
    expect: 'menuSearch',
    open: (world) => go(world, `${menuOf(world)}/search?q=${world.lang === 'ka' ? 'ხინკლაი' : 'лагмна'}`),
  },
  {
    name: 'menu-search-nothing',
    expect: 'menuSearch',
    open: (world) => go(world, `${menuOf(world)}/search?q=qxjvbk`),
  },
  { name: 'booking-venues', expect: 'booking', open: (world) => go(world, '/brands/booking') },
  { name: 'booking', expect: 'booking', open: (world) => go(world, bookingOf(world)) },
  {
    name: 'booking-next',
    expect: 'booking',
    async open(world) {
      // Of today; tomorrow is asked for after it.
      const none = { path: '/booking/v1/slots', kind: 'replace', values: { '/data': [] }, times: 1 }
      await world.product.sandboxApi.set('faults', none)
      await go(world, `/brands/booking?filial=${world.table.filial_id}`)
      await world.opened.page.getByText(text(world.lang, 'booking.next')).waitFor()
    },
  },
  {
    name: 'booking-wrong',
    expect: 'booking',
    async open(world) {
      await go(world, bookingOf(world))
      await answered(world.opened.page)
      await world.opened.page.locator('form[action="/bookings"] button').click()
      await world.opened.page.locator('.table-for .error').first().waitFor()
      await hydrated(world.opened.page)
    },
  },
  {
    name: 'booking-done',
    expect: 'booking',
    async open(world) {
      await bookTable(world)
    },
  },
  {
    name: 'booking-not-loaded',
    expect: 'booking',
    status: 503,
    async open(world) {
      await bookTable(world)
      const silent = { path: '/booking/v1/bookings', kind: 'status', status: 500 }
      const { pathname, search } = new URL(world.opened.page.url())
      await withFault(silent, () => go(world, pathname + search))(world)
    },
  },
  {
    name: 'booking-twice',
    expect: 'booking',
    async open(world) {
      await bookTable(world)
      await go(world, bookingOf(world))
      const form = world.opened.page.locator('form[action="/bookings"]')
      await form.locator('input[name="time"]:not([disabled])').last().check()
      await answered(world.opened.page)
      await form.locator('button').click()
      await form.locator('button[name="another"]').waitFor()
      await hydrated(world.opened.page)
    },
  },
  {
    name: 'booking-ahead',
    expect: 'booking',
    async open(world) {
      await orderAhead(world)
      await world.opened.page.locator('input[name="ahead"]').check()
    },
  },
  {
    name: 'booking-done-ahead',
    expect: 'booking',
    async open(world) {
      await bookAhead(world)
      await world.opened.page.locator('.button[href*="/bills/preorder/"]').waitFor()
    },
  },
  {
    name: 'booking-cancel',
    expect: 'booking',
    async open(world) {
      const page = await askToCancel(world)
      await page.getByText(text(world.lang, 'booking.cancelUnpaid')).waitFor()
    },
  },
  {
    name: 'booking-cancel-paid',
    expect: 'booking',
    async open(world) {
      const page = await askToCancel(world, 5)
      await page.locator('.leaving > p').filter({ hasText: '5' }).first().waitFor()
    },
  },
  {
    name: 'booking-refunded',
    expect: 'booking',
    async open(world) {
      const page = await askToCancel(world, 5)
      await page.locator('form[action$="/cancel"] button').click()
      await page.getByText(text(world.lang, 'order.refund')).waitFor()
    },
  },
  {
    name: 'bill-refunded',
    expect: 'bill',
    async open(world) {
      const page = await askToCancel(world, 5)
      await page.locator('form[action$="/cancel"] button').click()
      await page.getByText(text(world.lang, 'order.refund')).waitFor()
      await go(world, await page.locator('a[href*="/bills/preorder/"]').first().getAttribute('href'))
    },
  },
  {
    // Given back, with the dishes that were ordered with it.
    name: 'booking-past',
    expect: 'booking',
    async open(world) {
      const page = await askToCancel(world)
      await page.locator('form[action$="/cancel"] button').click()
      await page.getByText(text(world.lang, 'booking.cancelled')).waitFor()
      await go(world, '/brands/booking')
      await page.locator('.past > summary').click()
    },
  },
  {
    name: 'bill-preorder',
    expect: 'bill',
    async open(world) {
      await bookAhead(world)
      const { page } = world.opened
      await go(world, await page.locator('a[href*="/bills/preorder/"]').first().getAttribute('href'))
    },
  },
  { name: 'town', expect: 'town', open: (world) => go(world, '/town') },
  { name: 'town-nothing', expect: 'town', open: (world) => go(world, '/town?q=zzzz') },
  {
    name: 'town-confirm',
    expect: 'town',
    async open(world) {
      await withCart(world)
      await go(world, '/town?to=2&back=/')
    },
  },
  { name: 'language', expect: 'language', open: (world) => go(world, '/language?back=/filials') },
  { name: 'cookies', expect: 'cookies', open: (world) => go(world, '/cookies?back=/filials') },
  // A partner's app asks; a browser is never shown it.
  ...['', '&refused=1'].map((answer) => ({
    name: answer ? 'consent-refused' : 'consent',
    expect: 'consent',
    open: (world) => go(world, `/consent?platform=android&back=/faq${answer}`),
  })),
  { name: 'faq', expect: 'faq', open: (world) => go(world, '/faq#expire') },
  { name: 'legal', expect: 'legal', open: (world) => go(world, '/legal/terms') },
  { name: 'auth', expect: 'auth', open: (world) => go(world, '/auth?problem=denied&back=%2Fcart') },
  ...['code', 'trackId', 'refused'].map((problem) => ({
    name: `auth-${problem}`,
    expect: 'auth',
    async open(world) {
      await go(world, `/auth?problem=${problem}&back=%2Fcart`)
      await world.opened.page.getByText(text(world.lang, `auth.${problem}`)).waitFor()
    },
  })),
  {
    name: 'auth-deleted',
    expect: 'auth',
    async open(world) {
      const phone = '+77010000034'
      await deleteAccount(world.product, phone)
      await signIn(world.opened, { phone, lands: '/auth' })
      await go(world, '/auth?problem=deleted&back=%2Fcart')
      await world.opened.page.locator('form[action="/session/restore"]').first().waitFor()
    },
  },
  { name: 'menu', expect: 'menu', open: (world) => go(world, menuOf(world)) },
  { name: 'menu-table', expect: 'menu', open: (world) => go(world, world.table.qr) },
  {
    name: 'menu-added',
    expect: 'menu',
    async open(world) {
      await go(world, world.table.qr)
      await answered(world.opened.page)
      await addPlain(world.opened.page, world.table.plain[0])
      await world.opened.page.locator('a[href="/cart"]:not(.skip):visible').first().waitFor()
    },
  },
  {
    name: 'menu-closed',
    expect: 'menu',
    async open(world) {
      const { sandboxApi } = world.product
      await sandboxApi.set('opening', { filial_id: world.other.filial_id, closed: true })
      await go(world, `/filials/${world.other.filial_id}`)
    },
  },
  {
    name: 'menu-promos',
    expect: 'menu',
    async open(world) {
      await go(world, menuOf(world))
      await world.opened.page.locator('.promos summary').click()
    },
  },
  // Its promos and subsidies are those of a delivery.
  ...[
    ['delivery', 1024],
    ['markup', 1263],
    ['empty', 1243],
  ].map(([name, filial_id]) => ({
    name: `menu-${name}`,
    expect: 'menu',
    langs: OF_KAZAKHSTAN,
    open: (world) => go(world, `/filials/${filial_id}`),
  })),
  {
    name: 'menu-failed',
    expect: 'menu',
    open: withFault({ path: '/menu/v2/category', kind: 'status', status: 500 }, (world) =>
      go(world, `/filials/${world.third.filial_id}`),
    ),
  },
  {
    name: 'item',
    expect: 'menu',
    open: (world) => go(world, `${menuOf(world)}?item=${world.table.withGroup.id}`),
  },
  {
    name: 'item-wrong',
    expect: 'menu',
    langs: OF_KAZAKHSTAN,
    async open(world) {
      const { group, id } = world.table.withGroup
      await go(world, `${menuOf(world)}?item=${id}`)
      await submitItem(world.opened.page)
      await world.opened.page
        .getByText(text(world.lang, 'errors.min', { count: group.min }))
        .first()
        .waitFor()
    },
  },
  {
    name: 'item-again',
    expect: 'menu',
    async open(world) {
      const { page } = world.opened
      await go(world, world.table.qr)
      await chooseDish(
        page,
        { ...world.table, withGroup: { ...world.table.withGroup, wrong: null } },
        world.lang,
      )
      await go(world, `${menuOf(world)}?item=${world.table.withGroup.id}`)
      await page.locator('dialog .have').waitFor()
    },
  },
  { name: 'cart-empty', expect: 'cart', open: (world) => go(world, '/cart') },
  {
    name: 'cart-saved',
    expect: 'cart',
    async open(world) {
      const { page } = world.opened
      await withCart(world)
      // The code of another restaurant, one that is open now.
      const isOther = (one) =>
        one.country === countryOf(world.lang) && one.filial_id !== world.table.filial_id
      for (const seat of (await world.product.sandboxApi.tables()).filter(isOther)) {
        await go(world, qrPath(seat))
        if ((await dataOf(page)).page.data.venue?.open?.open) break
      }
      await go(world, '/cart')
      await page.locator('.saved').waitFor()
    },
  },
  {
    name: 'cart',
    expect: 'cart',
    async open(world) {
      await withCart(world)
      await go(world, '/cart')
    },
  },
  ...[
    ['cart-promo', 'DASTARKHAN10', '.good'],
    ['cart-promo-expired', 'SUMMER', '.error'],
  ].map(([name, code, sign]) => ({
    name,
    expect: 'cart',
    async open(world) {
      const { page } = world.opened
      await withCart(world)
      await go(world, '/cart')
      await page.locator('.promo summary').click()
      await page.locator('input[name="code"]').fill(code)
      await answered(page)
      await page.keyboard.press('Enter')
      await page.locator(`.promo ${sign}`).waitFor()
    },
  })),
  {
    name: 'cart-line-opened',
    expect: 'menu',
    async open(world) {
      await withCart(world)
      await go(world, '/cart')
      const href = await world.opened.page.locator('.line .edit').first().getAttribute('href')
      assert.match(href, /[?&]line=/)
      await go(world, href)
    },
  },
  {
    name: 'cart-repeat',
    expect: 'cart',
    async open(world) {
      // One that is still made is not offered again.
      await orderIn('completed')(world)
      await go(world, '/cart')
      await world.opened.page.locator('form[action="/orders/repeat"]').waitFor()
    },
  },
  {
    name: 'cart-unpaid',
    expect: 'cart',
    async open(world) {
      await payOnline(world, 'qr')
      await go(world, '/cart')
    },
  },
  {
    name: 'menu-unpaid-strip',
    expect: 'menu',
    async open(world) {
      await payOnline(world, 'qr')
      await go(world, menuOf(world))
    },
  },
  {
    name: 'cart-sign-in',
    expect: 'cart',
    async open(world) {
      await withCartFor(world, 'takeaway')
      await go(world, '/cart')
    },
  },
  {
    name: 'cart-far',
    expect: 'cart',
    async open(world) {
      const { page, context } = world.opened
      await context.grantPermissions(['geolocation'])
      await context.setGeolocation(places(world).away)
      await signIn(world.opened, { phone: '+77010000042' })
      await withCartFor(world, 'takeaway')
      await go(world, '/cart')
      await answered(page)
      await page.locator('form[action="/cart/far"] button').waitFor()
    },
  },
  {
    name: 'cart-delivery',
    expect: 'cart',
    async open(world) {
      await withDelivery(world, 4)
      await go(world, '/cart')
      await world.opened.page.locator('.tariffs li').first().waitFor()
    },
  },
  {
    name: 'cart-delivery-below-minimum',
    expect: 'cart',
    async open(world) {
      const { plain } = world.table
      const cheapest = plain.reduce((least, one) => (one.price < least.price ? one : least))
      await withDelivery({ ...world, table: { ...world.table, plain: [cheapest] } }, 1)
      await go(world, '/cart')
      await world.opened.page.locator('#block-minSum').waitFor()
    },
  },
  {
    name: 'cart-delivery-no-tariff',
    expect: 'cart',
    open: async (world) => {
      await withDelivery(world, 4)
      await withFault({ path: TARIFFS, kind: 'status', status: 500 }, () => go(world, '/cart'))(world)
    },
  },
  ...[
    ['pay-qr', 'qr'],
    ['pay-card', 'card'],
    ['pay-declined', 'card', 'declined'],
    ['pay-abandoned', 'card', 'abandoned'],
    ['pay-timed-out', 'card', 'timed_out'],
  ].map(([name, way, outcome]) => ({
    name,
    expect: 'pay',
    problem: BANK,
    open: (world) => payOnline(world, way, outcome),
  })),
  {
    name: 'pay-back-from-bank',
    expect: 'pay',
    problem: BANK,
    async open(world) {
      await payOnline(world, 'card')
      const { pathname } = new URL(world.opened.page.url())
      await go(world, `${pathname}?payment_id=p_1`)
    },
  },
  {
    name: 'pay-checking',
    expect: 'pay',
    async open(world) {
      await payOnline(world, 'qr')
      const { page } = world.opened
      const { pathname } = new URL(page.url())
      // What has its code has no use for one any more: the picture is there before.
      await page.waitForFunction(() => document.querySelector('img[src$="/code.svg"]')?.naturalWidth > 0)
      const values = { '/data/payment/status': 'settling' }
      // The open page is not told that it is over again.
      await world.opened.context.route(/\/_data\/pay\//, () => {})
      await withFault({ path: '/takeaway/v2/user/order', kind: 'replace', values }, () =>
        go(world, pathname),
      )(world)
    },
  },
  {
    name: 'pay-paid-elsewhere',
    expect: 'pay',
    async open(world) {
      const { page, context } = world.opened
      await payOnline(world, 'qr')
      const { pathname } = new URL(page.url())
      const bank = await page.locator('a[rel="noopener"]').getAttribute('href')
      // Its code is for this session's guest alone.
      await page.locator('figure img').evaluate((one) => one.decode())
      await context.clearCookies()
      await context.request.post(bank, { form: { outcome: 'succeeded', phone: '1' }, maxRedirects: 0 })
      await go(world, pathname)
    },
  },
  ...[
    ['pay-called-off', false],
    ['pay-refunded', true],
  ].map(([name, isPaid]) => ({
    name,
    expect: 'pay',
    async open(world) {
      const { page, context } = world.opened
      await payOnline(world, 'qr')
      const { pathname } = new URL(page.url())
      // Of a payment that was called off there is no code.
      await untilTrue(() => page.evaluate(() => [...document.images].every((one) => one.complete)))
      const order_id = await orderOfPayment(world)
      if (isPaid) {
        const bank = await page.locator('a[rel="noopener"]').getAttribute('href')
        await context.request.post(bank, { form: { outcome: 'succeeded', phone: '1' }, maxRedirects: 0 })
      }
      await world.product.sandboxApi.set('order/status', { order_id, status: 'canceled' })
      await go(world, pathname)
    },
  })),
  ...['created', 'cooking', 'ready', 'completed', 'canceled'].map((status) => ({
    name: `order-${status}`,
    expect: 'order',
    open: orderIn(status),
  })),
  {
    name: 'order-left',
    expect: 'checking',
    async open(world) {
      const { page } = world.opened
      await withCart(world)
      await go(world, '/cart')
      await payInCash(page)
      const silent = { path: '/takeaway/v1/express/order', method: 'POST', kind: 'status', status: 503 }
      await withFault(silent, async () => {
        await pressOrder(page)
        await atUrl(page, /\/orders\/checking\//)
        await page.locator('form[action$="/drop"]').waitFor()
      })(world)
      await go(world, new URL(page.url()).pathname)
    },
  },
  {
    name: 'order-of-another',
    expect: 'order',
    async open(world) {
      await placeOrder(world)
      const { page, context } = world.opened
      const address = new URL(page.url()).pathname
      await context.clearCookies()
      await go(world, address)
    },
  },
  {
    name: 'order-cancel',
    expect: 'order',
    async open(world) {
      await placeOrder(world)
      const { page } = world.opened
      const href = await page.locator('a[href*="step=cancel"]').getAttribute('href')
      await go(world, href)
      await page.locator('.leave').waitFor()
    },
  },
  { name: 'orders', expect: 'orders', open: ownOrder(() => '/orders', { status: 'completed' }) },
  {
    // With the tables that are to come, and an order that was called off unpaid.
    name: 'orders-tables',
    expect: 'orders',
    async open(world) {
      for (let tables = 0; tables < 2; tables += 1) await bookTable(world)
      await ownOrder(() => '/orders', { status: 'canceled' })(world)
      await world.opened.page.locator('.orders > .note').waitFor()
    },
  },
  {
    name: 'orders-preorder',
    expect: 'orders',
    async open(world) {
      await bookAhead(world)
      await go(world, '/orders')
      await world.opened.page.locator('.orders > .note a[href*="/bills/preorder/"]').first().waitFor()
    },
  },
  {
    name: 'orders-none',
    expect: 'orders',
    async open(world) {
      await signIn(world.opened, { phone: '+77010000052' })
      await go(world, '/orders')
    },
  },
  {
    name: 'orders-failed',
    expect: 'orders',
    status: 503,
    open: withFault({ path: OWN_ORDERS, kind: 'status', status: 500 }, async (world) => {
      await signIn(world.opened, { phone: '+77010000052' })
      await go(world, '/orders?type=delivery')
    }),
  },
  {
    name: 'orders-here',
    expect: 'signInNeeded',
    status: 401,
    async open(world) {
      await placeOrder(world)
      await go(world, '/orders')
    },
  },
  {
    name: 'thank-you',
    expect: 'thankYou',
    open: ownOrder((id) => `/typ/1021/order/${id}`, {}),
  },
  {
    name: 'order-unpaid',
    expect: 'orderInfo',
    open: ownOrder(infoOf, { payment: 'online' }),
  },
  { name: 'order-ready-takeaway', expect: 'orderInfo', open: ownOrder(infoOf, { status: 'ready' }) },
  {
    // Its kitchen's minutes are over: whom to call, and where it is fetched.
    name: 'order-late',
    expect: 'orderInfo',
    async open(world) {
      const id = await ownOrder(infoOf, { status: 'cooking' })(world)
      const late = {
        '/data/created_at': '2026-01-01T06:00:00Z',
        '/data/cooking_time': 10,
        '/data/current_order_status/next_average_time': null,
        '/data/current_order_status/next_status_time': null,
        '/data/statuses': [],
      }
      // The open page is not told that it is over again.
      await world.opened.context.route(/\/order\/[^/]+\/events/, () => {})
      await withAnswers({ [OWN_ORDER]: late }, () => go(world, infoOf(id)))(world)
      await world.opened.page.locator('.now a[href^="tel:"]').waitFor()
    },
  },
  {
    name: 'order-courier',
    expect: 'orderInfo',
    async open(world) {
      await ownOrder(infoOf, { kind: 'delivery', status: 'delivery' })(world)
      await world.opened.page.locator('.courier a[href^="tel:"]').waitFor()
    },
  },
  {
    name: 'order-courier-map',
    expect: 'orderInfo',
    async open(world) {
      await ownOrder(infoOf, { kind: 'delivery', status: 'delivery' })(world)
      await answered(world.opened.page)
      await world.opened.page.locator('.map .wait').click()
      await mapShown(world)
    },
  },
  {
    name: 'order-no-courier',
    expect: 'orderInfo',
    open: ownOrder(infoOf, { kind: 'delivery', status: 'ready' }),
  },
  { name: 'order-grade', expect: 'orderInfo', open: ownOrder(infoOf, { status: 'completed' }) },
  {
    name: 'menu-order-strip',
    expect: 'menu',
    async open(world) {
      await placeOrder(world)
      await go(world, menuOf(world))
    },
  },
  {
    name: 'map',
    expect: 'map',
    async open(world) {
      await go(world, '/map')
      await mapShown(world)
    },
  },
  {
    name: 'map-selected',
    expect: 'map',
    async open(world) {
      await go(world, `/map?venue=${world.table.filial_id}`)
      await mapShown(world)
      await world.opened.page.locator('.pin[aria-pressed="true"]').waitFor({ state: 'attached' })
    },
  },
  { name: 'map-empty', expect: 'map', open: (world) => go(world, '/map?bbox=70,50,70.1,50.1') },
  {
    name: 'map-tiles-failed',
    expect: 'map',
    problem: /\/tiles\//,
    // A part that no other state looks at: its tiles are not in the cache.
    open: withFault({ path: '/tiles', kind: 'status', status: 500 }, async (world) => {
      await go(world, '/map?bbox=44.5,41.5,45.5,42.5')
      await world.opened.page.locator('.map[data-state="failed"]').waitFor()
    }),
  },
  { name: 'details', expect: 'details', open: (world) => go(world, detailsOf(world.table)) },
  {
    name: 'details-map',
    expect: 'details',
    async open(world) {
      await go(world, detailsOf(world.table))
      await world.opened.page.locator('.map > a').click()
      await mapShown(world)
    },
  },
  {
    name: 'details-closed',
    expect: 'details',
    async open(world) {
      const { filial_id } = world.other
      await world.product.sandboxApi.set('opening', { filial_id, closed: true })
      await go(world, detailsOf(world.other))
    },
  },
  ...[
    ['night', 1213],
    ['day-off', 1233],
    ['long-name', 1253],
    ['markup', 1263],
  ].map(([name, filial_id]) => ({
    name: `details-${name}`,
    expect: 'details',
    langs: OF_KAZAKHSTAN,
    open: (world) => go(world, detailsOf({ filial_id })),
  })),
  { name: 'reviews', expect: 'reviews', open: (world) => go(world, reviewsOf(world)) },
  {
    name: 'reviews-older',
    expect: 'reviews',
    langs: OF_KAZAKHSTAN,
    open: (world) => go(world, `${reviewsOf(world)}?page=2`),
  },
  { name: 'reviews-language', expect: 'reviews', open: (world) => go(world, `${reviewsOf(world)}?in=ru`) },
  {
    name: 'reviews-empty',
    expect: 'reviews',
    langs: OF_KAZAKHSTAN,
    open: (world) => go(world, '/filials/1243/reviews'),
  },
  {
    name: 'reviews-only-stars',
    expect: 'reviews',
    open: (world) => go(world, world.lang === 'ka' ? '/filials/2023/reviews' : '/filials/1033/reviews'),
  },
  {
    name: 'reviews-markup',
    expect: 'reviews',
    langs: OF_KAZAKHSTAN,
    open: (world) => go(world, '/filials/1263/reviews'),
  },
  {
    name: 'reviews-failed',
    expect: 'reviews',
    status: 503,
    // No other state asks for those of this venue.
    open: withFault({ path: '/reviews/v1/reviews', kind: 'status', status: 500 }, (world) =>
      go(world, world.lang === 'ka' ? '/filials/2033/reviews' : '/filials/1023/reviews'),
    ),
  },
  {
    name: 'reviews-pending',
    expect: 'reviews',
    async open(world) {
      await writeReview(world, '+77010000071')
      await go(world, reviewsOf(world))
    },
  },
  ...['published', 'refused'].map((state) => ({
    name: `reviews-${state}`,
    expect: 'reviews',
    async open(world) {
      await writeReview(world, state === 'refused' ? '+77010000072' : '+77010000073')
      await go(world, reviewsOf(world))
      const { own } = (await dataOf(world.opened.page)).page.data
      await world.product.sandboxApi.set('review', { review_id: own.review.id, state })
      await go(world, reviewsOf(world))
    },
  })),
  {
    name: 'reviews-report',
    expect: 'reviews',
    async open(world) {
      await go(world, reviewsOf(world))
      await world.opened.page.locator('.report > summary').first().click()
      await answered(world.opened.page)
    },
  },
  {
    name: 'reviews-reported',
    expect: 'reviews',
    async open(world) {
      const { page } = world.opened
      await go(world, reviewsOf(world))
      await page.locator('.report > summary').first().click()
      await answered(page)
      await page.locator('.report input[name="reason"]').first().check()
      await page.locator('.report button').first().click()
      await atUrl(page, /reported=/)
      await page.locator('.list .note').waitFor()
    },
  },
  {
    name: 'review-form',
    expect: 'reviewForm',
    async open(world) {
      await signIn(world.opened, { phone: '+77010000074' })
      await go(world, `${reviewsOf(world)}/new`)
    },
  },
  {
    name: 'review-form-errors',
    expect: 'reviewForm',
    problem: /422/,
    async open(world) {
      const { page } = world.opened
      await signIn(world.opened, { phone: '+77010000074' })
      await go(world, `${reviewsOf(world)}/new`)
      await page.locator('textarea').fill('ә'.repeat(1900))
      await answered(page)
      await page.locator('.review-form button[type=submit]').click()
      await page.locator('#ungraded').waitFor()
    },
  },
  {
    name: 'review-form-again',
    expect: 'reviewForm',
    async open(world) {
      await writeReview(world, '+77010000075')
      await go(world, `${reviewsOf(world)}/new`)
    },
  },
  // Behind all that orders at this venue: its menu is kept as it was for a while.
  {
    name: 'cart-problems',
    expect: 'cart',
    async open(world) {
      const { sandboxApi } = world.product
      // The open page is not told that it is over again.
      await world.opened.context.route(/\/events/, () => {})
      await withCart(world, 3)
      const [gone, dearer] = world.table.plain
      const filial_id = world.table.filial_id
      await sandboxApi.set('stock', { filial_id, product_id: gone.id, available: false })
      await sandboxApi.set('price', { filial_id, product_id: dearer.id, price: dearer.price / 100 + 100 })
      try {
        await go(world, '/cart')
      } finally {
        await sandboxApi.set('stock', { filial_id, product_id: gone.id, available: true })
        await sandboxApi.set('price', { filial_id, product_id: dearer.id, price: dearer.price / 100 })
      }
    },
  },
  { name: 'addresses-empty', expect: 'addresses', open: (world) => go(world, '/addresses') },
  {
    name: 'addresses',
    expect: 'addresses',
    async open(world) {
      await saveAddress(world)
      await go(world, '/addresses?back=/cart')
    },
  },
  {
    name: 'addresses-deleted',
    expect: 'addresses',
    async open(world) {
      await saveAddress(world)
      await go(world, '/addresses?back=/cart')
      await answered(world.opened.page)
      await world.opened.page.locator('form[action$="/delete"] button').first().click()
      await world.opened.page.locator('form[action="/addresses/undo"]').waitFor()
    },
  },
  {
    name: 'address-map',
    expect: 'addressMap',
    async open(world) {
      await go(world, '/address-map?back=/cart')
      await mapShown(world)
    },
  },
  {
    name: 'address-map-typed',
    expect: 'addressMap',
    open: (world) => go(world, `/address-map?q=${world.lang === 'ka' ? 'ქუჩა' : 'а'}`),
  },
  {
    name: 'address-map-nothing',
    expect: 'addressMap',
    open: (world) => go(world, '/address-map?q=qxjvbk'),
  },
  {
    name: 'address-map-outside',
    expect: 'addressMap',
    async open(world) {
      const { page } = world.opened
      const takeaway = { id: world.table.filial_id, name: 'Лағман үйі' }
      await page.route('**/addresses/at', (route) =>
        route.fulfill({ json: { spot: null, failed: false, zone: 'outside', takeaway } }).catch(() => {}),
      )
      await go(world, '/address-map?back=/cart')
      await answered(page)
      await page.locator('form[action="/addresses/place"] button').last().click()
      await page.locator('.pinned .note').waitFor()
    },
  },
  {
    name: 'address-form',
    expect: 'addressForm',
    async open(world) {
      await toAddressForm(world)
      await go(world, '/address-form?back=/addresses')
    },
  },
  {
    name: 'address-form-wrong',
    expect: 'addressForm',
    status: 422,
    problem: /^422 /,
    async open(world) {
      const { page } = world.opened
      await toAddressForm(world)
      await go(world, '/address-form?back=/addresses')
      await answered(page)
      await page.locator('input[name="street"]').fill('')
      await page.locator('form[action="/addresses"] button').first().click()
      await page.locator('input[name="street"][aria-invalid]').waitFor()
    },
  },
  {
    name: 'scanner',
    expect: 'barcodeScanner',
    open: (world) => go(world, `/filials/${fridgeOf(world)}/barcode-scanner`),
  },
  // Where the number may be typed, and where it may not.
  ...[
    ['scanner-table', 1253],
    ['scanner-table-only', 1263],
  ].map(([name, filial]) => ({
    name,
    expect: 'barcodeScanner',
    langs: OF_KAZAKHSTAN,
    open: (world) => go(world, `/filials/${filial}/barcode-scanner?table=1`),
  })),
  {
    name: 'scanner-live',
    expect: 'barcodeScanner',
    async open(world) {
      const { page } = world.opened
      await withFilm(page)
      await go(world, `/filials/${fridgeOf(world)}/barcode-scanner`)
      await answered(page)
      await page.locator('.scanner form button').click()
      await page.locator('.scanner[data-phase="live"]').waitFor()
    },
  },
  {
    name: 'scanner-found',
    expect: 'barcodeScanner',
    async open(world) {
      const { page } = world.opened
      const { barcode } = await goodOf(world)
      await withFilm(page, { rawValue: barcode, format: 'ean_13' })
      await go(world, `/filials/${fridgeOf(world)}/barcode-scanner`)
      await answered(page)
      await page.locator('.scanner form button').click()
      await page.locator('.scanned .dish').waitFor()
    },
  },
  {
    name: 'scanner-off',
    expect: 'barcodeScanner',
    async open(world) {
      const { page } = world.opened
      await withFilm(page)
      await go(world, `/filials/${fridgeOf(world)}/barcode-scanner`)
      await answered(page)
      await page.locator('.scanner form button').click()
      await page.locator('.scanner[data-phase="live"]').waitFor()
      await page.evaluate(() => window.__track.dispatchEvent(new Event('ended')))
      await page.locator('.scanner[data-phase="ended"]').waitFor()
    },
  },
  {
    name: 'scanner-foreign',
    expect: 'barcodeScanner',
    async open(world) {
      const { page } = world.opened
      await withFilm(page, { rawValue: 'https://elsewhere.example/', format: 'qr_code' })
      await go(world, `/filials/${fridgeOf(world)}/barcode-scanner`)
      await answered(page)
      await page.locator('.scanner form button').click()
      await page.locator('#scanned').waitFor()
    },
  },
  ...['refused', 'framed'].map((reason) => ({
    name: `barcode-${reason}`,
    expect: 'barcodeManual',
    open: (world) => go(world, `/filials/${fridgeOf(world)}/barcode-manual?camera=${reason}`),
  })),
  {
    name: 'barcode',
    expect: 'barcodeManual',
    open: (world) => go(world, `/filials/${fridgeOf(world)}/barcode-manual`),
  },
  ...Object.entries({
    wrong: '4870000130017',
    incomplete: '48700',
    none: '0000000000000',
  }).map(([name, code]) => ({
    name: `barcode-${name}`,
    expect: 'barcodeManual',
    open: (world) => go(world, `/filials/${fridgeOf(world)}/barcode-manual?code=${code}`),
  })),
  {
    name: 'barcode-found',
    expect: 'barcodeManual',
    async open(world) {
      const { barcode } = await goodOf(world)
      await go(world, `/filials/${fridgeOf(world)}/barcode-manual?code=${barcode}`)
    },
  },
  {
    name: 'barcode-unknown',
    expect: 'barcodeManual',
    open: withFault({ path: '/menu/v3/product-by-barcode', kind: 'status', status: 500 }, (world) =>
      // One that was not asked for yet: a known answer would be shown.
      go(world, `/filials/${fridgeOf(world)}/barcode-manual?code=4006381333931`),
    ),
  },
  {
    name: 'fridge-menu',
    expect: 'menu',
    open: (world) => go(world, `/filials/${fridgeOf(world)}`),
  },
  {
    name: 'fridge-sign-in',
    expect: 'fridge',
    open: (world) => go(world, `/filials/${fridgeOf(world)}/fridge`),
  },
  {
    name: 'fridge-ready',
    expect: 'fridge',
    async open(world) {
      await signIn(world.opened, { phone: '+77010000071' })
      await go(world, `/filials/${fridgeOf(world)}/fridge`)
    },
  },
  {
    name: 'fridge-too-young',
    expect: 'fridge',
    async open(world) {
      await signIn(world.opened, { phone: '+77010000076' })
      await post(world, '/session/age', { answer: 'no' })
      await go(world, `/filials/${fridgeOf(world)}/fridge`)
      await world.opened.page.locator('.fridge .note').waitFor()
    },
  },
  { name: 'fridge-busy', expect: 'fridge', problem: /409|422/, open: pressBusyFridge },
  { name: 'fridge-opening', expect: 'fridge', open: withFridge({ lock: 'slow' }) },
  { name: 'fridge-open', expect: 'fridge', open: withFridge({ withGood: true }) },
  { name: 'fridge-left-open', expect: 'fridge', open: withFridge({ event: 'stays' }) },
  { name: 'fridge-failed', expect: 'fridge', open: withFridge({ lock: 'jammed' }) },
  { name: 'fridge-in-vain', expect: 'fridge', open: withFridge({ lock: 'broken', presses: 3 }) },
  {
    name: 'fridge-settled',
    expect: 'fridge',
    open: withFridge({ withGood: true, shut: true }),
  },
  {
    name: 'fridge-unscanned',
    expect: 'fridge',
    async open(world) {
      await withFridge({ withGood: true, unseen: 2, shut: true })(world)
      const told = text(world.lang, 'fridge.unscanned', { count: 2 })
      await world.opened.page.getByText(told).waitFor()
    },
  },
  {
    name: 'fridge-lost',
    expect: 'fridge',
    async open(world) {
      await withFridge({ withGood: true })(world)
      const fridge = fridgeOf(world)
      await world.product.sandboxApi.set('door', { filial_id: fridge, event: 'lost' })
      await go(world, `/filials/${fridge}/fridge`)
      await world.opened.page.locator('.fridge[data-state="lost"]').waitFor()
    },
  },
  {
    name: 'fridge-often',
    expect: 'fridge',
    problem: /429/,
    async open(world) {
      const fridge = fridgeOf(world)
      const { sandboxApi } = world.product
      const shut = () => sandboxApi.set('door', { filial_id: fridge, event: 'lost' }).catch(() => {})
      await shut()
      await fridgeGuest(world)
      await post(world, '/session/age', { answer: 'yes' })
      for (let door = 0; door < 3; door += 1) {
        await post(world, '/fridge/open', { filial: fridge })
        await shut()
      }
      await go(world, `/filials/${fridge}/fridge`)
      await answered(world.opened.page)
      await world.opened.page.locator('form[action="/fridge/open"] button').click()
      await world.opened.page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'fridge-settling',
    expect: 'fridge',
    async open(world) {
      const { page } = world.opened
      // The door is shut, and what came of it is not known yet: the state stays like this.
      await page.route(/\/_data\/.*\/fridge/, () => {})
      await withFault(
        { path: FRIDGES, method: 'POST', kind: 'reset' },
        withFridge({ withGood: true, shut: true }),
      )(world)
      await page.locator('.fridge[data-state="settling"]').waitFor()
      // What lies in the list is being counted: it can be neither chosen nor put back.
      assert.equal(await page.locator('.taken').count(), 0)
    },
  },
  {
    name: 'fridge-unknown',
    expect: 'fridge',
    open: withFault({ path: FRIDGES, kind: 'status', status: 500 }, async (world) => {
      await signIn(world.opened, { phone: '+77010000072' })
      await go(world, `/filials/${fridgeOf(world)}/fridge`)
    }),
  },
  {
    name: 'fridge-age',
    expect: 'age',
    open: (world) => go(world, `/age?back=${encodeURIComponent(`/filials/${fridgeOf(world)}/fridge#open`)}`),
  },
  { name: 'fridge-order', expect: 'orderInfo', open: fridgeOrder({}) },
  ...['created', 'canceled'].map((status) => ({
    name: `fridge-order-${status}`,
    expect: 'orderInfo',
    open: fridgeOrder({
      [OWN_ORDER]: {
        '/data/status': status,
        '/data/current_order_status/status': status,
        '/data/statuses': [],
        '/data/is_paid': false,
      },
    }),
  })),
  { name: 'fridge-on-home', expect: 'home', open: withFridge({ lands: '/' }) },
  ...[
    ['bill', ''],
    ['bill-all', '&split=all&tip=10'],
    ['bill-equal', '&split=equal&of=3&pay=1&tip=0'],
    ['bill-wrong-people', '&split=equal&of=0&pay=1&tip=0'],
    ['bill-own-sum', '&split=sum&sum=999999999'],
    ['bill-own-tips', '&split=sum&sum=3&tip=own&tip_sum=1'],
    ['bill-waiter', '&step=waiter'],
  ].map(([name, more]) => ({
    name,
    expect: 'bill',
    async open(world) {
      await openBill(world)
      await go(world, billOf(world) + more)
    },
  })),
  {
    name: 'bill-dishes',
    expect: 'bill',
    async open(world) {
      const bill = await openBill(world)
      await someonePays(world, { split: 'dishes' }, [1, 0, 1])
      await takeDishes(world, bill, [0, 1, 1])
      await go(world, `${billOf(world)}&split=dishes&tip=5`)
    },
  },
  {
    name: 'bill-others-pay',
    expect: 'bill',
    async open(world) {
      await openBill(world)
      await someonePays(world, { split: 'equal', of: 3, pay: 1 })
      await go(world, billOf(world))
    },
  },
  {
    name: 'bill-less-left',
    expect: 'bill',
    open: withLessLeft('&split=all', (page) => page.getByRole('alert')),
  },
  {
    name: 'bill-less-than-typed',
    expect: 'bill',
    open: withLessLeft('&split=sum&sum=999999', (page) => page.locator('.field .error')),
  },
  {
    name: 'bill-others-pay-all',
    expect: 'bill',
    async open(world) {
      await openBill(world)
      await someonePays(world, { split: 'all' })
      await go(world, billOf(world))
    },
  },
  {
    name: 'bill-nothing-left',
    expect: 'bill',
    async open(world) {
      await openBill(world)
      await someonePays(world, { split: 'all' })
      await go(world, `${billOf(world)}&split=all&problem=less`)
      const told = text(world.lang, 'bill.problem.nothingPaying')
      await world.opened.page.getByRole('alert').getByText(told).waitFor()
    },
  },
  {
    name: 'bill-own-part',
    expect: 'bill',
    async open(world) {
      const bill = await openBill(world)
      await payPart(world.opened.context.request, world, bill, { split: 'sum', sum: 5, payment: 'qr' })
      await go(world, billOf(world))
    },
  },
  {
    name: 'bill-waiter-called',
    expect: 'bill',
    async open(world) {
      const bill = await openBill(world)
      const action = billOf(world).replace('/bill?', '/bill/waiter?')
      await post(world, action, { bill })
      await go(world, billOf(world))
    },
  },
  {
    name: 'bill-closed',
    expect: 'bill',
    async open(world) {
      const bill = await openBill(world)
      await world.product.sandboxApi.set('bill/close', { bill_id: bill })
      await go(world, `${billOf(world)}&bill=${bill}`)
    },
  },
  {
    name: 'bill-closed-paid',
    expect: 'bill',
    async open(world) {
      const bill = await openBill(world)
      const { request } = world.opened.context
      await payPart(request, world, bill, { split: 'all', payment: 'qr' })
      const [{ id: payment_id }] = await world.product.sandboxApi.get('payments')
      await world.product.sandboxApi.set('payment', { payment_id, outcome: 'succeeded' })
      await go(world, billOf(world))
    },
  },
  {
    name: 'bill-not-found',
    expect: 'bill',
    status: 404,
    async open(world) {
      await closeBill(world)
      await go(world, billOf(world))
    },
  },
  {
    name: 'bill-down',
    expect: 'error',
    status: 503,
    open: withFault({ path: '/bills/v1/bill', kind: 'status', status: 500 }, (world) =>
      go(world, billOf(world)),
    ),
  },
  {
    name: 'bill-pay-waiting',
    expect: 'pay',
    async open(world) {
      const bill = await openBill(world)
      const to = await payPart(world.opened.context.request, world, bill, { split: 'all', payment: 'qr' })
      await go(world, to)
    },
  },
  ...[
    ['bill-declined', 'declined', (to) => to],
    ['bill-paid', 'succeeded', (to) => to.replace('/pay/', '/bills/paid/')],
  ].map(([name, outcome, page]) => ({
    name,
    expect: outcome === 'declined' ? 'pay' : 'billPaid',
    async open(world) {
      const bill = await openBill(world)
      const sums = { split: 'equal', of: 2, pay: 1, tip: 10, payment: 'qr' }
      const to = await payPart(world.opened.context.request, world, bill, sums)
      const [{ id: payment_id }] = await world.product.sandboxApi.get('payments')
      await world.product.sandboxApi.set('payment', { payment_id, outcome })
      await go(world, page(to))
    },
  })),
  {
    name: 'bill-paid-others-pay',
    expect: 'billPaid',
    async open(world) {
      const bill = await openBill(world)
      const to = await payPart(world.opened.context.request, world, bill, {
        split: 'sum',
        sum: 5,
        payment: 'qr',
      })
      const [{ id: payment_id }] = await world.product.sandboxApi.get('payments')
      await world.product.sandboxApi.set('payment', { payment_id, outcome: 'succeeded' })
      await someonePays(world, { split: 'all' })
      await go(world, to.replace('/pay/', '/bills/paid/'))
    },
  },
  {
    name: 'bill-graded',
    expect: 'billPaid',
    async open(world) {
      const bill = await openBill(world)
      const { request } = world.opened.context
      const to = await payPart(request, world, bill, { split: 'all', payment: 'qr' })
      const [{ id: payment_id }] = await world.product.sandboxApi.get('payments')
      await world.product.sandboxApi.set('payment', { payment_id, outcome: 'succeeded' })
      const page = to.replace('/pay/', '/bills/paid/')
      await post(world, `${page}/grade`, { grade: 5 })
      await go(world, `${page}?thanks=1`)
    },
  },
  {
    name: 'profile',
    expect: 'profile',
    async open(world) {
      await signIn(world.opened)
      await go(world, '/profile')
    },
  },
  {
    name: 'profile-nameless',
    expect: 'profile',
    async open(world) {
      await signIn(world.opened, { phone: '+77010000036' })
      await go(world, '/profile')
    },
  },
  {
    name: 'profile-unknown',
    expect: 'profile',
    async open(world) {
      await signIn(world.opened)
      const { sandboxApi } = world.product
      for (const path of ['/api/v3/user', '/profile/api/v1/profile']) {
        await sandboxApi.set('faults', { path, method: 'GET', kind: 'status', status: 500 })
      }
      try {
        await go(world, '/profile')
      } finally {
        await sandboxApi.clear('faults')
      }
    },
  },
  {
    name: 'profile-rows',
    expect: 'profile',
    open: withAnswers(
      {
        '/profile/api/v1/address': {
          '/data': [1, 2, 3].map((id) => ({
            id,
            name: '',
            street: 'Нұрсұлтан Назарбаев даңғылы',
            building: `${id}1/5`,
            latitude: 43.2 + id / 10,
            longitude: 76.9,
          })),
        },
      },
      async (world) => {
        await signIn(world.opened, { phone: '+77010000041' })
        await world.product.sandboxApi.set('balance', { phone: '+77010000041', bonus: 1_234_567 })
        await go(world, '/profile')
      },
    ),
  },
  {
    name: 'bonuses',
    expect: 'bonuses',
    open: withAnswers(
      {
        [GIFTS]: {
          '/data': [
            {
              id: 'g',
              name: 'Шай · Чай · Tea',
              code: 'TEA-2027',
              percentage: 15,
              min_sum: 2500,
              expires_at: '2027-12-31T12:00:00Z',
            },
          ],
        },
        [OWN_ORDERS]: {
          '/data': [
            bonusOrder('118', '2026-11-20T08:00:00Z', { bonus_paid: 500, cashback_given: 259 }),
            bonusOrder('117', '2026-11-02T08:00:00Z', { bonus_paid: 0, cashback_given: 12_345 }),
          ],
        },
      },
      bonusesOf('+77010000042', { bonus: 12_345, money: 678, points: 7 }),
    ),
  },
  {
    name: 'bonuses-empty',
    expect: 'bonuses',
    open: withAnswers(
      { [COUPONS]: { '/data': [] } },
      bonusesOf('+77010000043', { bonus: 0, money: 0, points: 0 }),
    ),
  },
  {
    // A level that is about to drop, and everything as long as it can be.
    name: 'bonuses-full',
    expect: 'bonuses',
    open: withAnswers(
      {
        [BONUSES]: {
          '/data/points': 1200,
          '/data/level': { name: LONG_LEVEL, points: 15_000, cashback_percentage: 12.5, next_points: null },
          '/data/levels/2': {
            name: LONG_LEVEL,
            points: 15_000,
            cashback_percentage: 12.5,
            next_points: null,
          },
        },
        [GIFTS]: {
          '/data': [
            {
              id: 'g',
              name: LONG_LEVEL,
              code: 'DASTARKHAN-2027-WELCOME-TO-THE-TABLE',
              expires_at: '2027-12-31T12:00:00Z',
            },
          ],
        },
      },
      bonusesOf('+77010000044', { bonus: 123_456_789, money: 98_765_432 }),
    ),
  },
  {
    name: 'bonuses-silent',
    expect: 'bonuses',
    async open(world) {
      await signIn(world.opened)
      const { sandboxApi } = world.product
      for (const path of [BONUSES, '/balance/user', GIFTS, COUPONS, OWN_ORDERS]) {
        await sandboxApi.set('faults', { path, method: 'GET', kind: 'status', status: 500 })
      }
      try {
        await go(world, '/profile/bonuses')
      } finally {
        await sandboxApi.clear('faults')
      }
    },
  },
  {
    name: 'profile-form',
    expect: 'profileForm',
    async open(world) {
      await signIn(world.opened)
      await go(world, '/profile/form')
    },
  },
  {
    name: 'profile-form-wrong',
    expect: 'profileForm',
    status: 422,
    problem: /^422 /,
    async open(world) {
      const { page } = world.opened
      await signIn(world.opened)
      await go(world, '/profile/form')
      await page.locator('input[name="name"]').fill('А')
      await page.locator('input[name="birthday"]').fill('31/02/2000')
      await answered(page)
      await page.locator('form[action="/profile/form"] button').click()
      await page.locator('.about-me .error').nth(1).waitFor()
    },
  },
  {
    name: 'profile-form-photo',
    expect: 'profileForm',
    // The answer is a 422, which Chromium notes.
    problem: /422/,
    async open(world) {
      const { page } = world.opened
      await signIn(world.opened)
      await go(world, '/profile/form')
      const file = { name: 'me.heic', mimeType: 'image/heic', buffer: Buffer.from('not a picture') }
      await page.locator('input[type="file"]').setInputFiles(file)
      await answered(page)
      await page.locator('form[action="/profile/avatar"] button').click()
      await page.locator('.photo .error').waitFor()
    },
  },
  {
    name: 'profile-saved',
    expect: 'profile',
    async open(world) {
      const { page } = world.opened
      await signIn(world.opened, { phone: '+77010000037' })
      await go(world, '/profile/form')
      await page.locator('input[name="name"]').fill('Айгүл')
      await answered(page)
      await page.locator('form[action="/profile/form"] button').click()
      await atUrl(page, /\/profile\?saved=1$/)
      await go(world, '/profile?saved=1')
      await page.locator('.profile [role="status"]').first().waitFor()
    },
  },
  {
    name: 'deletion',
    expect: 'deletion',
    async open(world) {
      await signIn(world.opened)
      await go(world, '/profile/delete')
    },
  },
  {
    name: 'deletion-sure',
    expect: 'deletion',
    async open(world) {
      await signIn(world.opened)
      await go(world, '/profile/delete?step=sure')
    },
  },
  { name: 'deleted', expect: 'deleted', open: (world) => go(world, '/profile/deleted') },
  { name: 'not-found', expect: 'notFound', status: 404, open: (world) => go(world, '/no/such/page') },
  {
    name: 'table-not-found',
    expect: 'notFound',
    status: 404,
    open: (world) => go(world, `/filials/${fridgeOf(world)}/bill?table_id=t1`),
  },
  { name: 'venue-not-found', expect: 'notFound', status: 404, open: (world) => go(world, '/filials/999999') },
  {
    name: 'venue-unavailable',
    expect: 'error',
    status: 503,
    // A venue that nothing has asked for yet: of others the last good answer would be shown.
    open: withFault({ path: '*', kind: 'status', status: 500 }, (world) => go(world, '/filials/777777')),
  },
]

/** A page that no state is listed for is looked at as its address shows it; one whose address names something is listed. */
const plain = routeTable
  .filter(({ id }) => !listed.some(({ expect }) => expect === id))
  .map(({ id, path }) => {
    assert.ok(!path.includes(':'), `${id} has no state`)
    return { name: id, expect: id, open: (world) => go(world, path) }
  })

export const states = [...listed, ...plain]

/** The venues that states use up, so that caches do not carry one state into another. */
export async function venuesFor(product, country, findTable) {
  const table = await findTable(product, { country })
  const all = (await product.sandboxApi.tables()).filter((one) => one.country === country)
  const ids = [...new Set(all.map((one) => one.filial_id))]
  // The ones before it were looked at by the search, so their menus are in the cache.
  const venues = ids.slice(ids.indexOf(table.filial_id) + 1).map((filial_id) => ({ filial_id }))
  return { table, other: venues[0], third: venues[1] }
}

export const inLanguage = (lang) => states.filter((one) => !one.langs || one.langs.includes(lang))
export const countryOf = (lang) => (lang === 'ka' ? 'ge' : 'kz')
