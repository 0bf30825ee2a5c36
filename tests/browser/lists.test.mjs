/** Home, the list of venues and the brands in a real browser: what the scripts add, and that all works without them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  atUrl,
  DESKTOP,
  hydrated,
  inLang,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  pause,
  startProduct,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

/** Chosen town: Almaty. */
const SOUTH_WEST = { latitude: 43.205, longitude: 76.89 }
const ASTANA = { latitude: 51.1694, longitude: 71.4491 }
/** Tamshy Coffee, three venues. */
const BRAND = 9

setStage({ withTable: false })

const namesIn = (page, selector) => page.locator(`${selector} a`).allTextContents()
const near = 'section[aria-labelledby="rail-near"]'
const rows = (page) => page.locator('.place').count()
const dataRequests = (requests) => requests.filter((one) => new URL(one.url()).pathname.startsWith('/_data'))
const toEnd = (page) => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))

test('the restaurants of a brand stay where they are while the rest of their page comes', async () => {
  const { page, context } = await openPage(browser, product, { viewport: DESKTOP })
  const address = inLang(`/brands/filials?brand=${BRAND}`, 'kk')
  const html = (await (await fetch(product.web + address)).text()).replace(/<script[\s\S]*?<\/script>/g, '')
  // As the network brings it: the list has not ended yet.
  const at = html.indexOf('</h3>', html.indexOf('class="groups"'))
  await page.goto(`${product.web}/robots.txt`)
  const places = await page.evaluate(
    async ([before, after]) => {
      const place = () => {
        const { left, top } = document.querySelector('.brand-group h2').getBoundingClientRect()
        return [left, top]
      }
      document.open()
      document.write(before)
      const first = place()
      document.write(after)
      document.close()
      return { first, last: place(), groups: document.querySelectorAll('.brand-group').length }
    },
    [html.slice(0, at), html.slice(at)],
  )
  assert.equal(places.groups, 1)
  assert.deepEqual(places.last, places.first)
  await context.close()
})

test('arrows come only where there is something to scroll to, and scroll', async () => {
  const { page, context, problems } = await openPage(browser, product, { viewport: DESKTOP })
  await openHydrated(page, '/')
  await page.locator('.arrows').first().waitFor()
  const found = await page.locator('.shelf').evaluateAll((shelves) =>
    shelves.map((shelf) => {
      const list = shelf.querySelector('ul')
      return {
        scrolls: list.scrollWidth > list.clientWidth + 1,
        arrows: shelf.querySelectorAll('.arrows > button').length,
      }
    }),
  )
  assert.ok(found.some(({ scrolls }) => scrolls) && found.some(({ scrolls }) => !scrolls), 'both kinds')
  for (const { scrolls, arrows } of found) assert.equal(arrows, scrolls ? 2 : 0)

  const shelf = page.locator('.shelf').first()
  const [back, on] = [shelf.locator('.arrows > button').first(), shelf.locator('.arrows > button').last()]
  assert.equal(await back.getAttribute('aria-disabled'), 'true')
  await on.focus()
  await page.keyboard.press('Enter')
  await untilTrue(
    () => shelf.locator('ul').evaluate((list) => list.scrollLeft > 100),
    PATIENCE,
    'the rail has scrolled',
  )
  await untilTrue(
    async () => (await back.getAttribute('aria-disabled')) === null,
    PATIENCE,
    'there is a way back',
  )
  assert.deepEqual(problems, [])
  await context.close()
})

test('half a card stays in sight on a phone', async () => {
  const { page, context } = await openPage(browser, product)
  await open(page, '/')
  const shown = await page
    .locator('.shelf > ul')
    .first()
    .evaluate((list) => {
      const { left, width } = list.children[1].getBoundingClientRect()
      return (list.getBoundingClientRect().right - left) / width
    })
  assert.ok(shown > 0.35 && shown < 0.65, `${shown} of the second card`)
  await context.close()
})

