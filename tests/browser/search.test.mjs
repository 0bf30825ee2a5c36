/** The search field and what it finds, as a guest uses it; booking without JavaScript. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  atUrl,
  DESKTOP,
  dataOf,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  PHONE,
  pageData,
  pause,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { bookTable } from './states.mjs'

setStage()

/** The words of these tests are in its menu. */
const LAGMAN_HOUSE = 1013

const queryOf = (page) => new URL(page.url()).searchParams.get('q')
const historyOf = (page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('searchHistory') ?? '{"value":[]}').value)
const asked = (opened, path) => opened.requests.filter((one) => new URL(one.url()).pathname === path)

/** Answers for the server, whose suggestions have tests of their own: a busy machine gives none in time. */
const suggesting = (page, lines, before = async () => {}) =>
  page.route('**/search/suggest?*', async (route) => {
    const query = new URL(route.request().url()).searchParams.get('q')
    await before(query)
    const items = (lines[query] ?? []).map((line) => ({ text: line, kind: 'product' }))
    // An aborted request can't be answered.
    await route.fulfill({ json: { query, items } }).catch(() => {})
  })

test('typing asks once after a pause, arrows choose a suggestion, Enter stores and opens it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await suggesting(page, { лаг: ['Лагман', 'Лагман с курицей', 'Гуйру лагман'] })
  await openHydrated(page, '/search?lang=ru')
  const field = page.getByRole('combobox')
  await field.focus()
  // In the page itself: between two keys from outside a busy machine may pause for as long as a guest.
  await page.evaluate(async () => {
    for (const letter of 'лаг') {
      document.execCommand('insertText', false, letter)
      await new Promise((next) => setTimeout(next))
    }
  })
  const options = page.getByRole('option')
  await options.first().waitFor()
  assert.equal(asked(opened, '/search/suggest').length, 1)
  assert.equal(await options.count(), 3)
  assert.equal(await field.getAttribute('aria-expanded'), 'true')
  await field.press('ArrowDown')
  await field.press('ArrowDown')
  const second = options.nth(1)
  assert.equal(await second.getAttribute('aria-selected'), 'true')
  assert.equal(await field.getAttribute('aria-activedescendant'), await second.getAttribute('id'))
  const chosen = (await second.innerText()).trim()
  await field.press('Enter')
  await untilTrue(() => queryOf(page) === chosen)
  assert.equal(await field.inputValue(), chosen)
  assert.deepEqual(await historyOf(page), [chosen])
  assert.equal(await options.count(), 0)
  await context.close()
})

test('a late answer to an older text never shows', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await suggesting(page, { ла: ['Лагман'], плов: ['Плов'] }, async (query) => {
    if (query === 'ла') await pause(1500)
  })
  await openHydrated(page, '/search?lang=ru')
  const field = page.getByRole('combobox')
  await field.fill('ла')
  await untilTrue(() => asked(opened, '/search/suggest').length === 1)
  await field.fill('плов')
  await page.getByRole('option', { name: 'Плов' }).waitFor()
  await pause(1800)
  assert.deepEqual(await page.getByRole('option').allInnerTexts(), ['Плов'])
  await untilTrue(() => queryOf(page) === 'плов')
  await context.close()
})

test('cancel gives back what was submitted last, and leaves when that stands there', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, '/search?lang=ru')
  const field = page.getByRole('combobox')
  await field.fill('плов')
  await field.press('Enter')
  await untilTrue(() => queryOf(page) === 'плов')
  await field.fill('плов с ')
  // Looked for and not submitted: from here on no pause of the typing is left to end between two taps.
  await untilTrue(() => queryOf(page) === 'плов с')
  await page.getByRole('link', { name: text('ru', 'search.cancel') }).click()
  await untilTrue(async () => queryOf(page) === 'плов' && (await field.inputValue()) === 'плов')
  assert.equal(new URL(page.url()).pathname, '/search')
  await page.getByRole('link', { name: text('ru', 'search.cancel') }).click()
  await atUrl(page, (url) => url.pathname === '/')
  await context.close()
})

