/** The map and the page of a venue: the map over its list, by hand, by keyboard, and when it does not come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  atUrl,
  hydrated,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  pause,
  text,
  unexpected,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

const LANG = 'en'
const MAP = `/map?lang=${LANG}`
const VENUE = 1013
const DETAILS = `/filials/${VENUE}/details?lang=${LANG}`
const TILES = { problem: /\/tiles\// }
/** A venue whose name holds markup. */
const HOSTILE = 1263

setStage({ withTable: false })

const isMapCode = (request) => /\/assets\/canvas-\w+\.js$/.test(new URL(request.url()).pathname)
const live = (page) => page.locator('.map[data-state="live"]').waitFor()
const pickedPin = (page) => page.locator('.pin[aria-pressed="true"]')
const pickedCard = (page) => page.locator('.stops li[data-picked]')
const here = (page) => page.getByRole('link', { name: text(LANG, 'map.here') })

async function openMap(address = MAP, options = {}) {
  const opened = await openPage(browser, product, { reducedMotion: 'reduce', ...options })
  await openHydrated(opened.page, address)
  await live(opened.page)
  return opened
}

test('the map mounts over its placeholder without a shift, with a pin for each venue of the list', async () => {
  const opened = await openPage(browser, product)
  const { page, problems } = opened
  await page.addInitScript(() => {
    window.__shift = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.__shift += entry.hadRecentInput ? 0 : entry.value
    })
    // What moves while the document itself arrives, a word after its sign, is not the map's (the walk measures that).
    // Its last part is drawn with the next frame.
    const observe = () => observer.observe({ type: 'layout-shift' })
    document.addEventListener('DOMContentLoaded', () =>
      requestAnimationFrame(() => requestAnimationFrame(observe)),
    )
  })
  await open(page, MAP)
  const before = await page.locator('.map').boundingBox()
  await hydrated(page)
  await live(page)
  await pause(500)
  assert.deepEqual(await page.locator('.map').boundingBox(), before)
  assert.equal(await page.evaluate(() => window.__shift), 0)
  const cards = await page.locator('.stops li').count()
  assert.ok(cards > 5)
  assert.equal(await page.locator('.pin').count(), cards)
  assert.deepEqual(problems, [])
  await opened.context.close()
})

test('a pin says of a venue that brings nothing now what its card says', async () => {
  const stopped = [...Array(100).keys()].map((at) => [`/data/${at}/delivery_state`, 'closed'])
  const path = '/takeaway/v2/locations'
  await product.sandboxApi.set('faults', { path, kind: 'replace', values: Object.fromEntries(stopped) })
  const { page, context } = await openMap(`${MAP}&service=delivery`)
  await product.sandboxApi.clear('faults')
  const said = text(LANG, 'venue.paused')
  const cards = await page.locator('.stops li', { hasText: said }).locator('h2').allInnerTexts()
  assert.ok(cards.length > 0)
  const pins = await page
    .locator('.pin:has([data-closed])')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  for (const name of cards)
    assert.ok(
      pins.some((label) => label.includes(`${name}, ${said}`)),
      name,
    )
  await context.close()
})

test('a pin picks its card and a card its pin; the address keeps both for Back', async () => {
  const { page, context } = await openMap()
  // One that no other lies on.
  const label = await page.locator('.pin:not([data-dot])').nth(1).getAttribute('aria-label')
  const names = await page.locator('.stops h2').allTextContents()
  const at = names.findIndex((one) => label.startsWith(`${one},`))
  const name = names[at]
  await page.getByLabel(label).click()
  assert.equal(await pickedCard(page).locator('h2').textContent(), name)
  await untilTrue(
    () => isWithin(pickedCard(page), page.locator('.stops ul')),
    PATIENCE,
    'the card is in view',
  )

  await page.getByRole('button', { name: text(LANG, 'map.next') }).click()
  const next = names[(at + 1) % names.length]
  assert.equal(await pickedCard(page).locator('h2').textContent(), next)
  assert.ok((await pickedPin(page).getAttribute('aria-label')).startsWith(next))

  await page.locator('.stops li').nth(1).locator('h2 a').focus()
  assert.ok((await pickedPin(page).getAttribute('aria-label')).startsWith(names[1]))

  const id = await pickedCard(page).getAttribute('data-id')
  assert.match(page.url(), new RegExp(`bbox=.*venue=${id}`))
  await page.keyboard.press('Enter')
  await atUrl(page, new RegExp(`/filials/${id}$`))
  await page.goBack()
  await live(page)
  await untilTrue(
    async () => (await pickedCard(page).getAttribute('data-id')) === id,
    PATIENCE,
    'picked after Back',
  )
  await context.close()
})