test('a position is asked for after a tap only, and moves nothing but the near rail', async () => {
  const { page, context, problems, requests } = await openPage(browser, product)
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation(SOUTH_WEST)
  await page.addInitScript((rail) => {
    window.asked = 0
    window.shifts = []
    const ask = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation)
    navigator.geolocation.getCurrentPosition = (...rest) => {
      window.asked += 1
      window.options = rest[2]
      ask(...rest)
    }
    // The rail itself gets another name and other venues, of which some stay on at another place.
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        for (const { node } of sources)
          if (node && !node.parentElement?.closest(rail))
            window.shifts.push(`${node.nodeName}.${node.className} ${value}`)
    }).observe({ type: 'layout-shift', buffered: true })
  }, near)
  await openHydrated(page, '/')
  await pause(1000)
  assert.equal(await page.evaluate(() => window.asked), 0, 'nothing is asked on load')
  const before = await namesIn(page, `${near} .venue`)
  const others = await namesIn(page, `.shelf:not(${near.replace('section', '')}) .venue`)
  const gap = await page
    .locator(`${near} .venue`)
    .first()
    .evaluate((card) => {
      const [address, open] = ['.soft', '.open'].map((one) => card.querySelector(one).getBoundingClientRect())
      return open.top - address.bottom
    })
  assert.ok(gap < 8, `the room for a distance is no gap in a card: ${gap} px`)
  await page.locator('.near').scrollIntoViewIfNeeded()
  const below = () =>
    page.evaluate(
      () => document.querySelector('[aria-labelledby="rail-popular"]').getBoundingClientRect().top,
    )
  const top = await below()
  await page.evaluate(() => {
    window.shifts = []
  })
  const asked = requests.length
  await page.locator('.near').click()
  await page.locator('.near[aria-pressed="true"]').waitFor()
  assert.equal(await page.evaluate(() => window.asked), 1)
  assert.deepEqual(await page.evaluate(() => window.options), {
    enableHighAccuracy: true,
    timeout: 5000,
    maximumAge: 0,
  })
  assert.notDeepEqual(await namesIn(page, `${near} .venue`), before)
  assert.deepEqual(await namesIn(page, `.shelf:not(${near.replace('section', '')}) .venue`), others)
  assert.equal(await below(), top, 'what is below stays where it was')
  await pause(300)
  assert.deepEqual(await page.evaluate(() => window.shifts), [], 'no layout shift')
  const sent = dataRequests(requests.slice(asked))
  assert.equal(sent.length, 1)
  assert.ok(!sent[0].url().includes('76.'), 'the position is no part of an address')
  assert.equal(await page.locator('.offer').count(), 0, 'the town is right')
  assert.deepEqual(problems, [])
  await context.close()
})

test('a refused position is told and costs nothing', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang('/', 'ru'))
  const before = await namesIn(page, `${near} .venue`)
  await page.locator('.near').click()
  await page.getByText(text('ru', 'place.denied')).waitFor()
  assert.deepEqual(await namesIn(page, `${near} .venue`), before)
  await context.close()
})

test('a guest far from all venues is offered another town, once in a session', async () => {
  const { page, context } = await openPage(browser, product)
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation(ASTANA)
  await openHydrated(page, inLang('/', 'ru'))
  await page.locator('.near').click()
  const offer = page.locator('.offer')
  await offer.waitFor()
  assert.match(await offer.textContent(), /Астана/)
  await offer.getByText(text('ru', 'home.elsewhereNo', { town: 'Алматы' })).click()
  assert.equal(await offer.count(), 0)
  await openHydrated(page, '/')
  await page.locator('.near').click()
  await page.locator('.near[aria-pressed="true"]').waitFor()
  await pause(300)
  assert.equal(await offer.count(), 0, 'not asked again')
  await context.close()

  const second = await openPage(browser, product)
  await second.context.grantPermissions(['geolocation'])
  await second.context.setGeolocation(ASTANA)
  await openHydrated(second.page, inLang('/', 'ru'))
  await second.page.locator('.near').click()
  await second.page.locator('.offer button[name="town"]').click()
  await second.page.locator('header').getByText('Астана').waitFor()
  await second.context.close()
})

