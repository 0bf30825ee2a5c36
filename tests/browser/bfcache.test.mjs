/** SR-12: Back shows a page at once, from the browser's memory, and what changed meanwhile comes after it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fillCart,
  hydrated,
  launch,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'kk'

setStage()

test('Back takes the menu out of the browser’s memory, and it learns what was sold out meanwhile', async () => {
  // Playwright starts its browsers without this memory.
  const remembering = await launch({
    whole: true,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const { page, context } = await openPage(remembering, product)
  await openHydrated(page, table.qr)
  // A page that is still loading is not kept.
  await page.waitForLoadState('load')
  const dish = table.plain[0]
  const row = page.locator(`.dishes > .dish:has(a[href$="item=${dish.id}"])`).first()
  assert.ok(!(await row.textContent()).includes(text(lang, 'menu.out')))
  await page.evaluate(() => {
    window.samePage = true
    addEventListener('pageshow', ({ persisted }) => {
      window.persisted = persisted
    })
  })
  // Not by the app, which would keep the page anyway.
  await open(page, '/robots.txt')
  const here = { filial_id: table.filial_id, product_id: dish.id }
  await product.sandboxApi.set('stock', { ...here, available: false })
  try {
    await page.goBack({ waitUntil: 'commit' })
    await untilTrue(
      () => page.evaluate(() => window.persisted === true),
      PATIENCE,
      'it is the page as it was left',
    )
    assert.equal(await page.evaluate(() => window.samePage), true)
    await untilTrue(
      async () => (await row.textContent()).includes(text(lang, 'menu.out')),
      PATIENCE,
      'sold out',
    )
  } finally {
    await product.sandboxApi.set('stock', { ...here, available: true })
    await context.close()
    await remembering.close()
  }
})

test('where Back loads the menu anew, its cart is that of now', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const [, dish] = table.plain
  await fillCart(opened, table, [dish])
  // Twice: with the same cookies the browser takes the document as it was kept.
  for (let times = 0; times < 2; times += 1) await openHydrated(page, `/filials/${table.filial_id}`)
  const count = page.locator('.bar > b')
  assert.equal(await count.textContent(), '1')
  await page.waitForLoadState('load')
  await open(page, '/robots.txt')
  await page.evaluate(
    async (body) => {
      await fetch('/cart/lines', { method: 'POST', body: new URLSearchParams(body) })
    },
    { filial: table.filial_id, product: dish.id, delta: 1, back: '/cart' },
  )
  await page.goBack({ waitUntil: 'commit' })
  await hydrated(page)
  assert.equal(await page.evaluate(() => performance.getEntriesByType('navigation')[0].type), 'back_forward')
  await untilTrue(async () => (await count.textContent()) === '2', PATIENCE, 'two pieces')
  await context.close()
})

test('public pages may be kept in that memory: no unload handler, no “no-store”', async () => {
  for (const address of ['/', '/filials', '/brands', '/town', '/faq', table.qr.split('?')[0]]) {
    const answer = await fetch(product.web + address)
    assert.equal(answer.status, 200, address)
    assert.ok(!/no-store/.test(answer.headers.get('cache-control') ?? ''), address)
  }
  const { page, context } = await openPage(browser, product)
  await page.addInitScript(() => {
    window.__unload = []
    const add = EventTarget.prototype.addEventListener
    EventTarget.prototype.addEventListener = function (type, ...rest) {
      if (type === 'unload' || type === 'beforeunload') window.__unload.push(type)
      return add.call(this, type, ...rest)
    }
  })
  await openHydrated(page, table.qr)
  await hydrated(page)
  assert.deepEqual(await page.evaluate(() => window.__unload), [])
  await context.close()
})

test('a page that was left by Back is where it was, also where its document has to come again', async () => {
  const remembering = await launch({ whole: true, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  const { page, context } = await openPage(remembering, product)
  const step = async (by, ready) => {
    await page.evaluate((by) => history.go(by), by)
    await untilTrue(async () => await page.evaluate(ready).catch(() => false), PATIENCE, String(ready))
  }
  try {
    await openHydrated(page, '/faq?lang=ru')
    await page.waitForLoadState('load')
    await page.evaluate(() => {
      window.samePage = true
    })
    await openHydrated(page, '/search?q=чай')
    // The browser does not remember this one.
    await page.evaluate(() => addEventListener('unload', () => {}))
    await page.locator('main input[name="q"]').fill('суп')
    await page.locator('.finds mark', { hasText: /суп/i }).first().waitFor()
    await page.evaluate(() => scrollTo(0, 500))
    await untilTrue(() => page.evaluate(() => scrollY === 500), PATIENCE, 'there is something to scroll')
    await step(-1, () => new URLSearchParams(location.search).get('q') === 'чай' && scrollY === 0)
    await step(-1, () => location.pathname === '/faq' && window.samePage === true)
    await step(1, () => location.pathname === '/search' && window.samePage === undefined)
    await hydrated(page)
    await step(
      1,
      () => new URLSearchParams(location.search).get('q') === 'суп' && Math.abs(scrollY - 500) < 100,
    )
  } finally {
    await context.close()
    await remembering.close()
  }
})
