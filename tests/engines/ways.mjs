/** What guests do, in any engine. */
import assert from 'node:assert/strict'
import { inLang, PATIENCE, pageData, text, untilTrue } from '../browser/harness.mjs'
import { Page } from './page.mjs'

const lang = 'kk'

/**
 * Opens an engine, lets a guest walk, and closes it whatever comes. A driver that lost a command on its way to the
 * browser says nothing of the product: such a walk is begun once more, in a browser of its own, and said.
 */
export async function walk(engine, world, options, way) {
  try {
    await once(engine, world, options, way)
  } catch (error) {
    if (!LOST_COMMAND.test(error.message)) throw error
    console.log(`# walked again: ${error.message}`)
    await engine.end?.()
    await once(engine, world, options, way)
  }
  assert.deepEqual(await world.stopped(), [], 'the policy of a page has stopped something')
}

const LOST_COMMAND = /Increase the 'protocolTimeout' setting|page\.goto: Timeout/

async function once(engine, world, options, way) {
  const before = await world.faults()
  const expected = { ...before }
  const page = new Page(await engine(options), world.web)
  try {
    await way(page, world)
    if (options.scripts !== false && (await page.runsApp())) {
      // One error of the walk's own: browsers tell of all at once, so that the others have come with it.
      expected.rejection += 1
      await page.reject('of the walk')
      await page.isSound()
      await untilTrue(async () => {
        await page.tell()
        return (await world.faults()).rejection > before.rejection
      })
    }
  } finally {
    await page.close()
  }
  const now = await world.faults()
  const logged = world.product.logs().filter(({ message }) => message === 'A browser met an error')
  assert.deepEqual(now, expected, JSON.stringify({ now, expected, logged }))
}

