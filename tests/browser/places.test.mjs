/** Ways back, a host that pushes a language, what analytics get, the search field of all lists. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import {
  addPlain,
  atUrl,
  cartOf,
  dataOf,
  hydrated,
  inLang,
  inWebview,
  listensToHost,
  open,
  openHydrated,
  openPage,
  pause,
  putOff,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

/** A page of another origin that shows the product in a frame. */
async function framing() {
  const server = createServer((request, response) => {
    const src = new URL(request.url, 'http://x').searchParams.get('src') ?? ''
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>host</title><iframe src="${src}" width=360 height=700></iframe>`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

const host = await framing()
const foreignHost = await framing()
setStage({ args: ['--host-origins', host.origin, '--payment-origins', host.origin] })
after(() => {
  host.close()
  foreignHost.close()
})

const back = (page) => page.locator('header .back').click()
const pathOf = (page) => new URL(page.url()).pathname

test('Back on the first page of a visit goes up, page by page, and leaves no trace to go round in', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, `/filials/${table.filial_id}/details`)
  await back(page)
  await atUrl(page, (url) => url.pathname === `/filials/${table.filial_id}`)
  // The address is written a moment before the page stands there.
  await page.locator('header .back[href="/"]').waitFor()
  await back(page)
  await atUrl(page, (url) => url.pathname === '/')
  await context.close()
})

test('Back steps back in our own history; where a webview swallows that, it leads to the root', async () => {
  const slow = await openPage(browser, product)
  // After this time a webview counts as one that swallows it.
  await putOff(slow.page, [500])
  await openHydrated(slow.page, '/filials')
  await slow.page.locator('main a[href^="/filials/"]').first().click()
  await atUrl(slow.page, /\/filials\/\d+/)
  await back(slow.page)
  await atUrl(slow.page, (url) => url.pathname === '/filials')
  await slow.context.close()

  const { page, context } = await openPage(browser, product)
  await openHydrated(page, '/filials')
  await page.locator('main a[href^="/filials/"]').first().click()
  await atUrl(page, /\/filials\/\d+/)
  await page.evaluate(() => {
    History.prototype.back = History.prototype.go = () => {}
  })
  const began = Date.now()
  await back(page)
  await atUrl(page, (url) => url.pathname === '/')
  assert.ok(Date.now() - began >= 450, `${Date.now() - began} ms`)
  await pause(800)
  assert.equal(pathOf(page), '/', 'once')
  await context.close()
})

test('after a payment page Back leads to the root from every page that follows', async () => {
  const { page, context } = await openPage(browser, product)
  await page.goto(`${product.web}/filials/${table.filial_id}/details`, { referer: `${host.origin}/paid` })
  await hydrated(page)
  assert.equal(await page.locator('header .back').getAttribute('href'), '/')
  await page.locator(`main a[href="/filials/${table.filial_id}"]`).first().click()
  await atUrl(page, (url) => url.pathname === `/filials/${table.filial_id}`)
  await page.locator('.dishes').first().waitFor()
  await back(page)
  await atUrl(page, (url) => url.pathname === '/')
  await context.close()
})

test('a script of the host in our page pushes a language: the same page in it, with cart and table', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await inWebview(page)
  await openHydrated(page, `${table.qr}&lang=kk`)
  await addPlain(page, table.plain[0])
  await page.locator('a[href="/cart"]:not(.skip):visible').first().waitFor()
  const query = () => {
    const { searchParams } = new URL(page.url())
    searchParams.delete('lang')
    return searchParams.toString()
  }
  const before = query()
  assert.match(before, /table_id/)
  await listensToHost(page)
  await page.evaluate(() => window.postMessage({ type: 'language', language: 'ru-KZ' }, '*'))
  await page.waitForFunction(() => document.documentElement.lang === 'ru')
  await hydrated(page)
  assert.equal((await cartOf(page)).count, 1)
  const { shell } = await dataOf(page)
  assert.deepEqual(
    [shell.lang, shell.table.number, pathOf(page)],
    ['ru', table.number, `/filials/${table.filial_id}`],
  )
  assert.equal(query(), before)
  // The next page speaks it, too.
  await openHydrated(page, '/cart')
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru')
  assert.deepEqual(problems, [])
  await context.close()
})

test('a change that was under way when the host pushed a language is not lost', async () => {
  const { page, context } = await openPage(browser, product)
  await inWebview(page)
  await openHydrated(page, `${table.qr}&lang=kk`)
  await listensToHost(page)
  let held
  await context.route('**/cart/lines', async (route) => {
    held = route
  })
  await addPlain(page, table.plain[0])
  await untilTrue(async () => held !== undefined)
  await context.unroute('**/cart/lines')
  await page.evaluate(() => window.postMessage('{"type":"language","language":"en"}', '*'))
  await page.waitForFunction(() => document.documentElement.lang === 'en')
  await hydrated(page)
  // A page that is slow to hydrate sends what was kept as a form, which loads it again.
  await untilTrue(async () => (await cartOf(page).catch(() => null))?.count === 1)
  await context.close()
})

test('a named host may embed the app and push a language, any other page may do neither', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const src = encodeURIComponent(`${product.web}/faq?lang=kk`)
  await page.goto(`${host.origin}/?src=${src}`)
  const frame = await (await page.locator('iframe').elementHandle()).contentFrame()
  await hydrated(frame)
  await listensToHost(frame)
  const push = () => page.evaluate(() => frames[0].postMessage({ type: 'language', language: 'ru' }, '*'))
  await push()
  await frame.waitForFunction(() => document.documentElement.lang === 'ru')

  const blocked = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
  await page.goto(`${foreignHost.origin}/?src=${src}`)
  await blocked
  await context.close()
})

test('a page that is not there offers the menu that was open last', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(`/filials/${table.filial_id}`, 'ru'))
  const name = await page.locator('main h1').first().textContent()
  await page.waitForFunction(() => localStorage.getItem('temporaryTerminals') !== null)
  await openHydrated(page, '/no/such/page?lang=ru')
  await page.getByRole('link', { name: text('ru', 'notFound.recent', { name }) }).click()
  await atUrl(page, (url) => url.pathname === `/filials/${table.filial_id}`)
  await context.close()
})

test('a page that is not there names the last menu in its own language', async () => {
  const { page, context } = await openPage(browser, product)
  const nameIn = async (lang) => {
    await openHydrated(page, inLang('/filials/1023', lang))
    await page.waitForFunction(() => localStorage.getItem('temporaryTerminals') !== null)
    return await page.locator('main h1').first().textContent()
  }
  const [russian, kazakh] = [await nameIn('ru'), await nameIn('kk')]
  assert.notEqual(russian, kazakh)
  await openHydrated(page, '/no/such/page?lang=ru')
  await page.getByRole('link', { name: text('ru', 'notFound.recent', { name: russian }) }).waitFor()
  // What the server does not tell keeps the name that was seen.
  await page.route('**/_data/**', (route) => route.abort())
  await openHydrated(page, '/no/such/page?lang=en')
  await page.getByRole('link', { name: text('en', 'notFound.recent', { name: kazakh }) }).waitFor()
  await context.close()
})

/** A count of the server by its labels. */
async function counted(...labels) {
  const metrics = await (await fetch(`${product.admin}/metrics`)).text()
  const line = metrics
    .split('\n')
    .find((one) => one.startsWith('analytics_events_total') && labels.every((label) => one.includes(label)))
  return Number(line?.split(' ').at(-1) ?? 0)
}

test('a confirmed search of Home reaches the server’s count, and its text does not', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await openHydrated(page, inLang('/', 'ru'))
  await page.getByRole('combobox').fill('плов')
  await page.getByRole('combobox').press('Enter')
  await atUrl(page, (url) => url.pathname === '/search' && url.searchParams.get('q') === 'плов')
  await untilTrue(async () => (await counted('search_confirmed', 'via="submit"')) === 1)
  // The server may have it before the test hears that it was sent.
  const batches = () =>
    opened.requests.filter((one) => new URL(one.url()).pathname === '/events').map((one) => one.postData())
  const confirmed = () =>
    batches()
      .flatMap((one) => JSON.parse(one).events)
      .filter(({ name }) => name === 'searchConfirmed')
  await untilTrue(() => confirmed().length > 0)
  assert.deepEqual(
    confirmed().map(({ ago: _ago, ...event }) => event),
    [{ name: 'searchConfirmed', via: 'submit' }],
  )
  assert.ok(!batches().join().includes('плов'))
  await context.close()
})

test('listeners of the page learn the old service and the new one', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang('/', 'ru'))
  const button = (service) =>
    page.getByRole('button', { name: text('ru', `service.${service}`), exact: true })
  await button('takeaway').click()
  const marks = () =>
    page.evaluate(() => performance.getEntriesByName('serviceChanged').map(({ detail }) => detail))
  await untilTrue(async () => (await marks()).length === 1)
  assert.deepEqual(await marks(), [{ from: 'express', to: 'takeaway' }])
  await context.close()
})

test('Home and the list of all restaurants have the field of the other searches: history, suggestions, category', async () => {
  const { page, context } = await openPage(browser, product)
  await page.route('**/search/suggest?*', (route) => {
    const query = new URL(route.request().url()).searchParams.get('q')
    return route.fulfill({ json: { query, items: [{ text: 'Лагман', kind: 'product' }] } }).catch(() => {})
  })
  await openHydrated(page, inLang('/', 'ru'))
  const field = page.getByRole('combobox')
  const suggests = async () => {
    await field.fill('')
    await field.pressSequentially('лаг')
    await page.getByRole('option', { name: 'Лагман' }).waitFor()
    await field.fill('')
  }
  await suggests()
  await field.fill('бургер')
  await field.press('Enter')
  await atUrl(page, (url) => url.searchParams.get('q') === 'бургер')
  assert.equal(await field.inputValue(), 'бургер')
  await openHydrated(page, '/filials?category=popular')
  await field.focus()
  const kept = page.getByRole('link', { name: 'бургер', exact: true })
  await kept.click()
  await atUrl(page, (url) => url.searchParams.get('q') === 'бургер')
  assert.equal(new URL(page.url()).searchParams.get('category'), 'popular', 'the list that is looked at')
  await suggests()
  await context.close()

  const plain = await openPage(browser, product, { javaScriptEnabled: false })
  await open(plain.page, inLang('/filials?category=popular', 'ru'))
  await plain.page.getByRole('combobox').fill('бургер')
  await plain.page.getByRole('combobox').press('Enter')
  await atUrl(plain.page, (url) => url.searchParams.get('q') === 'бургер')
  assert.equal(new URL(plain.page.url()).searchParams.get('category'), 'popular')
  await plain.context.close()
})

test('the letters of a query are marked in the names of venues that it has found', async () => {
  const { page, context } = await openPage(browser, product)
  await open(page, inLang('/search?q=lagman', 'ru'))
  const marked = page.locator('.found-venue h2 mark').first()
  assert.match(await marked.textContent(), /^лагман$/i)
  await context.close()
})

test('dishes in another language than the page say so', async () => {
  const { page, context, problems } = await openPage(browser, product)
  const russian = ['Плов', 'Лагман', 'Салат с курицей и сыром', 'Чай зелёный с молоком', 'Манты с мясом']
  await context.route(`**/_data/filials/${table.filial_id}`, async (route) => {
    const answer = await route.fetch()
    const data = await answer.json()
    let index = 0
    for (const category of data.page.data.categories) {
      category.name = 'Горячие блюда'
      for (const product of category.products) {
        product.name = russian[index++ % russian.length]
        product.text = undefined
      }
    }
    await route.fulfill({ response: answer, json: data })
  })
  await openHydrated(page, `/filials/${table.filial_id}/details?lang=kk`)
  await page.locator(`main a[href="/filials/${table.filial_id}"]`).first().click()
  await page.locator('.dish').first().waitFor()
  const langs = await page
    .locator('.dish h3 a')
    .evaluateAll((all) => [...new Set(all.map(({ lang }) => lang))])
  assert.deepEqual(langs, ['ru'])
  assert.equal(await page.locator('section > h2').last().getAttribute('lang'), 'ru')
  assert.equal(await page.locator('html').getAttribute('lang'), 'kk')
  // Words of ours inside of it are the page's.
  assert.equal(await page.locator('.dish form[lang], .dish button[lang]').count(), 0)
  // A menu in its page's language says nothing.
  await context.unroute(`**/_data/filials/${table.filial_id}`)
  await open(page, `/filials/${table.filial_id}?lang=kk`)
  assert.equal(await page.locator('.dish [lang]').count(), 0)
  assert.deepEqual(problems, [])
  await context.close()
})

test('whose map it is stands on the map, in sight', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, '/map')
  const credit = page.locator('.map .credit')
  await credit.waitFor()
  assert.equal(await credit.textContent(), 'Dastarkhan sandbox')
  const isSeen = await credit.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const seen = document.elementFromPoint(left + width / 2, top + height / 2)
    return element === seen || element.contains(seen)
  })
  assert.ok(isSeen, 'nothing lies over it')
  await context.close()
})
