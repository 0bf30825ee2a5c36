/** Every browsing screen is found by who begins on the front page, with scripts and without. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atUrl, inLang, open, openHydrated, openPage, text } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'en'

setStage()

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts'
  const go = (page, address) => (javaScriptEnabled ? openHydrated : open)(page, inLang(address, lang))

  test(`from the front to a dish that is searched, ${how}`, async () => {
    const { page, context, problems } = await openPage(browser, product, { javaScriptEnabled })
    await go(page, '/')
    await page.locator('main input[name="q"]').fill('манты')
    await page.locator('main input[name="q"]').press('Enter')
    await atUrl(page, (url) => url.pathname === '/search' && url.searchParams.get('q') === 'манты')
    await page.locator('ul.dishes form[action="/cart/lines"], ul.dishes a[href*="item="]').first().waitFor()
    assert.deepEqual(problems, [])
    await context.close()
  })

  test(`from the front to all brands and the restaurants of one, ${how}`, async () => {
    const { page, context, problems } = await openPage(browser, product, { javaScriptEnabled })
    await go(page, '/')
    await page.getByRole('link', { name: text(lang, 'home.brands') }).click()
    await atUrl(page, (url) => url.pathname === '/brands')
    await page.locator('.tile a').first().click()
    await atUrl(page, (url) => url.pathname === '/brands/filials' || /^\/filials\/\d+$/.test(url.pathname))
    await go(page, '/filials')
    await page
      .locator('.chips')
      .getByRole('link', { name: text(lang, 'head.brands.title') })
      .click()
    await atUrl(page, (url) => url.pathname === '/brands')
    assert.deepEqual(problems, [])
    await context.close()
  })

  test(`from a menu to the search in it and back, ${how}`, async () => {
    const { page, context, problems } = await openPage(browser, product, { javaScriptEnabled })
    await go(page, `/filials/${table.filial_id}`)
    await page.getByRole('link', { name: text(lang, 'menu.search') }).click()
    await atUrl(page, (url) => url.pathname === `/filials/${table.filial_id}/search`)
    const [dish] = table.plain
    await page.locator('main input[name="q"]').fill(dish.name)
    await page.locator('main input[name="q"]').press('Enter')
    await page.locator('ul.dishes li').first().waitFor()
    assert.equal(await page.locator('header .back').getAttribute('href'), `/filials/${table.filial_id}`)
    assert.deepEqual(problems, [])
    await context.close()
  })
}

/** Types into the search of a menu, which writes its own address. */
async function searchMenu() {
  const opened = await openPage(browser, product)
  const { page } = opened
  const isOwn = (one) => new URL(one.url()).pathname === `/_data/filials/${table.filial_id}/search`
  await openHydrated(page, inLang(`/filials/${table.filial_id}/search`, lang))
  const field = page.getByRole('combobox')
  const answered = page.waitForResponse(isOwn)
  await field.fill('кофе')
  await field.press('Enter')
  await (await answered).finished()
  await atUrl(page, isKept)
  return { ...opened, field, isOwn }
}

const isKept = (url) => url.searchParams.get('q') === 'кофе'

test('the language switch keeps what was typed past the router', async () => {
  const { page, context, field, problems } = await searchMenu()
  await page.locator('details.lang summary').click()
  await page.locator('details.lang a[lang="ru"]').click()
  await atUrl(page, (url) => url.searchParams.get('lang') === 'ru' && isKept(url))
  assert.equal(await field.inputValue(), 'кофе')
  assert.deepEqual(problems, [])
  await context.close()
})

test('so does a page that comes out of the browser’s memory', async () => {
  const { page, context, field, isOwn, problems } = await searchMenu()
  const asked = page.waitForRequest(isOwn)
  // As the browser tells it to a page that it has kept.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  assert.ok(isKept(new URL((await asked).url())), 'it asks for what the address says')
  assert.equal(await field.inputValue(), 'кофе')
  assert.deepEqual(problems, [])
  await context.close()
})