async function isWithin(inner, outer) {
  const [small, large] = [await inner.boundingBox(), await outer.boundingBox()]
  return small.x >= large.x - 1 && small.x + small.width <= large.x + large.width + 1
}

test('a swipe of the cards picks the one that it stops at', async () => {
  const { page, context } = await openMap()
  const list = page.locator('.stops ul')
  await list.evaluate((element) => {
    const card = element.children[4]
    element.scrollTo({
      left: card.offsetLeft - (element.clientWidth - card.clientWidth) / 2,
      behavior: 'instant',
    })
  })
  const fifth = await list.locator('li').nth(4).getAttribute('data-id')
  await untilTrue(
    async () =>
      (await pickedCard(page)
        .getAttribute('data-id')
        .catch(() => null)) === fifth,
  )
  await context.close()
})

test('the signs of one card on point where the cards go: aside, and down beside a wide map', async () => {
  const { page, context } = await openMap()
  const signs = () =>
    page.locator('.pin-steps .icon').evaluateAll((all) => all.map((one) => getComputedStyle(one).transform))
  assert.deepEqual(await signs(), ['none', 'none'])
  await page.setViewportSize({ width: 1280, height: 800 })
  const down = 'matrix(0, 1, -1, 0, 0, 0)'
  assert.deepEqual(await signs(), [down, down])
  await context.close()
})

test('by keyboard: one stop for all pins, arrows between them, arrows and signs for the map', async () => {
  const { page, context } = await openMap()
  assert.equal(await page.locator('.pin[tabindex="0"]').count(), 1)
  await page.locator('.pin[tabindex="0"]').focus()
  await page.keyboard.press('ArrowRight')
  const names = await page.locator('.stops h2').allTextContents()
  assert.ok((await pickedPin(page).getAttribute('aria-label')).startsWith(names[1]))
  assert.ok(await pickedPin(page).evaluate((element) => element === document.activeElement))
  await page.keyboard.press('ArrowLeft')
  assert.equal(await pickedCard(page).locator('h2').textContent(), names[0])

  assert.equal(await here(page).count(), 0)
  await page.locator('.canvas').focus()
  for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowRight')
  await here(page).waitFor()
  const shown = await here(page).getAttribute('href')
  await page.keyboard.press('-')
  await untilTrue(async () => (await here(page).getAttribute('href')) !== shown, PATIENCE, 'another part')
  await context.close()
})

test('a pan searches nothing by itself: "search here" does, once, and Back undoes it', async () => {
  const { page, context, requests, problems } = await openMap(`/map?venue=${VENUE}&lang=${LANG}`)
  const before = await page.locator('.stops li').count()
  const asked = () => requests.filter((one) => new URL(one.url()).pathname === '/_data/map')
  // What the pointer rests on may be fetched ahead; it is shown only when it is opened.
  const searched = () => asked().filter((one) => !one.headers()['x-prefetch'])
  const farther = page.getByRole('button', { name: text(LANG, 'map.farther') })
  // One step after the other: what is asked for while the map still moves would be another part than it shows at last.
  await farther.click()
  await here(page).waitFor()
  const once = await here(page).getAttribute('href')
  await farther.click()
  await untilTrue(
    async () => (await here(page).getAttribute('href')) !== once,
    PATIENCE,
    'the map came to rest',
  )
  assert.deepEqual(
    searched().map((one) => one.url()),
    [],
  )
  await here(page).click()
  await atUrl(page, /bbox=/)
  await untilTrue(async () => (await page.locator('.stops li').count()) > before, PATIENCE, 'more venues')
  const { search } = new URL(page.url())
  assert.equal(asked().filter((one) => new URL(one.url()).search === search).length, 1)
  await here(page).waitFor({ state: 'detached' })
  assert.equal(await page.locator('.pin').count(), await page.locator('.stops li').count())
  await page.goBack()
  await untilTrue(async () => (await page.locator('.stops li').count()) === before, PATIENCE, 'as before')
  assert.deepEqual(unexpected(problems), [])
  await context.close()
})