test('without its text the search of a list shows the whole list again', async () => {
  const { page, context } = await openPage(browser, product)
  const field = page.getByRole('combobox')
  const clear = page.getByRole('link', { name: text('ru', 'search.clear') })
  const bbox = '76.8,43.1,77.1,43.4'
  const emptied = async () => {
    await field.fill('')
    await field.press('Enter')
  }
  for (const [path, kept, empty] of [
    ['/filials?category=popular', 'category', () => clear.click()],
    ['/filials?category=popular', 'category', emptied],
    [`/map?bbox=${bbox}`, 'bbox', () => clear.click()],
    [`/map?bbox=${bbox}`, 'bbox', emptied],
  ]) {
    await openHydrated(page, inLang(`${path}&q=zzzz`, 'ru'))
    await empty()
    await atUrl(page, (url) => !url.searchParams.has('q') && url.searchParams.has(kept))
    await page.locator('a[href^="/filials/"]').first().waitFor()
    assert.equal(await field.inputValue(), '')
    assert.equal(await field.evaluate((one) => one === document.activeElement), true, 'to go on writing')
  }
  await page.goBack()
  await untilTrue(async () => (await field.inputValue()) === 'zzzz')
  await context.close()
})

test('a rail that failed is tried again alone', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await product.sandboxApi.set('faults', { path: '/brandy/api/v1/locations', kind: 'status', status: 500 })
  try {
    await openHydrated(page, '/?service=takeaway')
    await page.locator(`${near} .note`).waitFor()
  } finally {
    await product.sandboxApi.clear('faults')
  }
  const documents = () => requests.filter((one) => one.isNavigationRequest()).length
  const loaded = documents()
  await untilTrue(
    async () => {
      // The breaker lets the next question through after a while. The link may be gone by the time of the tap.
      const retry = page.locator(`${near} .note a`)
      if ((await retry.count()) > 0) await retry.click({ timeout: 5000 }).catch(() => {})
      await pause(500)
      return (await page.locator(`${near} .venue`).count()) > 0
    },
    PATIENCE,
    'the rail has come',
  )
  assert.equal(documents(), loaded, 'without loading the page again')
  await context.close()
})

test('the list grows by itself, says by how much, and is as long after Back', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, inLang('/filials', 'ru'))
  assert.equal(await rows(page), 20)
  await toEnd(page)
  await untilTrue(async () => (await rows(page)) > 20, PATIENCE, 'the next page has come')
  const all = await rows(page)
  const ids = await page
    .locator('.place a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  assert.equal(new Set(ids).size, all, 'nothing twice')
  await page.getByText(text('ru', 'venues.added', { count: all - 20 }), { exact: true }).waitFor()
  assert.equal(await page.locator('.pages a').count(), 0, 'that was the end')
  await toEnd(page)
  await pause(300)
  const scrolled = await page.evaluate(() => window.scrollY)
  await page.locator('.place a').last().click()
  await atUrl(page, /\/filials\/\d+/)
  await page.locator('.menu-head, main h1, main h2').first().waitFor()
  await page.goBack()
  await atUrl(page, /\/filials(\?|$)/)
  await untilTrue(async () => (await rows(page)) === all, PATIENCE, 'the list is as long as it was')
  await untilTrue(
    async () => Math.abs((await page.evaluate(() => window.scrollY)) - scrolled) < 80,
    PATIENCE,
    'and where it was',
  )
  assert.deepEqual(problems, [])
  await context.close()
})

test('after an error no page is asked for until the guest retries', async () => {
  const { page, context } = await openPage(browser, product)
  let pages = 0
  let broken = true
  await context.route(/_data\/filials\?page=2/, (route) => {
    pages += 1
    return broken ? route.fulfill({ status: 503, contentType: 'text/html', body: '' }) : route.continue()
  })
  await openHydrated(page, inLang('/filials', 'ru'))
  await toEnd(page)
  const retry = page.locator('.pages .note a')
  await retry.waitFor()
  assert.equal(await rows(page), 20, 'what was there stays')
  await page.evaluate(() => window.scrollTo(0, 0))
  await pause(300)
  await toEnd(page)
  await pause(800)
  assert.equal(pages, 1, 'scrolling asks for nothing')
  broken = false
  await retry.click()
  await untilTrue(async () => (await rows(page)) > 20, PATIENCE, 'the page has come')
  assert.ok(pages >= 2)
  await context.close()
})