const ORDER = /\/filials\/\d+\/order\/([^/?#]+)/

/** From the code on the table to an order that cooks: a tap, a dish with its options, the cart, cash. */
export async function order(page, { product, table }, { scripts = true } = {}) {
  const { sandboxApi } = product
  const before = (await sandboxApi.orders()).length
  const ready = () => scripts && page.hydrated()
  await page.open(inLang(table.qr, lang))
  await ready()
  await isDrawn(page)
  const [dish] = table.plain
  await page.press('button[value="1"]', { of: `input[name="product"][value="${dish.id}"]` })
  await inCart(page, 1)

  const { withGroup } = table
  await page.press(`main a[href*="item=${withGroup.id}"]`)
  await page.at(/item=/)
  await page.until('its options are there', () => document.querySelector('input[name="note"]') !== null)
  await ready()
  await closeIsInReach(page)
  for (const group of withGroup.sheet.groups) {
    for (const option of group.options.filter(({ out }) => !out).slice(0, group.min)) {
      await choose(page, group, option)
    }
  }
  await page.press('dialog form[action="/cart/lines"] button[type="submit"]', {
    last: true,
    of: 'input[name="note"]',
  })
  await page.until('the sheet is away', () => !location.search.includes('item='))
  await inCart(page, 2)

  await page.press('a.bar[href="/cart"]')
  await page.at(/^\/cart/)
  await page.shows(dish.name)
  await page.shows(withGroup.name)
  await ready()
  await isDrawn(page)
  const isChoice = await page.count('input[type="radio"][name="payment"][value="cash"]')
  if (isChoice) await page.choose('input[type="radio"][name="payment"][value="cash"]')
  await page.press('form[action="/orders"] button[type="submit"]')
  await page.at(ORDER)
  // The status waits for the page: on a slow machine one that passes by itself is over before it is seen.
  const [, id] = ORDER.exec(await page.url())
  await sandboxApi.set('order/status', { order_id: id, status: 'cooking' })
  await cooks(page, scripts)
  assert.equal((await sandboxApi.orders()).length, before + 1)
}

/** A number of pieces in a sheet has buttons where something answers them, and is typed and kept where nothing does. */
export async function pieces(page, { table, product }, { answers }) {
  const dish = await dishOfPieces(product.web, table)
  await page.open(inLang(table.qr, lang))
  await page.open(inLang(`/filials/${table.filial_id}?item=${dish.id}`, lang))
  if (answers) await page.hydrated()
  const field = `input[name="option.${dish.option}"]`
  await page.until('the number is there', (css) => document.querySelector(css) !== null, field)
  const shown = await page.run(
    (css) =>
      [...document.querySelector(css).parentElement.querySelectorAll('button')].filter(
        (button) => getComputedStyle(button).visibility === 'visible',
      ).length,
    field,
  )
  assert.equal(shown, answers ? 2 : 0)
  if (answers) {
    await page.press('.step > .plus', { of: field })
    await page.until('one more', (css) => document.querySelector(css).value === '1', field)
  } else await page.type(field, '1')
}

/** A dish with an option that can be taken several times. */
async function dishOfPieces(web, { filial_id }) {
  const menu = await pageData(web, `/filials/${filial_id}`)
  const dishes = menu.page.data.categories.flatMap(({ products }) => products)
  for (const { id } of dishes.filter(({ options, out }) => options && !out)) {
    const { page } = await pageData(web, `/filials/${filial_id}?item=${id}`)
    const groups = page.data.dish?.groups ?? []
    const many = groups
      .filter(({ max }) => max > 1)
      .flatMap(({ options }) => options)
      .find((option) => option.max > 1 && !option.out && !page.data.dish.selected[option.id])
    if (many) return { id, option: many.id }
  }
  throw new Error('no dish with an option that can be taken several times')
}

/** The number in the bar that leads to the cart. */
const inCart = (page, count) =>
  page.until(
    `${count} in the cart`,
    (wanted) => document.querySelector('a.bar b')?.textContent.trim() === String(wanted),
    count,
  )

async function choose(page, group, { id }) {
  const one = `input[name="group.${group.id}"][value="${id}"]`
  const many = `input[name="option.${id}"]`
  if ((await page.count(`${many}[type="text"]`)) > 0) return page.type(many, '1')
  await page.press((await page.count(one)) > 0 ? one : many)
}

/** Without scripts the guest asks again. */
async function cooks(page, scripts) {
  const status = () => document.querySelector('[data-status]')?.getAttribute('data-status')
  if (scripts)
    return page.until('the order cooks', () => document.querySelector('[data-status="cooking"]') !== null)
  for (let tries = 0; tries < 10; tries++) {
    const address = await page.url()
    if ((await page.run(status)) === 'cooking') return
    await page.open(address)
  }
  assert.fail('the order does not cook')
}

/** The styles are there, buttons have their colour, and the icons are drawn. */
async function isDrawn(page) {
  await page.until('the icons are drawn', () => {
    const icons = [...document.querySelectorAll('svg.icon')].filter(
      (icon) => icon.getBoundingClientRect().width > 0,
    )
    // What a sprite draws has a size; what was not fetched has none.
    return icons.every((icon) => icon.getBBox().width > 0)
  })
  const wrong = await page.run(() => {
    const { backgroundColor, color } = getComputedStyle(document.documentElement)
    const problems = []
    if (backgroundColor === color || backgroundColor === 'rgba(0, 0, 0, 0)') problems.push('no paper')
    if (document.documentElement.scrollWidth > innerWidth) problems.push('wider than the screen')
    for (const button of document.querySelectorAll('.button')) {
      if (getComputedStyle(button).backgroundColor === 'rgba(0, 0, 0, 0)') problems.push(button.outerHTML)
    }
    return problems
  })
  assert.deepEqual(wrong, [])
}

/** The button that closes a sheet stands in its corner. */
async function closeIsInReach(page) {
  const away = await page.until('the sheet is there', () => {
    const close = document.querySelector('dialog .close')?.getBoundingClientRect()
    const sheet = document.querySelector('dialog')?.getBoundingClientRect()
    return close && sheet && sheet.height > 0
      ? {
          right: sheet.right - close.right,
          top: close.top - sheet.top,
          size: close.width,
          height: close.height,
        }
      : null
  })
  assert.ok(away.size >= 44 && away.height >= 44, JSON.stringify(away))
  assert.ok(away.right >= 0 && away.right <= 40 && away.top >= 0 && away.top <= 40, JSON.stringify(away))
}

/** The sheet of a dish by its button, by Back, and the page under it where it was. */
export async function sheet(page, { table }) {
  const address = new URL(table.qr, 'http://x').pathname
  const { id } = table.withGroup
  await page.open(inLang(address, lang))
  await page.hydrated()
  await page.run(() => {
    window.samePage = true
  })
  const isOpen = () => document.querySelector('dialog.sheet')?.open === true
  const isClosed = () => document.querySelector('dialog.sheet') === null && !location.search.includes('item=')
  for (const leave of [() => page.press('dialog .close'), () => page.back()]) {
    await page.press(`main a[href*="item=${id}"]`)
    await page.until('the sheet is open', isOpen)
    await page.until('its options are there', () => document.querySelector('input[name="note"]') !== null)
    await closeIsInReach(page)
    await leave()
    await page.until('the sheet is closed', isClosed)
  }
  assert.equal(await page.run(() => window.samePage), true)
}

/** Another language by the list in the header; Back from a page of the app. */
export async function language(page, { table }) {
  await page.open(inLang(table.qr, lang))
  await page.hydrated()
  await page.press('details.lang summary')
  await page.press('details.lang a[hreflang="ru"]')
  await page.until('the page is Russian', () => document.documentElement.lang === 'ru')
  await page.hydrated()
  await page.press('details.lang summary')
  await page.press('details.lang a[hreflang="kk"]')
  await page.until('the page is Kazakh', () => document.documentElement.lang === 'kk')
}

/** The map, moved by its own buttons, and Back from a venue to where one was. */
export async function map(page) {
  await page.open(inLang('/filials', lang))
  await page.hydrated()
  await page.press('a[href^="/map"]')
  await page.at(/^\/map/)
  await page.until('the map is drawn', () => document.querySelector('.map[data-state="live"]') !== null)
  await page.until('its tiles are there', () =>
    [...document.querySelectorAll('.map img')].some((tile) => tile.complete && tile.naturalWidth > 0),
  )
  await page.until('venues stand on it', () => document.querySelector('.pin') !== null)
  await page.back()
  await page.at(/^\/filials/)
  await page.until('the list is back', () => document.querySelector('main li a[href^="/filials/"]') !== null)
}

/** Back from a page outside of the app shows the menu as it was, out of memory, and it goes on living. */
export async function back(page, { table, product }) {
  const address = new URL(table.qr, 'http://x').pathname
  const [dish] = table.plain
  const leaveAndComeBack = async () => {
    await page.open(inLang(address, lang))
    await page.hydrated()
    await page.until('the page is loaded', () => document.readyState === 'complete')
    await page.until('its stream is open', () =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/error-')),
    )
    await page.run(() => {
      window.samePage = true
    })
    await page.press('details.lang summary')
    await page.press('details.lang a[hreflang="ru"]')
    await page.until('the page is Russian', () => document.documentElement.lang === 'ru')
    await page.back()
    await page.until('the page is Kazakh', () => document.documentElement.lang === 'kk')
    return page.run(() => window.samePage === true)
  }
  // A browser keeps no page in memory that it has just asked something for, as a busy machine may have it: there are
  // three tries.
  let isKept = false
  for (let tries = 0; tries < 3 && !isKept; tries += 1) isKept = await leaveAndComeBack()
  assert.equal(isKept, true, 'the menu was loaded anew, each time')
  const here = { filial_id: table.filial_id, product_id: dish.id }
  await product.sandboxApi.set('stock', { ...here, available: false })
  try {
    const isOut = (id) =>
      [...document.querySelectorAll(`.dish a[href$="item=${id}"]`)].some((link) =>
        link.closest('.dish').querySelector('.out'),
      )
    await page.until('the dish is sold out', isOut, dish.id)
  } finally {
    await product.sandboxApi.set('stock', { ...here, available: true })
  }
}

/** A browser that keeps no cookies: words, and a way on. */
export async function refused(page, { table }, { scripts = true } = {}) {
  await page.open(inLang(table.qr, lang))
  if (scripts) await page.hydrated()
  const [dish] = table.plain
  await page.press('button[value="1"]', { of: `input[name="product"][value="${dish.id}"]` })
  await page.at(/^\/cookies\?back=/)
  await page.shows(text(lang, 'cookies.title'))
  await page.press('main a.button')
  await page.at(/^\/filials\//)
}

/** The colours of the night. */
export async function isDark(page) {
  const [paper, ink] = await page.run(() => {
    const { backgroundColor, color } = getComputedStyle(document.documentElement)
    return [backgroundColor, color].map((each) =>
      each
        .match(/\d+/g)
        .slice(0, 3)
        .reduce((sum, part) => sum + +part, 0),
    )
  })
  assert.ok(paper < 200 && ink > 500, `paper ${paper}, ink ${ink}`)
}

const SIGN_IN = 'form[action="/session/sign-in"] button'
const PHONE = '+7 701 000 00 32'

/** Phone and code on the upstream's page, which is on its way. */
async function typePhoneAndCode(page, phone = PHONE) {
  await page.at(/oauth2\/authorize/)
  await page.type('input[name="phone"]', phone)
  await page.press('button')
  await page.type('input[name="code"]', '1234')
  await page.press('button')
}

const phoneIsShown = () => document.body.innerText.replace(/\s/g, '').includes('+77010000032')

/** The profile with its account: on a busy machine that may come too late for one document. */
async function openProfile(page) {
  const isWhole = async () => {
    await page.open(inLang('/profile', lang))
    return page.run(phoneIsShown)
  }
  await untilTrue(isWhole, PATIENCE, 'the phone is shown')
}

/** What the document says of its guest. */
const guestOf = (page) =>
  page.until('the document is whole', () => {
    const { shell } = JSON.parse(document.getElementById('data').textContent)
    return { cart: shell.cart?.count, table: shell.table, locked: shell.locked }
  })

/** Signs in from the profile, from the links of an order and of a bill, and from the list of orders with a cart; comes back to each. */
export async function signIn(page, { table }, { scripts = true } = {}) {
  const ready = () => scripts && page.hydrated()
  const signOut = async () => {
    await openProfile(page)
    await ready()
    await page.press('form[action="/session/sign-out"] button')
    // Where it leads is a document: a command given while that comes may be lost.
    await page.until(
      'the profile is left',
      () => location.pathname !== '/profile' && document.readyState === 'complete',
    )
  }
  await page.open(inLang('/profile?from=link', lang))
  await typePhoneAndCode(page)
  await page.at(/^\/profile\?/)
  await signOut()
  for (const link of ['/orders/77', '/bills/preorder/55?filial_id=1013&table_id=t1']) {
    await page.open(inLang(link, lang))
    await typePhoneAndCode(page)
    await page.until(
      `it is ${link} again`,
      (wanted) => (location.pathname + location.search).startsWith(wanted),
      link,
    )
    assert.equal(await page.count(SIGN_IN), 0, 'the guest is known')
    await signOut()
  }

  await page.open(inLang(table.qr, lang))
  await ready()
  const [dish] = table.plain
  await page.press('button[value="1"]', { of: `input[name="product"][value="${dish.id}"]` })
  await inCart(page, 1)
  await page.open(inLang(`/age?back=${encodeURIComponent('/cart')}`, lang))
  await ready()
  await page.press('form[action="/session/age"] button.close')
  await page.at(/^\/cart/)
  await ready()
  // The name is asked behind the first row that opens.
  await page.press('.checkout details > summary')
  await page.type('.checkout input[name="name"]', 'Aigul')
  const before = await guestOf(page)
  // A cart of a venue that takes no bonuses asks for no sign-in.
  await page.open(inLang('/orders', lang))
  await ready()
  await page.press(SIGN_IN)
  await typePhoneAndCode(page)
  await page.at(/^\/orders/)
  await page.open(inLang('/cart', lang))
  await ready()
  const after = await guestOf(page)
  assert.deepEqual(after, before)
  assert.deepEqual([after.cart, after.locked], [1, true])
  assert.ok(after.table)
  await page.shows(dish.name)
  assert.equal(await page.count(SIGN_IN), 0)
  if (scripts) {
    const isKept = () => document.querySelector('.checkout input[name="name"]').value === 'Aigul'
    await page.until('what was typed', isKept)
  }
}

/** The bill of the table: two dishes of it with tips, at the bank, thanks, and a grade. */
export async function bill(page, { product, table }, { scripts = true } = {}) {
  const { sandboxApi } = product
  const ready = () => scripts && page.hydrated()
  const place = { filial_id: table.filial_id, table_id: table.table_id }
  const { data: old } = await sandboxApi.set('bill/open', place)
  await sandboxApi.set('bill/close', { bill_id: old.id })
  const { data: opened } = await sandboxApi.set('bill/open', place)
  for (const [at, count] of [1, 2].entries())
    await sandboxApi.set('bill/add', { bill_id: opened.id, product_id: table.plain[at].id, count })

  await page.open(inLang(table.qr.replace('?', '/bill?'), lang))
  await ready()
  await isDrawn(page)
  await page.shows(table.plain[1].name)
  await page.press('.splits a[href*="split=dishes"]')
  await page.until('the dishes are offered', () => document.querySelector('.dishes select') !== null)
  await ready()
  // Where scripts run the choice alone is enough.
  await page.press('.dishes input[type="checkbox"]')
  if (!scripts) await page.press('.dishes button[type="submit"]')
  await page.shows(text(lang, 'bill.share'))
  await ready()
  await page.press('.tips input[value="10"]')
  if (!scripts) await page.press('.share button[name="count"]')
  await page.at(/[?&]tip=10/)
  await page.shows(text(lang, 'bill.tips'))
  await ready()
  await page.press('.due button[type="submit"]')
  await page.at(/^\/pay\/(card|qr)\//)
  await page.press('button[name="outcome"][value="succeeded"]')
  await page.at(/^\/bills\/paid\//)
  await page.shows(text(lang, 'billPaid.title'))
  await ready()
  await isDrawn(page)
  await page.press('.grade input[name="grade"][value="5"]')
  await page.press('.grade button[type="submit"]')
  await page.shows(text(lang, 'billPaid.thanked'))

  const told = (await sandboxApi.get('bills')).find(({ id }) => id === opened.id)
  const paid = told.payments.filter(({ status }) => status === 'succeeded')
  assert.equal(paid.length, 1, JSON.stringify(told))
  assert.ok(paid[0].sum > 0 && paid[0].sum < told.sum, JSON.stringify(told))
}

const FRIDGE = 1201

/** A fridge: the sign-in and the question of age before its door, goods by a scanner without a camera, then by typing. */
export async function fridge(page, { product }, { scripts = true } = {}) {
  const { sandboxApi } = product
  const ready = () => scripts && page.hydrated()
  const found = await sandboxApi.upstream(
    `/menu/v3/search/products?query=${encodeURIComponent('сэндвич')}&kind=good`,
  )
  const good = found.data.find((one) => one.location.filial_id === FRIDGE).product
  const before = (await sandboxApi.orders()).length
  const isDoor = (state) =>
    page.until(
      `the fridge is ${state}`,
      (wanted) => document.querySelector('.fridge')?.dataset.state === wanted,
      state,
    )

  await page.open(inLang(`/filials/${FRIDGE}/fridge`, lang))
  await ready()
  await isDrawn(page)
  await page.press(SIGN_IN)
  await typePhoneAndCode(page)
  await page.at(/\/fridge/)
  await isDoor('ready')
  await page.until('a number to call is read', () =>
    /\d{10}/.test(document.querySelector('.help a[href^="tel:"]')?.innerText.replace(/\s/g, '')),
  )
  await ready()
  await page.press('form[action="/fridge/open"] button')
  await page.at(/^\/age\?/)
  await ready()
  await page.press('form[action="/session/age"] button', { of: 'input[value="yes"]' })
  await page.at(/\/fridge/)
  await ready()
  await page.press('form[action="/fridge/open"] button')
  await isDoor('open')
  await ready()

  // No camera comes here: whatever the engine says of it leads to typing.
  await page.press('.fridge-ways a[href$="/barcode-scanner"]')
  await page.at(/\/barcode-scanner/)
  await ready()
  await isDrawn(page)
  await page.press(scripts ? '.scanner form button' : '.scanner > a[href*="/barcode-manual"]')
  await page.at(scripts ? /\/barcode-manual\?camera=/ : /\/barcode-manual/)
  if (scripts) {
    const reason = new URLSearchParams((await page.url()).split('?')[1]).get('camera')
    await page.shows(text(lang, `camera.${reason}`))
  }
  await ready()
  await isDrawn(page)
  await page.type('input[name="code"]', '48700')
  await page.press('.barcode form button')
  await page.shows(text(lang, 'barcode.incomplete'))
  await ready()
  await page.type('input[name="code"]', good.barcode)
  await page.press('.barcode form button')
  await page.shows(text(lang, 'barcode.found'))
  await page.shows(good.product_name)
  await ready()
  await page.press('.dishes button[value="1"]')
  await inCart(page, 1)
  await page.press('.barcode-ways a[href$="/fridge"]')
  await isDoor('open')
  await page.shows(good.product_name)
  await ready()
  await page.press('form[action="/fridge/close"] button')
  await isDoor('settled')
  await page.shows(text(lang, 'fridge.toOrder'))
  assert.equal((await sandboxApi.orders()).length, before + 1)
}

const REVIEWS = '/filials/1013/reviews'

/** A review: who writes one signs in, gives stars and words, and finds them kept for the moderator. */
export async function review(page, { product }, { scripts = true } = {}) {
  const ready = () => scripts && page.hydrated()
  const words = 'Very good plov, soon again!'
  const pending = async () => {
    const { data } = await product.sandboxApi.get('reviews?filial_id=1013')
    return data.filter(({ state }) => state === 'pending').length
  }
  const before = await pending()
  await page.open(inLang(REVIEWS, lang))
  await ready()
  await page.press(`a[href="${REVIEWS}/new"]`)
  // Each walk is another guest's: who has written before finds that in the form.
  await typePhoneAndCode(page, scripts ? '+7 701 000 00 91' : '+7 701 000 00 92')
  await page.at(/\/reviews\/new/)
  await ready()
  await isDrawn(page)
  await page.type('.review-form textarea', words)
  await page.press('.review-form form button')
  // Words without stars: it is said, and the words stay.
  await page.shows(text(lang, 'grade.needed'))
  await ready()
  await page.press('.stars input[value="4"]')
  await page.press('.review-form form button')
  await page.until(
    'the reviews are there',
    (there) => location.pathname === there && document.querySelector('.own') !== null,
    REVIEWS,
  )
  await page.shows(words)
  await page.shows(text(lang, 'reviews.pending'))
  await page.shows(text(lang, 'grade.stars', { count: 4 }))
  assert.equal(await pending(), before + 1)
}

/** Back after a sign-out does not show the profile again. */
export async function backAfterSignOut(page, _, { scripts = true } = {}) {
  await page.open(inLang('/profile', lang))
  await typePhoneAndCode(page)
  await page.at(/^\/profile/)
  await page.until('the phone is shown', phoneIsShown)
  if (scripts) {
    await page.hydrated()
    await page.run(() =>
      addEventListener('pageshow', ({ persisted }) => {
        if (persisted) sessionStorage.setItem('seen', document.body.innerText)
      }),
    )
  }
  await page.press('form[action="/session/sign-out"] button')
  // Where it leads is a document: a command given while that comes may be lost.
  await page.until(
    'the profile is left',
    () => location.pathname !== '/profile' && document.readyState === 'complete',
  )
  if (scripts) await page.hydrated()
  await page.back()
  await page.at(/oauth2\/authorize/)
  await page.open(inLang('/faq', lang))
  assert.equal(await page.run(() => sessionStorage.getItem('seen')), null)
}