test('tiles that do not come leave a list that works, and are tried again in place', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await page.route('**/tiles/**', (route) => route.fulfill({ status: 502 }))
  await openHydrated(page, MAP)
  await page.getByText(text(LANG, 'map.failed')).waitFor()
  // Another try makes the map anew: a load without a network would take the list away.
  await page.evaluate(() => {
    window.samePage = true
  })
  const retry = page.locator('.map .note button')
  const failedAgain = page.waitForRequest('**/tiles/**')
  await retry.click()
  await failedAgain
  await page.getByText(text(LANG, 'map.failed')).waitFor()
  await page.unroute('**/tiles/**')
  await retry.focus()
  await page.keyboard.press('Enter')
  await live(page)
  assert.ok(await page.locator('.canvas').evaluate((element) => element === document.activeElement))
  assert.equal(await page.locator('.pin').count(), await page.locator('.stops li').count())
  assert.equal(await page.evaluate(() => window.samePage), true)
  await page.locator('.stops h2 a').first().click()
  await atUrl(page, /\/filials\/\d+$/)
  assert.deepEqual(unexpected(problems, TILES), [])
  await context.close()
})

test('code of the map that does not come leaves a list that works', async () => {
  const { page, context } = await openPage(browser, product)
  await page.route('**/assets/canvas-*.js', (route) => route.abort())
  await openHydrated(page, MAP)
  await page.getByText(text(LANG, 'map.failed')).waitFor()
  await page.getByRole('button', { name: text(LANG, 'map.next') }).click()
  assert.equal(await pickedCard(page).count(), 1)
  await context.close()
})

// Firefox keeps a failed import until the document goes.
test('code of the map that does not come when it is asked for again is fetched by another load, once', async () => {
  const { page, context } = await openPage(browser, product)
  await page.route('**/assets/canvas-*.js', (route) => route.abort())
  await openHydrated(page, MAP)
  const again = page.getByText(text(LANG, 'map.failed')).getByRole('button')
  await Promise.all([page.waitForEvent('load'), again.click()])
  await hydrated(page)
  await page.evaluate(() => {
    window.samePage = true
  })
  for (let press = 0; press < 2; press++) {
    const asked = page.waitForEvent('requestfailed', isMapCode)
    await again.click()
    await asked
    await again.waitFor()
  }
  assert.equal(await page.evaluate(() => window.samePage), true)
  await context.close()
})

test('of a part that is larger than the server takes its middle is searched', async () => {
  const { page, context } = await openMap(MAP, { viewport: { width: 1200, height: 800 } })
  const sizeOf = (address) => {
    const [west, south, east, north] = new URL(address, 'http://x').searchParams
      .get('bbox')
      .split(',')
      .map(Number)
    return Math.max(east - west, north - south)
  }
  for (let press = 0; press < 12; press++) {
    await page.getByRole('button', { name: text(LANG, 'map.farther') }).click()
    await pause(300)
  }
  await here(page).click()
  await atUrl(page, /bbox=/)
  assert.ok(sizeOf(page.url()) > 20 && sizeOf(page.url()) <= 30.0001, page.url())
  const { page: told } = await page.evaluate(
    async (search) => (await fetch(`/_data/map${search}`)).json(),
    new URL(page.url()).search,
  )
  assert.equal(told.data.requested, true)
  await context.close()
})

test('the place of the guest is asked for on a tap only; refused, the map stays and says so', async () => {
  const { page, context } = await openPage(browser, product)
  await page.addInitScript(() => {
    window.__asked = 0
    navigator.geolocation.getCurrentPosition = (_found, lost) => {
      window.__asked++
      setTimeout(lost, 0, { code: 1, PERMISSION_DENIED: 1 })
    }
  })
  await openHydrated(page, MAP)
  await live(page)
  assert.equal(await page.evaluate(() => window.__asked), 0)
  await page.getByRole('button', { name: text(LANG, 'map.locate') }).click()
  await page.getByText(text(LANG, 'place.denied')).waitFor()
  assert.equal(new URL(page.url()).pathname, '/map')
  await context.close()

  const found = await openMap(MAP, {
    geolocation: { latitude: 43.25, longitude: 76.95 },
    permissions: ['geolocation'],
  })
  await found.page.getByRole('button', { name: text(LANG, 'map.locate') }).click()
  await found.page.getByLabel(text(LANG, 'map.me')).waitFor()
  await here(found.page).waitFor()
  await found.context.close()
})

