/** Client navigations: one request for data, scroll kept, prefetch on intent, a reload when a chunk is gone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn } from './flows.mjs'
import {
  atUrl,
  begun,
  hydrated,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  pause,
  putOff,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

setStage()

const dataRequests = (requests) => requests.filter((one) => new URL(one.url()).pathname.startsWith('/_data'))
const documents = (requests) => requests.filter((one) => one.isNavigationRequest())

test('a client navigation asks for the data of the next page once, and for no document', async () => {
  const { page, context, requests, problems } = await openPage(browser, product)
  await openHydrated(page, '/')
  const link = page.locator('main a[href^="/filials/"]').first()
  const target = await link.getAttribute('href')
  await link.click()
  await atUrl(page, (url) => url.pathname === new URL(target, product.web).pathname)
  await page.locator('form[action="/cart/lines"], main h1').first().waitFor()
  await pause(500)
  // What the pointer then rests on may be asked for ahead, so only requests for the target count.
  const asked = dataRequests(requests).filter((one) => one.url() === `${product.web}/_data${target}`)
  assert.equal(asked.length, 1)
  assert.equal(documents(requests).length, 1)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a cart change does not fetch the page data again', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await openHydrated(page, table.qr)
  await page.locator(`form:has(input[name="product"][value="${table.plain[0].id}"]) button`).first().click()
  await page.locator('a[href="/cart"]:not(.skip):visible').first().waitFor()
  await pause(500)
  assert.deepEqual(dataRequests(requests), [])
  await context.close()
})

test('Back closes the pickers of town and language, and leads to the page under them', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, '/')
  for (const [picker, one] of [
    ['/town', 'button[name="town"]'],
    ['/language', 'main a[lang]'],
  ]) {
    await page.locator(`a[href^="${picker}?"]:visible`).first().click()
    await atUrl(page, (url) => url.pathname === picker)
    await page.locator(one).first().waitFor()
    await page.evaluate(() => history.back())
    await atUrl(page, (url) => url.pathname === '/')
    await page.locator('.shelf').first().waitFor()
    assert.equal(await page.locator(one).count(), 0, picker)
  }
  assert.deepEqual(problems, [])
  await context.close()
})

test('Back restores the scroll position and the focus', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, `/filials/${table.filial_id}`)
  await page.evaluate(() => window.scrollTo(0, 1200))
  await pause(300)
  assert.ok((await page.evaluate(() => scrollY)) > 300, 'the menu is long enough to scroll')
  /** The first dish in sight and where it stands. */
  const seen = () =>
    page.evaluate(() => {
      const dish = [...document.querySelectorAll('.dish')].find((one) => one.getBoundingClientRect().top > 60)
      return { name: dish?.querySelector('h3').textContent, top: dish?.getBoundingClientRect().top }
    })
  const before = await seen()
  await page.evaluate(() => {
    const link = document.querySelector('.about a[href$="/details"]')
    link.focus({ preventScroll: true })
    link.click()
  })
  await atUrl(page, (url) => url.pathname.endsWith('/details'))
  await untilTrue(() => page.evaluate(() => window.scrollY === 0), PATIENCE, 'a new page starts at its top')
  await untilTrue(
    () => page.evaluate(() => document.activeElement?.tagName === 'H1'),
    PATIENCE,
    'its heading is read',
  )
  await page.goBack()
  await atUrl(page, (url) => /\/filials\/\d+$/.test(url.pathname))
  let now
  await untilTrue(
    async () => {
      now = await seen()
      return now.name === before.name && Math.abs(now.top - before.top) < 2
    },
    10_000,
    'the same dish in the same place',
  ).catch((error) => assert.fail(`${error.message}: ${JSON.stringify({ before, now })}`))
  await untilTrue(
    () => page.evaluate(() => document.activeElement?.matches('.about a[href$="/details"]')),
    PATIENCE,
    'the link that led away has the focus',
  )
  await context.close()
})