test('another service starts the list anew and gives up the page under way', async () => {
  const { page, context } = await openPage(browser, product)
  const given = []
  page.on('requestfailed', (request) => given.push(new URL(request.url()).search))
  const held = Promise.withResolvers()
  await context.route(/_data\/filials\?page=2/, async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  await openHydrated(page, inLang('/filials', 'ru'))
  await toEnd(page)
  await page.locator('.pages a[aria-busy]').waitFor()
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.locator('button[name="service"][value="delivery"]').click()
  await page.locator('button[name="service"][value="delivery"][aria-pressed="true"]').waitFor()
  await untilTrue(() => given.includes('?page=2'), PATIENCE, 'the page under way is given up')
  held.resolve()
  await pause(500)
  const first = await page.evaluate(async () => {
    const answer = await fetch('/_data/filials', { headers: { accept: 'application/json' } })
    const { page: shown } = await answer.json()
    return shown.data.venues.map((venue) => `/filials/${venue.id}`).sort()
  })
  const shown = await page
    .locator('.place a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')).sort())
  assert.deepEqual(shown.slice().sort(), first, 'only the venues of the new service')
  await context.close()
})

test('a list whose next page was given up for a category goes on after Back', async () => {
  const { page, context } = await openPage(browser, product)
  const given = []
  page.on('requestfailed', (request) => given.push(new URL(request.url()).search))
  let held = true
  await context.route(/_data\/filials\?page=2/, (route) => (held ? undefined : route.continue()))
  await openHydrated(page, inLang('/filials', 'ru'))
  await toEnd(page)
  await page.locator('.pages a[aria-busy]').waitFor()
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.locator('.chips a[href*="category=near"]').click()
  await page.locator('.chips a[href*="category=near"][aria-current]').waitFor()
  await untilTrue(() => given.includes('?page=2'), PATIENCE, 'the page under way is given up')
  held = false
  await page.goBack()
  await page.locator('.chips a[href*="category=near"]:not([aria-current])').waitFor()
  await toEnd(page)
  await untilTrue(async () => (await rows(page)) > 20, PATIENCE, 'the next page has come')
  await context.close()
})

test('a list is as long as it was when Back leads to it from a category that has grown, too', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await openHydrated(page, inLang('/filials', 'ru'))
  for (const category of ['', 'near']) {
    if (category) {
      await page.evaluate(() => window.scrollTo(0, 0))
      await page.locator(`.chips a[href*="category=${category}"]`).click()
      await untilTrue(async () => (await rows(page)) === 20, PATIENCE, 'another list')
    }
    await toEnd(page)
    await untilTrue(async () => (await rows(page)) > 20, PATIENCE, 'the next page has come')
  }
  await page.goBack()
  await page.locator('.chips a[href*="category=near"]:not([aria-current])').waitFor()
  assert.ok((await rows(page)) > 20)
  assert.equal(requests.filter((one) => one.url().endsWith('/_data/filials?page=2')).length, 1)
  await context.close()
})

test('of two services tapped within 300 ms the second wins, by one call', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await openHydrated(page, '/filials')
  const size = await page.locator('.switch button').first().boundingBox()
  assert.ok(size && size.height >= 34 && size.height <= 35, `34 px to see (${size?.height})`)
  const track = await page.locator('.switch').first().boundingBox()
  assert.deepEqual([size.x - track.x, size.y - track.y], [4, 4], 'it stands 4 px inside')
  await page.evaluate(() => {
    const tap = (service) => document.querySelector(`button[name="service"][value="${service}"]`)?.click()
    tap('takeaway')
    setTimeout(tap, 200, 'delivery')
  })
  const posts = () => requests.filter((one) => one.url().endsWith('/session/service'))
  await untilTrue(() => posts().length > 0, PATIENCE, 'the service is changed')
  await pause(800)
  assert.deepEqual(
    posts().map((one) => new URLSearchParams(one.postData() ?? '').get('service')),
    ['delivery'],
  )
  await context.close()
})