test('three searches are remembered, tapped, removed and cleared; Back brings the one before', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, '/search?lang=ru')
  const field = page.getByRole('combobox')
  for (const query of ['плов', 'манты', 'чай', 'лагман']) {
    await field.fill(query)
    await field.press('Enter')
    await untilTrue(() => queryOf(page) === query)
  }
  assert.deepEqual(await historyOf(page), ['лагман', 'чай', 'манты'])
  await page.goBack()
  await untilTrue(() => queryOf(page) === 'чай')
  await untilTrue(async () => (await field.inputValue()) === 'чай')
  await page.getByRole('link', { name: text('ru', 'search.clear') }).click()
  await untilTrue(() => queryOf(page) === null)
  await page.getByRole('link', { name: 'манты', exact: true }).click()
  await untilTrue(() => queryOf(page) === 'манты')
  assert.deepEqual(await historyOf(page), ['манты', 'лагман', 'чай'])
  await page.getByRole('link', { name: text('ru', 'search.clear') }).click()
  await page.getByRole('button', { name: text('ru', 'search.forget', { query: 'лагман' }) }).click()
  assert.deepEqual(await historyOf(page), ['манты', 'чай'])
  assert.equal(await page.getByText(text('ru', 'search.prompt')).count(), 0)
  await page.getByRole('button', { name: text('ru', 'search.clearHistory') }).click()
  assert.equal(await page.evaluate(() => localStorage.getItem('searchHistory')), null)
  await page.getByText(text('ru', 'search.prompt')).waitFor()
  await context.close()
})

test('what is typed on before its results came takes the place of no earlier search', async () => {
  const { page, context } = await openPage(browser, product)
  await suggesting(page, {})
  await openHydrated(page, '/search?lang=ru')
  const field = page.getByRole('combobox')
  await field.fill('плов')
  await field.press('Enter')
  await untilTrue(() => queryOf(page) === 'плов')
  const asked = []
  let release
  const held = new Promise((resolve) => {
    release = resolve
  })
  await page.route('**/_data/search?*', async (route) => {
    asked.push(queryOf({ url: () => route.request().url() }))
    await held
    await route.continue().catch(() => {})
  })
  await field.fill('чай')
  await untilTrue(() => asked.includes('чай'))
  await field.fill('чай с')
  await untilTrue(() => asked.includes('чай с'))
  await field.fill('лагман')
  await field.press('Enter')
  release()
  await untilTrue(() => queryOf(page) === 'лагман')
  await page.goBack()
  await untilTrue(() => queryOf(page) === 'плов')
  await context.close()
})

test('what only another service finds is not told to be found nowhere, and one press leads to it', async () => {
  const { page, context } = await openPage(browser, product)
  // A fridge, which has no service at the table.
  const query = 'Салкын Соре Бизнес-центр'
  await openHydrated(page, `/search?lang=ru&q=${encodeURIComponent(query)}`)
  const { others } = (await dataOf(page)).page.data
  const [{ service, total }] = others
  const said = page.locator('.said')
  assert.equal(await said.locator('h2').innerText(), text('ru', 'find.noneBy', { query, service: 'express' }))
  await said.getByText(text('ru', 'find.otherService')).waitFor()
  const found = text('ru', 'find.found', { count: total })
  await said.getByRole('button', { name: `${text('ru', `service.${service}`)}: ${found}` }).click()
  await said.getByText(found, { exact: true }).waitFor()
  assert.equal(queryOf(page), query)
  await context.close()
})

test('from the search of a menu all restaurants are searched by the service of that menu', async () => {
  const { page, context } = await openPage(browser, product)
  // Of the same house as the table's, to take away.
  await openHydrated(page, '/filials/1011/search?lang=ru&q=qxjvbk')
  assert.equal((await dataOf(page)).shell.service, 'express', 'nothing was chosen yet')
  await page.getByRole('link', { name: text('ru', 'menuFind.everywhere') }).click()
  await atUrl(page, (url) => url.pathname === '/search')
  await page.locator('.switch [aria-pressed="true"]', { hasText: text('ru', 'service.takeaway') }).waitFor()
  await context.close()
})

test('there is no way to the map on the screens of search', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, '/filials')
  assert.equal(await page.locator('.seek-map').count(), 1, 'a list has one')
  for (const address of ['/map', '/search', `/filials/${table.filial_id}/search`]) {
    await openHydrated(page, address)
    assert.equal(await page.locator('form[role="search"], search').count(), 1, `the field of ${address}`)
    assert.equal(await page.locator('.seek-map').count(), 0, address)
  }
  await context.close()
})