test('an address that is opened anew begins at its top, a reload where it was left', async () => {
  const { page, context } = await openPage(browser, product)
  const address = `/filials/${table.filial_id}`
  await openHydrated(page, address)
  await page.evaluate(() => scrollTo(0, 1200))
  await openHydrated(page, '/filials')
  await openHydrated(page, address)
  await pause(300)
  assert.equal(await page.evaluate(() => scrollY), 0)
  await page.evaluate(() => scrollTo(0, 1200))
  await page.reload()
  await hydrated(page)
  await untilTrue(() => page.evaluate(() => scrollY > 1000), PATIENCE, 'it is where it was left')
  await context.close()
})

test('the chip of the section that is read is marked and in sight', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, `/filials/${table.filial_id}`)
  const ids = await page
    .locator('.rail > div > a')
    .evaluateAll((chips) => chips.map((chip) => chip.getAttribute('href').slice(1)))
  assert.ok(ids.length > 4, `more sections than the rail has room for: ${ids}`)
  // Down to a section whose chip lies outside of the rail, and up again to the first.
  for (const id of [ids[Math.floor(ids.length / 2)], ids.at(-2), ids[0]]) {
    await page.evaluate((section) => document.getElementById(section).scrollIntoView(), id)
    await untilTrue(
      () =>
        page.evaluate((section) => {
          const marked = [...document.querySelectorAll('.rail [aria-current="true"]')]
          if (marked.length !== 1 || marked[0].getAttribute('href') !== `#${section}`) return false
          const [chip, row] = [marked[0], marked[0].parentElement].map((one) => one.getBoundingClientRect())
          return chip.width > 0 && chip.left >= row.left && chip.right <= row.right
        }, id),
      PATIENCE,
      `the chip of ${id} is marked and whole inside of the rail`,
    )
  }
  await context.close()
})

test('with letters twice as large the header covers nothing of the rail', async () => {
  const { page, context } = await openPage(browser, product)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await openHydrated(page, table.qr)
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), '32px')
  await page.evaluate(() => document.querySelector('.main section:last-of-type').scrollIntoView())
  const chip = page.locator('.rail [aria-current="true"]')
  await untilTrue(
    () =>
      chip.evaluate((element) => {
        const { left, top, width, bottom } = element.getBoundingClientRect()
        const at = (y) => document.elementFromPoint(left + width / 2, y)
        return top >= 0 && [at(top + 2), at(bottom - 2)].every((found) => element.contains(found))
      }),
    PATIENCE,
    'the chip of the section that is read is whole',
  )
  await context.close()
})

test('pointing at a link loads the next screen ahead', async () => {
  const { page, context, requests } = await openPage(browser, product)
  // What is fetched at rest is no answer to the pointer.
  await putOff(page, [3000, 10_000])
  await openHydrated(page, '/')
  await begun(page, 'background-')
  const asked = requests.length
  await page.locator('main a[href^="/filials/"]').first().hover()
  await untilTrue(
    () => dataRequests(requests.slice(asked)).length > 0,
    PATIENCE,
    'the data of the screen is asked for before the click',
  )
  await context.close()
})

