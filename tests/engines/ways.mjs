/** What guests do, in any engine. */
import assert from 'node:assert/strict'
import { inLang, pageData, text } from '../browser/harness.mjs'
import { Page } from './page.mjs'

const lang = 'kk'

/** Opens an engine, lets a guest walk, and closes it whatever comes. */
export async function walk(engine, world, options, way) {
  const page = new Page(await engine(options), world.web)
  try {
    await way(page, world)
  } finally {
    await page.close()
  }
  assert.deepEqual(await world.stopped(), [], 'the policy of a page has stopped something')
}

const ORDER = /\/filials\/\d+\/order\/([^/?#]+)/

/** From the code on the table to an order that cooks: a tap, a dish with its options, the cart, cash. */
export async function order(page, { product, table }, { scripts = true } = {}) {
  const { sandboxApi } = product
  const before = (await sandboxApi.orders()).length
  const ready = () => scripts && page.alive()
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
  for (const group of withGroup.item.groups) {
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
  if (isChoice) await page.press('input[type="radio"][name="payment"][value="cash"]')
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
  if (answers) await page.alive()
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
    const groups = page.data.item?.groups ?? []
    const many = groups
      .filter(({ max }) => max > 1)
      .flatMap(({ options }) => options)
      .find((option) => option.max > 1 && !option.out && !page.data.item.selected[option.id])
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
export async function isDrawn(page) {
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
export async function closeIsInReach(page) {
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
  await page.alive()
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
  await page.alive()
  await page.press('details.lang summary')
  await page.press('details.lang a[hreflang="ru"]')
  await page.until('the page is Russian', () => document.documentElement.lang === 'ru')
  await page.alive()
  await page.press('details.lang summary')
  await page.press('details.lang a[hreflang="kk"]')
  await page.until('the page is Kazakh', () => document.documentElement.lang === 'kk')
}

/** The map, moved by its own buttons, and Back from a venue to where one was. */
export async function map(page) {
  await page.open(inLang('/filials', lang))
  await page.alive()
  await page.press('a[href^="/map"]')
  await page.at(/^\/map/)
  await page.until('the map is alive', () => document.querySelector('.map[data-state="live"]') !== null)
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
    await page.alive()
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
  if (scripts) await page.alive()
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
async function typePhoneAndCode(page) {
  await page.at(/oauth2\/authorize/)
  await page.type('input[name="phone"]', PHONE)
  await page.press('button')
  await page.type('input[name="code"]', '1234')
  await page.press('button')
}

const phoneIsShown = () => document.body.innerText.replace(/\s/g, '').includes('+77010000032')

/** What the document says of its guest. */
const guestOf = (page) =>
  page.until('the document is whole', () => {
    const { shell } = JSON.parse(document.getElementById('data').textContent)
    return { cart: shell.cart?.count, table: shell.table, locked: shell.locked }
  })

/** Signs in from the profile, from the links of an order and of a bill, and from the cart; comes back to each. */
export async function signIn(page, { table }, { scripts = true } = {}) {
  const ready = () => scripts && page.alive()
  const signOut = async () => {
    await page.open(inLang('/profile', lang))
    await page.until('the phone is shown', phoneIsShown)
    await ready()
    await page.press('form[action="/session/sign-out"] button')
    await page.until('the profile is left', () => location.pathname !== '/profile')
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
  await page.type('.checkout input[name="name"]', 'Aigul')
  const before = await guestOf(page)
  await page.press(SIGN_IN)
  await typePhoneAndCode(page)
  await page.at(/^\/cart/)
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

/**
 * Nobody who presses Back after a sign-out sees the profile again.
 */
export async function backAfterSignOut(page, _, { scripts = true } = {}) {
  await page.open(inLang('/profile', lang))
  await typePhoneAndCode(page)
  await page.at(/^\/profile/)
  await page.until('the phone is shown', phoneIsShown)
  if (scripts) {
    await page.alive()
    await page.run(() =>
      addEventListener('pageshow', ({ persisted }) => {
        if (persisted) sessionStorage.setItem('seen', document.body.innerText)
      }),
    )
  }
  await page.press('form[action="/session/sign-out"] button')
  await page.until('the profile is left', () => location.pathname !== '/profile')
  if (scripts) await page.alive()
  await page.back()
  await page.at(/oauth2\/authorize/)
  await page.open(inLang('/faq', lang))
  assert.equal(await page.run(() => sessionStorage.getItem('seen')), null)
}