test('however often the guest asks for the own place, it is asked for once at a time and marked once', async () => {
  const { page, context } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await page.addInitScript(() => {
    window.__asked = []
    navigator.geolocation.getCurrentPosition = (found) => window.__asked.push(found)
  })
  await openHydrated(page, MAP)
  await live(page)
  const asked = () => page.evaluate(() => window.__asked.length)
  const answer = (latitude) =>
    page.evaluate((to) => window.__asked.at(-1)({ coords: { latitude: to, longitude: 76.95 } }), latitude)
  const finding = page.getByText(text(LANG, 'map.finding'))
  const locate = page.getByRole('button', { name: text(LANG, 'map.locate') })
  await locate.click()
  await finding.waitFor()
  await locate.click()
  await untilTrue(async () => (await asked()) > 0)
  await answer(43.25)
  await page.getByLabel(text(LANG, 'map.me')).waitFor()
  assert.equal(await asked(), 1)
  await finding.waitFor({ state: 'detached' })
  await locate.click()
  await untilTrue(async () => (await asked()) === 2)
  await answer(43.26)
  await finding.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel(text(LANG, 'map.me')).count(), 1)
  await context.close()
})

test('markup in the name of a venue is text on its pin', async () => {
  const { page, context } = await openMap(`/map?venue=${HOSTILE}&lang=${LANG}`)
  assert.match(await pickedPin(page).getAttribute('aria-label'), /<b>/)
  assert.equal(await page.locator('.map b, .stops b').count(), 0)
  await context.close()
})

test('the page of a venue brings its map on a tap, and stands when the map does not come', async () => {
  const { page, context, requests, problems } = await openPage(browser, product)
  await openHydrated(page, DETAILS)
  await pause(500)
  assert.equal(requests.filter(isMapCode).length, 0, 'no map before a tap')
  const box = await page.locator('.map').boundingBox()
  await page.locator('.map > a').click()
  await live(page)
  assert.equal(requests.filter(isMapCode).length, 1)
  assert.deepEqual((await page.locator('.map').boundingBox()).height, box.height)
  assert.ok(await page.locator('.canvas').evaluate((element) => element === document.activeElement))
  assert.deepEqual(problems, [])
  await context.close()

  const failing = await openPage(browser, product)
  await failing.page.route('**/assets/canvas-*.js', (route) => route.abort())
  await openHydrated(failing.page, DETAILS)
  await failing.page.locator('.map > a').click()
  await failing.page.getByText(text(LANG, 'details.mapFailed')).waitFor()
  // The link is left: it opens the map of all venues, here by its list.
  await failing.page.locator('.map > a').click()
  await atUrl(failing.page, new RegExp(`/map\\?venue=${VENUE}`))
  await failing.context.close()
})

test('the address is copied', async () => {
  const { page, context } = await openPage(browser, product, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await openHydrated(page, DETAILS)
  await page.getByRole('button', { name: text(LANG, 'details.copy') }).click()
  await page.getByRole('button', { name: text(LANG, 'details.copied') }).waitFor()
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^Almaty, .*97/)
  await context.close()
})

test('hours of today stay on one line of a narrow phone, whichever day it is', async () => {
  const { page, context } = await openPage(browser, product, { viewport: { width: 360, height: 740 } })
  for (const lang of ['kk', 'ru', 'en']) {
    await open(page, `/filials/${VENUE}/details?lang=${lang}`)
    const broken = await page.evaluate(() => {
      const rows = [...document.querySelectorAll('.hours tr')]
      const today = rows.find((row) => row.dataset.today)
      const [day, hours] = today.children
      return rows.filter((row) => {
        const [name, span] = row.children
        day.firstChild.data = name.firstChild.data
        hours.textContent = span.textContent
        return hours.offsetTop !== day.offsetTop
      }).length
    })
    assert.equal(broken, 0, lang)
  }
  await context.close()
})

test('without scripts: from the menu to its details, the map as a list, and on to a menu', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, `/filials/${VENUE}?lang=${LANG}`)
  await page.locator(`main a[href="/filials/${VENUE}/details"]`).click()
  await page.getByRole('heading', { name: text(LANG, 'details.hours') }).waitFor()
  assert.equal(await page.getByRole('button', { name: text(LANG, 'details.copy') }).isVisible(), false)
  await page.locator('.map > a').click()
  await atUrl(page, /\/map\?venue=/)
  const picked = pickedCard(page)
  assert.equal(await picked.getAttribute('data-id'), String(VENUE))
  await page.locator('.seek input[name="q"]').fill('zzzz')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: text(LANG, 'map.wider') }).click()
  await atUrl(page, /bbox=.*q=zzzz/)
  await page.getByRole('link', { name: text(LANG, 'map.noQuery') }).click()
  await page.locator('.stops h2 a').first().click()
  await atUrl(page, /\/filials\/\d+$/)
  await context.close()
})