test('the Tab key that leads to a link loads the next screen ahead, a focus that Back gives back does not', async () => {
  const { page, context, requests } = await openPage(browser, product)
  // What is fetched at rest is no answer to the keyboard.
  await putOff(page, [3000, 10_000])
  await openHydrated(page, `/filials/${table.filial_id}`)
  await begun(page, 'background-')
  const link = page.locator('.about a[href$="/details"]')
  const hasFocus = () => link.evaluate((one) => one === document.activeElement)
  await link.focus()
  await page.keyboard.press('Enter')
  await atUrl(page, (url) => url.pathname.endsWith('/details'))
  await untilTrue(() => page.evaluate(() => document.activeElement?.tagName === 'H1'))
  const opened = requests.length
  const asked = () =>
    dataRequests(requests.slice(opened)).filter((one) => one.url().endsWith('/details')).length
  await page.goBack()
  await untilTrue(hasFocus, PATIENCE, 'the link that led away has the focus')
  await pause(300)
  assert.equal(asked(), 0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  assert.equal(await hasFocus(), true)
  await untilTrue(() => asked() === 1, PATIENCE, 'the data of the screen is asked for before the press')
  await context.close()
})

test('the styles of the next screens lie ready: they touch nothing until theirs is shown, and then its first frame', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, table.qr)
  const sheet = page.locator('head > link[rel="stylesheet"][href*="/menuSearch-"]')
  await sheet.waitFor({ state: 'attached' })
  await page.waitForFunction(
    (name) =>
      performance.getEntriesByType('resource').some((one) => one.name.includes(name) && one.responseEnd > 0),
    await sheet.getAttribute('href'),
  )
  const applies = () => sheet.evaluate((link) => matchMedia(link.media).matches)
  assert.equal(await applies(), false)
  await page.evaluate(() => {
    window.__frames = []
    const look = () => {
      const whose = document.querySelector('.whose')
      if (whose) window.__frames.push(getComputedStyle(whose).paddingBlockEnd)
      requestAnimationFrame(look)
    }
    look()
  })
  await page.locator('.rail .look').click()
  await untilTrue(() => page.evaluate(() => window.__frames.length > 2))
  const frames = await page.evaluate(() => window.__frames)
  assert.deepEqual([...new Set(frames)], ['12px'])
  assert.equal(await applies(), true)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a link whose screen is gone loads the target, not the page that it stands on', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await openHydrated(page, '/')
  await withoutNewScripts(context, requests)
  const link = page.locator('main a[href^="/filials/"]').first()
  const target = new URL(await link.getAttribute('href'), product.web)
  await link.click()
  await untilTrue(() => documents(requests).length >= 2, PATIENCE, 'the target is loaded as a document')
  assert.equal(documents(requests)[1].url(), target.href)
  await context.close()
})

/** Scripts that this page has not loaded yet do not come any more. */
async function withoutNewScripts(context, requests) {
  const loaded = new Set(requests.map((one) => one.url()))
  await context.route(/\/assets\/[^/]+\.js$/, (route) =>
    loaded.has(route.request().url()) ? route.continue() : route.abort(),
  )
}

test('a screen whose chunk is gone is opened by a full load of the target, once', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await openHydrated(page, '/')
  await withoutNewScripts(context, requests)
  const target = `/filials/${table.filial_id}?source=QR&x=1#cat-1`
  await go(page, target)
  await untilTrue(() => documents(requests).length >= 2, PATIENCE, 'the target is loaded as a document')
  await pause(3_000)
  const opened = documents(requests).map((one) => one.url().slice(product.web.length))
  assert.deepEqual(opened, ['/', target.split('#')[0]])
  assert.equal(page.url(), product.web + target, 'with query and hash')
  assert.ok((await page.locator('h1').count()) > 0, 'the page of the server stays readable')
  await context.close()
})

test('another build on the server makes the next navigation a full load', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await context.route(/\/_data\//, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-build': 'another' } })
  })
  await openHydrated(page, '/')
  await page.locator('main a[href^="/filials/"]').first().click()
  await untilTrue(() => documents(requests).length === 2, PATIENCE, 'the target is loaded as a document')
  await hydrated(page)
  await context.close()
})

test('double slashes become one, on our own origin', async () => {
  const { page, context } = await openPage(browser, product)
  await open(page, `${product.web}//filials///${table.filial_id}?q=a//b`)
  const url = new URL(page.url())
  assert.equal(url.origin, product.web)
  assert.equal(url.pathname, `/filials/${table.filial_id}`)
  assert.equal(url.search, '?q=a//b')
  await context.close()
})

