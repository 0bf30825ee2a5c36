/** AX-05 (WCAG 4.1.3): what changes without the guest's eyes on it is told, and not at every tap. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  atUrl,
  hydrated,
  inLang,
  openHydrated,
  openPage,
  PATIENCE,
  pageData,
  pause,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { placeOrder } from './states.mjs'

const lang = 'kk'

setStage()

/** Collects what live regions say from now on; a region has to be there before it speaks. */
const hear = (page) =>
  page.evaluate(() => {
    window.__announced = []
    const regions = '[role="status"], [role="alert"], [aria-live="polite"]'
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(regions)
        const said = region?.textContent.trim()
        if (said && window.__announced.at(-1) !== said) window.__announced.push(said)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })

const announced = (page) => page.evaluate(() => window.__announced)
const says = (page, words) =>
  untilTrue(
    async () => (await announced(page)).some((one) => one.includes(words)),
    PATIENCE,
    `it says ${words}`,
  )

test('quick taps on a dish are told once, with its name', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, table.qr)
  const [dish] = table.plain
  await hear(page)
  await page.evaluate((id) => {
    const form = document.querySelector(`form:has(input[name="product"][value="${id}"])`)
    for (let tap = 0; tap < 3; tap++) form.querySelector('.plus').click()
  }, dish.id)
  await says(page, dish.name)
  await pause(1_500)
  const ofDish = (await announced(page)).filter((one) => one.includes(dish.name))
  assert.equal(ofDish.length, 1, ofDish.join(' | '))
  assert.match(ofDish[0], /3/)
  await context.close()
})

/** What the screen has to say of a search. */
async function found(address, words) {
  const { page } = await pageData(product.web, `${inLang(address, 'ru')}&q=${encodeURIComponent(words)}`)
  const { total, products, shown } = page.data
  const name = products ? 'menuFind' : 'find'
  if (shown) return text('ru', `${name}.shown`, { query: words, shown })
  const count = products ? products.length : total
  return count ? text('ru', `${name}.found`, { count }) : text('ru', `${name}.nothing`, { query: words })
}

test('what a search has found is told, the first one too, by a region that was there', async () => {
  const { page, context } = await openPage(browser, product)
  for (const address of ['/search', '/filials/1013/search']) {
    await openHydrated(page, inLang(address, 'ru'))
    const region = await page.locator('.said[role="status"]').elementHandle()
    const field = page.getByRole('combobox')
    for (const words of ['суп', 'лагман']) {
      await hear(page)
      await field.fill(words)
      await field.press('Enter')
      await atUrl(page, (url) => url.searchParams.get('q') === words)
      await says(page, await found(address, words))
      assert.ok(await region.evaluate((element) => element.isConnected), 'the same region')
    }
  }
  await context.close()
})

test('an order’s new status is told, and one that could not be added is an alert', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const id = await placeOrder({ product, table, lang, opened })
  await hydrated(page)
  await hear(page)
  await product.sandboxApi.set('order/status', { order_id: id, status: 'ready' })
  await says(page, text(lang, 'order.header.ready'))

  await openHydrated(page, table.qr)
  const [, second] = table.plain
  await hear(page)
  await page.route('**/cart/lines*', (route) => route.fulfill({ status: 500, json: { error: 500 } }))
  await page.locator(`form:has(input[name="product"][value="${second.id}"]) .plus`).first().click()
  await untilTrue(
    () =>
      page.evaluate(() =>
        [...document.querySelectorAll('[role="alert"]')].some((one) => one.textContent.trim()),
      ),
    PATIENCE,
    'an alert',
  )
  await context.close()
})

/** What an open page asks for news of. */
const NEWS = /\/(_data\/|events(\?|$))/

test('that nothing was heard of an order or a bill for long is told once, by a region that was there', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await placeOrder({ product, table, lang, opened })
  const order = new URL(page.url()).pathname
  await product.sandboxApi.set('bill/open', { filial_id: table.filial_id, table_id: table.table_id })
  const bill = table.qr.replace('?', '/bill?')
  await page.clock.install()
  for (const [address, words] of [
    [order, text(lang, 'order.stale')],
    [bill, text(lang, 'bill.stale')],
  ]) {
    await openHydrated(page, inLang(address, lang))
    const height = await page.locator('main').evaluate((one) => one.scrollHeight)
    await hear(page)
    await page.route(NEWS, (route) => route.abort())
    await page.clock.runFor(60_000)
    await says(page, words)
    assert.equal((await announced(page)).filter((one) => one.includes(words)).length, 1)
    assert.equal(await page.getByText(words).count(), 1)
    assert.ok((await page.locator('main').evaluate((one) => one.scrollHeight)) > height, 'it is seen')
    await page.unroute(NEWS)
  }
  await context.close()
})
