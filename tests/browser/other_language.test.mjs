/** One line for guests who read another language than that of the page; it never redirects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPlain, atRest, atUrl, openHydrated, openPage } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

setStage()

const menu = () => `/filials/${table.filial_id}`
const line = (page) => page.locator('aside[data-language]')
const isOfLine = (one) => /\/assets\/other-language-/.test(one.url())

test('a first visit of another language is offered it in that language, once', async () => {
  const opened = await openPage(browser, product, { locale: 'ru-RU' })
  const { page, context, problems } = opened
  // What is sent does not depend on what the browser reads: it is kept for all.
  const answer = await page.request.get(menu(), { headers: { 'accept-language': 'ru-RU' } })
  assert.equal(new URL(answer.url()).search, '')
  assert.ok(!(await answer.text()).includes('data-language'))
  await openHydrated(page, menu())
  assert.equal(await page.locator('html').getAttribute('lang'), 'kk')
  await line(page).waitFor()
  assert.equal(await line(page).getAttribute('lang'), 'ru')
  const link = line(page).getByRole('link', { name: 'Открыть по-русски' })
  const boxes = await line(page)
    .locator('a, button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  for (const height of boxes) assert.ok(height >= 40, `${height} px`)
  await link.click()
  await atUrl(page, (url) => url.searchParams.get('lang') === 'ru')
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru')
  // Chosen is chosen.
  await openHydrated(page, menu())
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru')
  await atRest(page)
  assert.equal(await line(page).count(), 0)
  assert.deepEqual(problems, [])
  await context.close()
})

test('it moves nothing and goes for good', async () => {
  const { page, context } = await openPage(browser, product, {
    locale: 'en-US',
    viewport: { width: 320, height: 640 },
  })
  await page.addInitScript(() => {
    window.__moved = 0
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.__moved += value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await openHydrated(page, menu())
  // What moved while the page loaded is not this line's: it comes once the page rests.
  await page.evaluate(() => {
    window.__moved = 0
  })
  await line(page).waitFor()
  assert.equal(await page.evaluate(() => window.__moved), 0)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320)
  await line(page).getByRole('button', { name: 'Close' }).click()
  assert.equal(await line(page).count(), 0)
  const fetched = page.waitForRequest(isOfLine)
  await openHydrated(page, menu())
  await fetched
  await atRest(page)
  assert.equal(await line(page).count(), 0)
  await context.close()
})

for (const viewport of [
  { width: 360, height: 640 },
  { width: 740, height: 360 },
])
  test(`it lies on no price for long in a window of ${viewport.width} × ${viewport.height}: it goes with a scroll, or with the first dish`, async () => {
    const { page, context } = await openPage(browser, product, { locale: 'ru-RU', viewport })
    await openHydrated(page, menu())
    await line(page).waitFor()
    await page.evaluate(() => scrollTo(0, innerHeight))
    await line(page).waitFor({ state: 'detached' })
    // It was not closed: the next page offers it again.
    await openHydrated(page, `${table.qr}`)
    await line(page).waitFor()
    await addPlain(page, table.plain[0])
    await line(page).waitFor({ state: 'detached' })
    await context.close()
  })

test('who reads what the page speaks, or has named a language, fetches nothing of it or sees nothing', async () => {
  const own = await openPage(browser, product, { locale: 'kk-KZ' })
  await openHydrated(own.page, menu())
  await atRest(own.page)
  assert.ok(!own.requests.some(isOfLine))
  await own.context.close()

  for (const [locale, address] of [
    // The country does not have it.
    ['de-DE', menu()],
    ['ru-RU', `${menu()}?lang=kk`],
  ]) {
    const { page, context } = await openPage(browser, product, { locale })
    const fetched = page.waitForRequest(isOfLine)
    await openHydrated(page, address)
    await fetched
    await atRest(page)
    assert.equal(await line(page).count(), 0, locale)
    await context.close()
  }
})