test('double slashes become one inside the app too, without a document', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await openHydrated(page, '/')
  await go(page, `/filials///${table.filial_id}//details?q=a//b#c//d`)
  await atUrl(page, (url) => url.pathname === `/filials/${table.filial_id}/details`)
  const url = new URL(page.url())
  assert.deepEqual([url.origin, url.search, url.hash], [product.web, '?q=a//b', '#c//d'])
  assert.equal(documents(requests).length, 1)
  await context.close()
})

test('navigation and balance are there or not with each page: forward, Back, a redirect', async () => {
  const opened = await openPage(browser, product)
  const { page, context, requests } = opened
  await signIn(opened, { lands: '/profile' })
  await openHydrated(page, '/')
  const around = async () => [
    await page.locator('nav.nav').count(),
    await page.locator('.chip.balance').count(),
  ]
  const shows = (nav, balance, where) =>
    untilTrue(
      async () => JSON.stringify(await around()) === JSON.stringify([nav, balance]),
      PATIENCE,
      `${where}: ${nav}, ${balance}`,
    )
  await shows(1, 0, 'home')
  const menu = `/filials/${table.filial_id}`
  await go(page, menu)
  await shows(0, 1, 'menu')
  await go(page, `${menu}/details`)
  await shows(0, 0, 'details')
  await go(page, '/brands')
  await shows(1, 1, 'brands')
  await page.goBack()
  await shows(0, 0, 'Back to the details')
  await page.goForward()
  await shows(1, 1, 'Forward')
  // The server leads on from here.
  await go(page, '/brands///filials?brand=9')
  await shows(1, 0, 'where a redirect leads')
  assert.equal(documents(requests).length, 1)
  await context.close()
})

/** Goes where no link of a page leads: as Back and Forward do. */
const go = (page, address) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, address)

test('the rail does not move under a finger while the page scrolls on', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, '/filials/1013')
  const row = page.locator('.rail > div')
  const left = () => row.evaluate((one) => one.scrollLeft)
  const marked = (number) => page.locator(`.rail > div > a:nth-child(${number})[aria-current]`).waitFor()
  await marked(1)
  const chip = page.locator('.rail > div > a').nth(1)
  const { x, y, width, height } = await chip.boundingBox()
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  const scrollTo = (number) =>
    page
      .locator('main section[id^="cat-"]')
      .nth(number)
      .evaluate((one) => one.scrollIntoView({ behavior: 'instant' }))
  await scrollTo(3)
  await marked(4)
  assert.equal(await left(), 0)
  await page.mouse.up()
  // Let go, it moves again.
  await scrollTo(5)
  await marked(6)
  await untilTrue(async () => (await left()) > 0)
  await context.close()
})

test('each tap on the rail leads to its section, however many there were before; Back to one leads to where it was left', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, '/filials/1013')
  const links = await page
    .locator('.rail > div > a')
    .evaluateAll((all) => all.slice(1, 5).map((one) => one.hash))
  for (const hash of [...links, links[1]]) {
    // Pressed where it is: a driver would scroll to it first.
    await page.locator(`.rail > div > [href="${hash}"]`).evaluate((link) => link.click())
    const isThere = async () => Math.abs((await page.locator(hash).boundingBox()).y - 120) < 60
    await untilTrue(isThere, PATIENCE, `${hash} is in view`)
  }
  await page.evaluate(() => scrollBy({ top: 300, behavior: 'instant' }))
  await pause(300)
  const row = (await page.locator(links[1]).boundingBox()).y
  await page.locator('a.look').evaluate((link) => link.click())
  await atUrl(page, (url) => url.pathname.endsWith('/search'))
  await page.goBack()
  await untilTrue(
    async () => Math.abs((await page.locator(links[1]).boundingBox())?.y - row) < 40,
    PATIENCE,
    'the place that was left',
  )
  await context.close()
})
