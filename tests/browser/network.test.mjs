/** A network that fails, and requests that are given up for newer ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  atUrl,
  cartOf,
  fillCart,
  holdScripts,
  openHydrated,
  openPage,
  PATIENCE,
  pause,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

setStage()

const poorText = async (page) => text(await page.locator('html').getAttribute('lang'), 'app.poor')
/** Said instead while changes of the cart wait. */
const keptText = async (page) => text(await page.locator('html').getAttribute('lang'), 'app.kept')
const status = (page) => page.locator('.connection').textContent()

/** Counts how often the text of the line about the connection changes. */
const watchLine = (page) =>
  page.evaluate(() => {
    window.said = []
    const line = document.querySelector('.connection')
    new MutationObserver(() => {
      if (window.said.at(-1) !== line.textContent) window.said.push(line.textContent)
    }).observe(line, { childList: true, characterData: true, subtree: true })
  })

test('a poor connection is told once for all requests that fail in it', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, `/filials/${table.filial_id}`)
  await watchLine(page)
  await page.route('**/cart/lines', (route) => route.abort('failed'))
  for (const dish of table.plain.slice(0, 3))
    await page.locator(`form:has(input[name="product"][value="${dish.id}"]) button`).first().click()
  const kept = await keptText(page)
  await untilTrue(async () => (await status(page)) === kept, PATIENCE, 'the line says so')
  await pause(3000)
  const said = await page.evaluate(() => window.said)
  assert.deepEqual(said, [kept])
  await page.unroute('**/cart/lines')
  await untilTrue(async () => (await status(page)) === '', PATIENCE, 'the line is empty again')
  await context.close()
})

test('the page of a sign-in that failed says that the phone is offline, before the app has come and after', async () => {
  const { page, context } = await openPage(browser, product)
  const address = '/auth?problem=denied&back=/faq&lang=en'
  const words = page.getByText(text('en', 'app.offline'), { exact: true })
  const release = await holdScripts(page)
  await page.goto(address, { waitUntil: 'commit' })
  const again = page.locator('form[action="/session/sign-in"] button')
  await again.waitFor()
  await context.setOffline(true)
  await again.click()
  await words.waitFor()
  await context.setOffline(false)
  release()
  await openHydrated(page, address)
  await context.setOffline(true)
  await words.waitFor()
  await context.setOffline(false)
  await untilTrue(async () => (await status(page)) === '', PATIENCE, 'the line is empty again')
  await context.close()
})

test('a newer dish aborts the request for the one before, without a message', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, `/filials/${table.filial_id}`)
  const given = []
  page.on('requestfailed', (one) => given.push(`${new URL(one.url()).search} ${one.failure()?.errorText}`))
  const [first, second] = await page.evaluate(() => {
    const links = [...document.querySelectorAll('main a[href*="item="]')]
    return [...new Set(links.map((link) => link.getAttribute('href')))]
  })
  const search = (href) => new URL(href, product.web).search
  // The first answer comes when all is over, and the second after its sheet, too.
  const asked = []
  let over
  const end = new Promise((resolve) => {
    over = resolve
  })
  for (const [href, late] of [
    [first, () => end],
    [second, () => pause(400)],
  ]) {
    await page.route(
      (url) => url.pathname.startsWith('/_data') && url.search === search(href),
      async (route) => {
        asked.push(href)
        await late()
        await route.continue().catch(() => {})
      },
    )
  }
  await watchLine(page)
  await page.evaluate((href) => document.querySelector(`main a[href="${href}"]`).click(), first)
  await untilTrue(() => asked.includes(first), PATIENCE, 'the first dish is asked for')
  await page.evaluate((href) => document.querySelector(`main a[href="${href}"]`).click(), second)
  await atUrl(page, (url) => url.search === search(second))
  await page.locator('dialog[open] form, [role="dialog"] form').first().waitFor()
  await untilTrue(() => given.length === 1, PATIENCE, 'the first request is given up')
  assert.deepEqual(given, [`${search(first)} net::ERR_ABORTED`])
  await pause(500)
  const said = await page.evaluate(() => window.said)
  assert.ok(!said.includes(await poorText(page)), said.join())
  assert.equal(new URL(page.url()).search, search(second))
  assert.deepEqual(
    problems.filter((problem) => !/ERR_ABORTED/.test(JSON.stringify(problem))),
    [],
  )
  over()
  await context.close()
})

test('a form that hangs holds up neither the plus of a dish nor the way to another page', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await openHydrated(page, table.qr)
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, '/cart')
  let release
  const held = new Promise((resolve) => {
    release = resolve
  })
  let hangs = false
  await page.route('**/session/table/leave', async (route) => {
    hangs = true
    await held
    await route.continue().catch(() => {})
  })
  await page.locator('form[action="/session/table/leave"] button').click()
  await untilTrue(() => hangs, PATIENCE, 'the form is on its way')

  const plus = (action) => page.locator(`form[action^="${action}"] .plus`).first()
  const counted = (count) =>
    untilTrue(async () => (await cartOf(page)).count === count, PATIENCE, `the server has counted ${count}`)
  await plus('/cart/lines/').click()
  await counted(2)
  // The same on the menu, opened without a load.
  await page.locator(`a[href="/filials/${table.filial_id}"]`).first().click()
  await atUrl(page, (url) => url.pathname === `/filials/${table.filial_id}`)
  const dish = page.locator(`form:has(input[name="product"][value="${table.plain[1].id}"])`).first()
  await dish.locator('.plus').click()
  assert.equal(await dish.locator('[data-count]').textContent(), '1')
  await counted(3)
  release()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  assert.deepEqual(problems, [])
  await context.close()
})