test('a service that is tapped while the one before is on its way is the last word', async () => {
  const { page, context, requests } = await openPage(browser, product)
  const held = Promise.withResolvers()
  await page.route('**/session/service', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.clock.install()
  await openHydrated(page, '/filials')
  const button = (service) => page.locator(`.switch button[value="${service}"]`)
  const chosenServices = () =>
    requests
      .filter((one) => one.url().endsWith('/session/service'))
      .map((one) => new URLSearchParams(one.postData() ?? '').get('service'))
  const before = await page.locator('.switch button[aria-pressed="true"]').getAttribute('value')
  assert.notEqual(before, 'takeaway')
  await button('takeaway').click()
  await page.clock.fastForward(300)
  await untilTrue(() => chosenServices().length === 1, PATIENCE, 'takeaway is on its way')
  await button(before).click()
  await page.clock.fastForward(300)
  held.resolve()
  await untilTrue(() => chosenServices().length === 2, PATIENCE, 'the second tap is sent as well')
  assert.deepEqual(chosenServices(), ['takeaway', before])
  await page.locator(`.switch button[value="${before}"][aria-pressed="true"]`).waitFor()
  await context.close()
})

test('brands follow the typing; a slow search shows boxes of the same size', async () => {
  const { page, context, problems, requests } = await openPage(browser, product)
  await openHydrated(page, inLang('/brands', 'ru'))
  assert.ok((await page.locator('.tile').count()) > 10)
  const asked = dataRequests(requests).length
  await page.locator('input[name="q"]').fill('tamshy')
  await untilTrue(async () => (await page.locator('.tile').count()) === 1, PATIENCE, 'one brand is left')
  assert.equal(dataRequests(requests).length, asked, 'without asking the server')
  const held = Promise.withResolvers()
  await context.route(/_data\/brands/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.locator('input[name="q"]').press('Enter')
  await page.locator('.bone').first().waitFor()
  assert.equal(await page.locator('.bone').count(), 8)
  assert.equal(await page.locator('main[aria-busy="true"]').count(), 1)
  held.resolve()
  await page.locator('.tile a').first().click()
  await atUrl(page, /\/brands\/filials\?brand=/)
  const nearest = page.locator('.place[aria-current="true"]')
  await nearest.waitFor()
  assert.equal(await nearest.count(), 1)
  assert.equal(
    await page.locator('.go').getAttribute('href'),
    await nearest.locator('a').getAttribute('href'),
    'the nearest is offered, not opened',
  )
  assert.deepEqual(problems, [])
  await context.close()
})

test('without scripts: pages of the list, brands, their venues and the map are links and forms', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, inLang('/', 'ru'))
  assert.equal(await page.locator('.near').isVisible(), false, 'it could do nothing')
  await page.locator(`${near} a.link`).click()
  await atUrl(page, /category=near/)
  await page.locator('.chips a').first().click()
  await page.locator('.pages a').click()
  await atUrl(page, /page=2/)
  await page.waitForLoadState('domcontentloaded')
  assert.ok((await rows(page)) >= 1)
  await page.locator('.pages a').first().click()
  await page.locator('.seek-map').click()
  await atUrl(page, /\/map/)
  await open(page, '/brands')
  await page.locator('input[name="q"]').fill('тамшы')
  await page.locator('input[name="q"]').press('Enter')
  await atUrl(page, /\/brands\?q=/)
  await page.waitForLoadState('domcontentloaded')
  assert.equal(await page.locator('.tile').count(), 1)
  await page.locator('.tile a').click()
  await atUrl(page, new RegExp(`brand=${BRAND}`))
  await page.waitForLoadState('domcontentloaded')
  assert.equal(await rows(page), 3)
  await page.locator('.go').click()
  await atUrl(page, /\/filials\/\d+$/)
  await context.close()
})

test('a custom config: no flash of Home, the query is kept, one service needs no switcher', async () => {
  const custom = await startProduct({ args: ['--services', 'takeaway'] })
  try {
    const { page, context, problems } = await openPage(browser, custom)
    await openHydrated(page, '/?utm_source=a')
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/brands?utm_source=a')
    assert.equal(await page.locator('.back').count(), 0, 'the front has no Back')
    assert.equal(await page.locator('button[name="service"]').count(), 0)
    await page.locator('.tile a').first().click()
    await atUrl(page, /\/brands\/filials/)
    await page.locator('nav.nav a').first().click()
    await atUrl(page, /\/brands$/)
    await hydrated(page)
    assert.deepEqual(problems, [])
    await context.close()
  } finally {
    await custom.stop()
  }
})