test('a menu is searched without the network once it is there', async () => {
  const { page, context } = await openPage(browser, product)
  const address = `/filials/${table.filial_id}/search`
  const menu = page.waitForResponse(
    (answer) => new URL(answer.url()).pathname === `/_data/filials/${table.filial_id}`,
  )
  await openHydrated(page, address)
  await (await menu).finished()
  await context.setOffline(true)
  const dish = table.plain[0]
  await page.getByRole('combobox').fill(dish.name.toLowerCase())
  await page.locator(`.dish input[name="product"][value="${dish.id}"]`).first().waitFor({ state: 'attached' })
  await untilTrue(async () => (await page.locator('.dish mark').count()) > 0)
  assert.equal(queryOf(page), dish.name.toLowerCase())
  await context.setOffline(false)
  await context.close()
})

for (const javaScriptEnabled of [true, false]) {
  test(`letters that are no word find nothing, and that is said, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled })
    const go = javaScriptEnabled ? openHydrated : open
    for (const query of ['ъъъщщ', 'qqqq']) {
      for (const [place, words] of [
        ['/search', 'find.nothing'],
        [`/filials/${table.filial_id}/search`, 'menuFind.nothing'],
      ]) {
        await go(page, `${place}?lang=ru&q=${encodeURIComponent(query)}`)
        await page
          .getByText(text('ru', words, { query }))
          .first()
          .waitFor()
        const { total, products } = (await dataOf(page)).page.data
        assert.equal(total ?? products.length, 0, `${place} ${query}`)
        assert.equal(await page.locator('mark').count(), 0)
      }
    }
    await context.close()
  })
}

test('with JavaScript off the form searches, filters are links, and a table is booked and given back', async () => {
  const opened = await openPage(browser, product, { javaScriptEnabled: false })
  const { page, context } = opened
  await open(page, '/search?lang=ru')
  await page.locator('input[name="q"]').fill('лагман')
  await page.locator('input[name="q"]').press('Enter')
  await atUrl(page, (url) => url.searchParams.get('q') === 'лагман')
  await page.waitForLoadState('domcontentloaded')
  assert.ok((await page.locator('.found-venue .dish mark').count()) > 0)
  await page.locator('.filters a').first().click()
  await atUrl(page, (url) => url.searchParams.has('price'))
  await page.locator('.filters [aria-current="true"]').click()
  await atUrl(page, (url) => url.searchParams.get('q') === 'лагман' && !url.searchParams.has('price'))
  await bookTable({ opened, table }, (address) => open(page, `${address}&lang=ru`))
  await page.getByText(text('ru', 'booking.done')).waitFor()
  assert.match(await page.locator('.facts b').first().innerText(), /^(Пн|Вт|Ср|Чт|Пт|Сб|Вс), \d/)
  const file = await page.request.get(await page.locator('a[download]').getAttribute('href'))
  assert.match(await file.text(), /^BEGIN:VCALENDAR\r\n/)
  await page.locator('a[href*="cancel="]').click()
  await page.locator('form[action$="/cancel"] button').click()
  await page.getByText(text('ru', 'booking.cancelled')).waitFor()
  assert.equal(await page.locator('form[action$="/cancel"]').count(), 0)
  await context.close()
})

test('with scripts off another day or party keeps what was typed, and Enter in a field books', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, `/brands/booking?filial=${table.filial_id}&lang=ru`)
  const form = page.locator('form[action="/bookings"]')
  const typed = async () => {
    assert.equal(await form.locator('[name="name"]').inputValue(), 'Айгүл')
    assert.equal(await form.locator('[name="phone"]').inputValue(), '+7 701 000 00 12')
    assert.equal(await form.locator('[name="comment"]').inputValue(), 'у окна')
  }
  await form.locator('[name="name"]').fill('Айгүл')
  await form.locator('[name="phone"]').fill('+7 701 000 00 12')
  await form.locator('[name="comment"]').fill('у окна')
  const day = page.locator('.days button').nth(3)
  const date = await day.getAttribute('value')
  await day.click()
  await atUrl(page, (url) => url.searchParams.get('date') === date)
  await typed()
  await page.locator('.party .more').click()
  await atUrl(page, (url) => url.searchParams.get('guests') === '3' && url.searchParams.get('date') === date)
  await typed()
  const last = await page.locator('#date').getAttribute('max')
  await page.locator('#date').fill(last)
  await page.locator('.when button[name="show"]').click()
  await atUrl(page, (url) => url.searchParams.get('date') === last)
  await typed()
  await form.locator('[name="phone"]').press('Enter')
  await page.locator('#time-error').getByText(text('ru', 'errors.chooseTime')).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('date'), last)
  await typed()
  await context.close()
})

test('Back leaves a booking at once, whatever was chosen there', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, '/faq?lang=ru')
  await openHydrated(page, `/brands/booking?filial=${table.filial_id}&lang=ru`)
  await page.locator('.days a').nth(2).click()
  await page.locator('.days a:nth-child(3)[aria-current]').waitFor()
  await page.locator('.party .more').click()
  await atUrl(page, (url) => url.searchParams.get('guests') === '3')
  const last = await page.locator('#date').getAttribute('max')
  await page.locator('#date').fill(last)
  await page.locator('.when button').first().click()
  await atUrl(page, (url) => url.searchParams.get('date') === last)
  await page.goBack()
  await atUrl(page, (url) => url.pathname === '/faq')
  await context.close()
})

test('a day that stands in its field is shown before anything is booked, and is forgotten with the page of its day', async () => {
  const { page, context } = await openPage(browser, product)
  const [shown, other] = [3, 5].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  )
  await openHydrated(page, `/brands/booking?filial=${table.filial_id}&date=${shown}&lang=ru`)
  const form = page.locator('form[action="/bookings"]')
  const book = () => form.locator('button').last().click()
  const fill = async () => {
    await form.locator('input[name="time"]:not([disabled])').last().check()
    await form.locator('input[name="name"]').fill('Айгүл')
    await form.locator('input[name="phone"]').fill('+7 701 000 00 13')
  }
  await fill()
  await page.locator('#date').fill(other)
  await book()
  await atUrl(page, (url) => url.searchParams.get('date') === other && !url.searchParams.has('booking'))
  assert.equal(await form.locator('input[name="name"]').inputValue(), 'Айгүл')
  // Back at the first day nothing is left of the other one: what is shown is booked.
  await page.locator(`.days a[href*="date=${shown}"]`).click()
  await atUrl(page, (url) => url.searchParams.get('date') === shown)
  await page.locator('.days a[aria-current]').waitFor()
  await fill()
  await book()
  await atUrl(page, /[?&]booking=/)
  const day = String(Number(shown.slice(8)))
  assert.ok((await page.locator('.facts').first().innerText()).includes(day))
  await context.close()
})

test('the time that was chosen is chosen on another day that has it, and for more guests', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, `/brands/booking?filial=${table.filial_id}&lang=ru`)
  const times = page.locator('.slots input')
  const free = () =>
    times.evaluateAll((all) => all.filter(({ disabled }) => !disabled).map(({ value }) => value))
  await page.locator('.days a').nth(2).click()
  await page.locator('.days a[aria-current]').nth(0).waitFor()
  await atUrl(page, /date=/)
  const before = await free()
  const day = page.locator('.days a').nth(3)
  await page.locator(`.slots input[value="${before.at(-1)}"]`).check()
  await day.click()
  await page.locator('.days li:nth-child(4) a[aria-current], .days a:nth-child(4)[aria-current]').waitFor()
  const time = before.at(-1)
  if ((await free()).includes(time)) await page.locator(`.slots input[value="${time}"]:checked`).waitFor()
  // Back on the day that has it for sure.
  await page.locator('.days a').nth(2).click()
  await page.locator('.days a:nth-child(3)[aria-current]').waitFor()
  await page.locator(`.slots input[value="${time}"]:checked`).waitFor()
  await context.close()
})

test('a slip of the finger is mended in the browser’s own copy of the menu, and what was typed is a link', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, `/filials/${LAGMAN_HOUSE}/search?lang=ru`)
  const field = page.getByRole('combobox')
  await field.fill('лагмна')
  await page.getByText(text('ru', 'menuFind.shown', { query: 'лагмна', shown: 'лагман' })).waitFor()
  await page.locator('.dish mark').first().waitFor()
  await page.getByRole('link', { name: text('ru', 'menuFind.exactly', { query: 'лагмна' }) }).click()
  await page.getByText(text('ru', 'menuFind.nothing', { query: 'лагмна' })).waitFor()
  await page.getByRole('link', { name: text('ru', 'menuFind.nearest', { query: 'лагман' }) }).waitFor()
  await field.fill('меленый')
  await page.getByText(text('ru', 'menuFind.nothing', { query: 'меленый' })).waitFor()
  assert.equal(
    await page.locator('.said a[href*="q="]:not([href^="/search"])').count(),
    0,
    'nothing far is offered',
  )
  await context.close()
})

test('plurals and sections are found in the browser’s own copy of the menu as on the server', async () => {
  const { page, context } = await openPage(browser, product)
  const path = `/filials/${LAGMAN_HOUSE}/search?lang=ru`
  const menu = await pageData(product.web, `/filials/${LAGMAN_HOUSE}?lang=ru`)
  const section = menu.page.data.categories.find(({ id, products }) => id > 0 && products.length > 2)
  await openHydrated(page, path)
  const field = page.getByRole('combobox')
  // Rows far below have no inner text until they are drawn.
  const shown = () => page.locator('.results .dishes h3').allTextContents()
  for (const [query, fits] of [
    ['лагманов', (names) => names[0]?.toLowerCase().includes('лагман')],
    ['картошка', (names) => names.includes('Казан-кебаб')],
    ['вегетарианское', (names) => names.length > 5],
    [section.name, (names) => section.products.every(({ name }) => names.includes(name))],
  ]) {
    await field.fill(query)
    await page.locator('.said [data-info].soft').waitFor()
    await untilTrue(async () => fits((await shown()).map((name) => name.trim())), PATIENCE, query)
    const { page: found } = await pageData(product.web, `${path}&q=${encodeURIComponent(query)}`)
    const names = found.data.products.map(({ name }) => name)
    await untilTrue(
      async () => (await shown()).map((name) => name.trim()).join() === names.join(),
      PATIENCE,
      `${query}: in the order of the server`,
    )
  }
  await context.close()
})

test('a dish of the results becomes a stepper in its card; a filter and Back keep the query', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, '/search?q=чай&lang=ru')
  const row = page.locator('.found-venue .dish:has(form[action="/cart/lines"])').first()
  await row.locator('.plus').click()
  await row.locator('.minus').waitFor()
  assert.equal(new URL(page.url()).pathname, '/search')
  await page.getByRole('link', { name: text('ru', 'find.filter.meatless') }).click()
  await atUrl(page, (url) => url.searchParams.get('meatless') === '1' && url.searchParams.get('q') === 'чай')
  await page.locator('.filters [aria-current="true"]').waitFor()
  await page.goBack()
  await atUrl(page, (url) => !url.searchParams.has('meatless'))
  assert.equal(queryOf(page), 'чай')
  // A filter that is on is in sight after a load, too.
  await openHydrated(page, '/search?q=чай&price=1&lang=ru')
  await untilTrue(() =>
    page
      .locator('.filters [aria-current="true"]')
      .evaluate((chip) => chip.getBoundingClientRect().right <= innerWidth),
  )
  await context.close()
})

test('the search of a menu has the focus when it is opened, and leads back to where the menu was left', async () => {
  const { page, context } = await openPage(browser, product)
  const menu = `/filials/${table.filial_id}`
  await openHydrated(page, `${menu}?lang=ru`)
  const wanted = 900
  const open = async () => {
    await page.evaluate((top) => scrollTo(0, top), wanted)
    await untilTrue(() => page.evaluate((top) => Math.abs(scrollY - top) < 2, wanted))
    await page.locator(`a[href="${menu}/search"]`).first().dispatchEvent('click')
    await atUrl(page, (url) => url.pathname === `${menu}/search`)
    await untilTrue(() => page.evaluate(() => document.activeElement?.getAttribute('name') === 'q'))
  }
  const isBack = async () => {
    await atUrl(page, (url) => url.pathname === menu)
    await untilTrue(() => page.evaluate((top) => Math.abs(scrollY - top) < 100, wanted))
  }
  await open()
  await page.getByRole('link', { name: text('ru', 'search.cancel') }).click()
  await isBack()
  await open()
  await page.goBack()
  await isBack()
  await context.close()
})

test('what was found in a menu is where it was when a dish that was opened is left', async () => {
  const { page, context } = await openPage(browser, product, { viewport: { width: 360, height: 740 } })
  await openHydrated(page, `/filials/${LAGMAN_HOUSE}/search?lang=ru`)
  await page.getByRole('combobox').fill('лагман')
  await page.locator('.dish mark').nth(5).waitFor()
  await page.evaluate(() => scrollTo(0, 500))
  const top = await page.evaluate(() => scrollY)
  assert.ok(top > 100, `there is something to scroll: ${top}`)
  await page.locator('.dish h3 a').nth(5).dispatchEvent('click')
  await atUrl(page, (url) => url.searchParams.has('item'))
  await page.goBack()
  await atUrl(page, (url) => url.pathname.endsWith('/search'))
  await untilTrue(() => page.evaluate((before) => Math.abs(scrollY - before) < 100, top))
  assert.equal(queryOf(page), 'лагман')
  await context.close()
})

test('what was found in all venues is where it was when a dish that was opened is left', async () => {
  for (const viewport of [PHONE, DESKTOP]) {
    const { page, context } = await openPage(browser, product, { viewport })
    await openHydrated(page, '/search?q=чай&lang=ru')
    await page.locator('.found-venue .dish').nth(12).waitFor({ state: 'attached' })
    // As a finger does: what goes by has its own height by then.
    await page.mouse.move(180, 400)
    for (let turn = 0; turn < 5; turn++) {
      await page.mouse.wheel(0, 250)
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      )
    }
    await untilTrue(() => page.evaluate(() => scrollY > 1000))
    // The first dish below the middle of the screen.
    const found = await page.evaluate(() => {
      const links = [...document.querySelectorAll('.found-venue .dish h3 a')]
      const link = links.find((one) => one.getBoundingClientRect().top > innerHeight / 2)
      return { href: link.getAttribute('href'), top: link.getBoundingClientRect().top }
    })
    const link = page.locator(`.found-venue .dish h3 a[href="${found.href}"]`)
    await link.dispatchEvent('click')
    await atUrl(page, (url) => url.searchParams.has('item'))
    await page.goBack()
    await atUrl(page, (url) => url.pathname === '/search')
    await link.waitFor()
    await untilTrue(() =>
      link.evaluate((one, top) => Math.abs(one.getBoundingClientRect().top - top) < 3, found.top),
    )
    await context.close()
  }
})

test('more results are added to those that are there, with the focus on the first new one, and last', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled })
    const go = javaScriptEnabled ? openHydrated : open
    await go(page, '/search?q=чай&lang=ru')
    const venues = () => page.locator('.finds > li h2 a').evaluateAll((all) => all.map((one) => one.href))
    const before = await venues()
    const more = page.getByRole('link', { name: text('ru', 'find.more'), exact: true })
    await more.scrollIntoViewIfNeeded()
    await page.evaluate(() => {
      window.same = true
    })
    await more.click()
    await atUrl(page, (url) => url.searchParams.get('page') === '2')
    await untilTrue(async () => (await venues()).length > before.length)
    const grown = await venues()
    assert.deepEqual(grown.slice(0, before.length), before, 'those that were there stay')
    assert.equal(new Set(grown).size, grown.length, 'each once')
    const first = page.locator('.finds > li').nth(before.length)
    if (javaScriptEnabled) {
      assert.ok(await page.evaluate(() => window.same), 'no other document')
      assert.equal(await page.evaluate(() => document.activeElement?.href), grown[before.length])
      // Where it was pressed, what was asked for stands.
      const { top, height } = await first.evaluate((one) => {
        const { top } = one.getBoundingClientRect()
        return { top, height: innerHeight }
      })
      assert.ok(top > 0 && top < height, `${top} of ${height}`)
    } else assert.equal(await first.getAttribute('id'), new URL(page.url()).hash.slice(1))
    await page.reload()
    assert.deepEqual(await venues(), grown)
    if (javaScriptEnabled) {
      await page.locator('.found-venue .dish h3 a').last().click()
      await atUrl(page, (url) => url.searchParams.has('item'))
      await page.goBack()
      await atUrl(page, (url) => url.searchParams.get('page') === '2')
      await untilTrue(async () => (await venues()).join() === grown.join())
    }
    await context.close()
  }
})

test('the code of the search comes ahead once the front has rested', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await openHydrated(page, '/?lang=ru')
  await untilTrue(() =>
    opened.requests.some((one) => /\/search-[^/]*\.js$/.test(new URL(one.url()).pathname)),
  )
  await context.close()
})

test('each way to confirm a search is told once', async () => {
  const { page, context } = await openPage(browser, product)
  await suggesting(page, { лаг: ['Лагман'] })
  await openHydrated(page, '/search?lang=ru')
  const field = page.getByRole('combobox')
  const confirmed = () =>
    page.evaluate(() => performance.getEntriesByName('searchConfirmed').map((one) => one.detail.via))
  await field.fill('плов')
  await field.press('Enter')
  await untilTrue(() => queryOf(page) === 'плов')
  await field.fill('лаг')
  await page.getByRole('option', { name: 'Лагман' }).click()
  await untilTrue(() => queryOf(page) === 'Лагман')
  await page.getByRole('link', { name: text('ru', 'search.clear') }).click()
  await page.getByRole('link', { name: 'плов', exact: true }).click()
  await untilTrue(() => queryOf(page) === 'плов')
  assert.deepEqual(await confirmed(), ['submit', 'suggestion', 'history'])
  await context.close()
})
