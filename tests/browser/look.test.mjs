/** What a guest sees first: the face of a venue, dishes a screen, a cart in short lines, an order worth watching, a tablet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buy, fillRow, openLine, payInCash, pressOrder, signIn } from './flows.mjs'
import {
  addPlain,
  atRest,
  DESKTOP,
  dataOf,
  fillCart,
  findTable,
  hydrated,
  inLang,
  keepToast,
  launch,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  PHONE,
  pageData,
  plainSpaces,
  text,
  untilTrue,
} from './harness.mjs'
import { brokenWords } from './letters.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { countryOf, placeOrder } from './states.mjs'

const lang = 'ru'
const menu = () => inLang(`/filials/${table.filial_id}`, lang)

/** Words that no line of a narrow window holds in the wide letters of a test machine. */
const LONGEST_WORD = /^(Конфиденциальность|კონფიდენციალურობა):/

setStage()

const boxOf = (locator) => locator.evaluate((one) => one.getBoundingClientRect().toJSON())

test('the name of a venue comes into the header when its heading is scrolled away; there is no mark of ours', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu())
  assert.equal(await page.locator('.head .logo').count(), 0)
  const name = page.locator('.head .named')
  assert.equal(await name.textContent(), await page.locator('h1').textContent())
  const opacity = () => name.evaluate((one) => getComputedStyle(one).opacity)
  assert.equal(await opacity(), '0', 'the heading says it')
  await page.evaluate(() => scrollTo(0, innerHeight))
  await untilTrue(async () => (await opacity()) === '1', PATIENCE, 'it is seen')
  await page.evaluate(() => scrollTo(0, 0))
  await untilTrue(async () => (await opacity()) === '0', PATIENCE, 'it is gone again')
  await context.close()
})

test('with a bar that takes room nothing moves aside from page to page, nor under a sheet', async () => {
  const withBars = await launch({ ignoreDefaultArgs: ['--hide-scrollbars'] })
  try {
    const { page, context } = await openPage(withBars, product, { viewport: DESKTOP })
    const section = page.locator('.nav a').last()
    await openHydrated(page, inLang('/', lang))
    const hasBar = () => page.evaluate(() => document.documentElement.scrollHeight > innerHeight)
    assert.ok(await hasBar())
    const { right } = await boxOf(section)
    await open(page, inLang('/orders', lang))
    assert.ok(!(await hasBar()), 'a short page')
    assert.equal((await boxOf(section)).right, right)

    await openHydrated(page, menu())
    const arrow = page.locator('.head .back')
    const before = await boxOf(arrow)
    await page.locator('#dishes a[href*="item="]:visible').first().click()
    await page.locator('dialog[open]').waitFor()
    assert.equal((await boxOf(arrow)).x, before.x)
    await context.close()
  } finally {
    await withBars.close()
  }
})

test('the face of a venue: the photo first, then what a guest weighs in one line', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu())
  const { venue } = (await dataOf(page)).page.data
  const photo = page.locator('.about img')
  assert.equal(await photo.getAttribute('fetchpriority'), 'high')
  assert.ok((await photo.getAttribute('width')) && (await photo.getAttribute('height')))
  assert.equal((await boxOf(photo)).width, 360, 'from edge to edge')
  const facts = page.locator('.about .facts')
  const said = plainSpaces(await facts.textContent())
  assert.ok(said.includes(plainSpaces(text(lang, 'venue.minutes', { count: venue.minutes }))), said)
  assert.ok(said.includes(String(venue.rating).replace('.', ',')), said)
  const { height } = await boxOf(facts)
  const line = await facts.evaluate((one) => Number.parseFloat(getComputedStyle(one).lineHeight))
  assert.ok(height < 2 * line, 'one line')
  await context.close()
})

test('five dishes fit a phone, and their photos are as wide as a thumb reaches for', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu())
  const whole = await page.evaluate(() => {
    const lists = [...document.querySelectorAll('.dishes')]
    lists.reduce((one, other) => (other.children.length > one.children.length ? other : one)).scrollIntoView()
    const top = document.querySelector('.rail').getBoundingClientRect().bottom
    return [...document.querySelectorAll('.dishes > .dish')].filter((row) => {
      const box = row.getBoundingClientRect()
      return box.top >= top - 1 && box.bottom <= innerHeight
    }).length
  })
  assert.ok(whole >= 5, `${whole} dishes`)
  const row = page.locator('.dishes > .dish[data-photo]').first()
  const photo = await boxOf(row.locator('img'))
  assert.equal(photo.width, 112)
  const plus = await boxOf(row.locator('.plus'))
  assert.ok(plus.right <= photo.right && plus.bottom <= photo.bottom, 'the plus lies inside of the photo')
  await context.close()
})

test('a count that comes in beside the plus moves neither the photo nor the words of its dish', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(table.qr, 'ru'))
  // Letters that come late move words by themselves.
  await page.evaluate(() => Promise.all([...document.fonts].map((one) => one.load())))
  for (const list of ['.dishes', '.tiles']) {
    const row = page.locator(`${list} > .dish:has(img):has(form.step)`).first()
    await row.scrollIntoViewIfNeeded()
    // What comes into view has its own size a frame later.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    // Within the row: a press may scroll.
    const places = () =>
      row.evaluate((one) => {
        const { x, y } = one.getBoundingClientRect()
        return [...one.querySelectorAll('img, h3, .price')].map((part) => {
          const box = part.getBoundingClientRect()
          return [part.localName, box.x - x, box.y - y, box.width, box.height]
        })
      })
    const before = await places()
    await row.locator('.plus').click()
    await row.locator('.minus').waitFor()
    assert.deepEqual(await places(), before, list)
  }
  await context.close()
})

test('what stands over the photo of a row is no wider than that, with a number of two digits as well', async () => {
  for (const viewport of [PHONE, DESKTOP]) {
    const { page, context } = await openPage(browser, product, { viewport })
    await openHydrated(page, menu())
    const row = page.locator(`.dishes > .dish[data-photo]:has([value="${table.plain[0].id}"])`).first()
    for (let pieces = 1; pieces <= 10; pieces += 1) {
      await row.locator('.plus').click()
      await row.locator('[data-count]').getByText(String(pieces), { exact: true }).waitFor()
      if (pieces > 1 && pieces < 10) continue
      const [photo, pill] = [await boxOf(row.locator('img')), await boxOf(row.locator('.step'))]
      assert.ok(pill.left > photo.left && pill.right < photo.right, JSON.stringify({ pieces, photo, pill }))
    }
    await context.close()
  }
})

test('the plus of a row lies in the same corner of its photo, however long the words beside it are', async () => {
  for (const [viewport, letters] of [
    [{ width: 360, height: 740 }, '100%'],
    [{ width: 360, height: 740 }, '200%'],
    [DESKTOP, '100%'],
  ]) {
    const { page, context } = await openPage(browser, product, { viewport })
    await openHydrated(page, menu())
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size
    }, letters)
    const corners = await page
      .locator('.dish[data-photo]:has(.plus)')
      .filter({ visible: true })
      .evaluateAll((rows) =>
        rows.map((row) => {
          row.style.contentVisibility = 'visible'
          const [photo, plus] = [row.querySelector('img'), row.querySelector('.plus')]
          const [box, sign] = [photo.getBoundingClientRect(), plus.getBoundingClientRect()]
          return { width: box.width, below: box.bottom - sign.bottom, beside: box.right - sign.right }
        }),
      )
    const rows = corners.filter(({ width }) => width === 112)
    assert.ok(rows.length > 6, `${rows.length} rows`)
    for (const { below, beside } of rows) assert.deepEqual([below, beside], [4, 4], letters)
    await context.close()
  }
})

test('with letters of 200 % words have a line of their own before they are broken', async () => {
  for (const lang of ['ru', 'kk', 'ka']) {
    const own = await findTable(product, { country: countryOf(lang) })
    const { filial_id, table_id } = own
    const { data: bill } = await product.sandboxApi.set('bill/open', { filial_id, table_id })
    await product.sandboxApi.set('bill/add', { bill_id: bill.id, product_id: own.plain[0].id, count: 2 })
    const opened = await openPage(browser, product)
    const { page, context } = opened
    // As a guest sets it in the browser: unlike a style of the page it makes an em of a media query larger, too.
    const session = await context.newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    await fillCart(opened, own, own.plain.slice(0, 2))
    const toBill = own.qr.replace(`/filials/${filial_id}?`, `/filials/${filial_id}/bill?`)
    for (const address of ['/', '/filials', '/brands', own.qr, '/cart', `${toBill}&split=equal`]) {
      await openHydrated(page, inLang(address, lang))
      const broken = await page.evaluate(brokenWords)
      assert.deepEqual(
        broken.filter((one) => !LONGEST_WORD.test(one)),
        [],
        `${lang} ${address}`,
      )
      assert.equal(
        await page.evaluate(() => getComputedStyle(document.querySelector('h1, h2')).hyphens),
        'auto',
      )
    }
    await product.sandboxApi.set('bill/close', { bill_id: bill.id })
    await context.close()
  }
})

test('with large letters the name of a dish in the cart has a row of its own, whole and in whole words', async () => {
  for (const lang of ['ru', 'kk', 'ka']) {
    const own = await findTable(product, { country: countryOf(lang) })
    const opened = await openPage(browser, product)
    const { page, context } = opened
    const longest = own.plain.toSorted((one, other) => other.name.length - one.name.length)
    await fillCart(opened, own, longest.slice(0, 3))
    await openHydrated(page, inLang('/cart', lang))
    for (const [width, letters, isBelow] of [
      [320, '100%'],
      [360, '100%', false],
      [360, '150%', true],
      [412, '150%', true],
      [360, '200%', true],
      // A tablet that stands upright.
      [800, '150%', true],
    ]) {
      const where = `${lang}, ${letters} at ${width}`
      await page.setViewportSize({ width, height: 740 })
      // A style of the page, as that of a tablet: to media queries letters are as small as before.
      const lines = await page.evaluate((size) => {
        document.documentElement.style.fontSize = size
        return [...document.querySelectorAll('.line')].map((line) => {
          const [name, rest, step] = ['h3', 'details', '.step'].map((one) => line.querySelector(one))
          const wide = name.clientWidth
          rest.open = true
          const opened = name.clientWidth
          rest.open = false
          return {
            isBelow: step.getBoundingClientRect().top >= rest.getBoundingClientRect().bottom,
            isWhole: name.scrollHeight <= name.clientHeight + 1,
            isAsWide: opened === wide,
          }
        })
      }, letters)
      assert.ok(lines.length > 1, where)
      for (const line of lines)
        assert.deepEqual(line, { isBelow: isBelow ?? line.isBelow, isWhole: true, isAsWide: true }, where)
      assert.deepEqual(await page.evaluate(brokenWords, '.lines ul'), [], where)
    }
    await context.close()
  }
})

test('with letters of 200 % the bar of the cart says all of it, above the rail; the controls share a row, a field shows that it says more', async () => {
  for (const lang of ['ru', 'kk', 'en', 'ka']) {
    const own = await findTable(product, { country: countryOf(lang) })
    const opened = await openPage(browser, product)
    const { page, context } = opened
    const session = await context.newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    await fillCart(opened, own, own.plain.slice(0, 3), 4)
    await openHydrated(page, inLang(own.qr, lang))
    const bar = page.locator('a.bar')
    await bar.waitFor()
    const lost = await bar.evaluate((pill) => {
      const its = pill.getBoundingClientRect()
      return [...pill.children].flatMap((part) => {
        const range = document.createRange()
        range.selectNodeContents(part)
        const { left, right, top, bottom, width } = range.getBoundingClientRect()
        const inside =
          left >= its.left + 8 && right <= its.right - 8 && top >= its.top && bottom <= its.bottom
        return inside && width > 0 && part.scrollWidth <= part.clientWidth ? [] : [part.textContent]
      })
    })
    assert.deepEqual(lost, [], `${lang}: what leaves the pill`)
    // The rail where it would lie over the bar.
    const above = await page.evaluate(() => {
      const [rail, pill] = [document.querySelector('.rail'), document.querySelector('.bar')]
      scrollBy(0, rail.getBoundingClientRect().top - pill.getBoundingClientRect().top - 8)
      const { left, top, width } = pill.getBoundingClientRect()
      return document.elementFromPoint(left + width / 2, top + 20)?.closest('.rail, .bar')?.className
    })
    assert.equal(above, 'bar', lang)
    await page.evaluate(() => scrollTo(0, 0))
    const middle = async (one) => {
      const { top, bottom } = await boxOf(page.locator(`.head ${one}`))
      return (top + bottom) / 2
    }
    const [back, seat, language] = [await middle('.back'), await middle('.table'), await middle('.lang')]
    assert.ok(
      Math.abs(back - seat) < 4 && Math.abs(seat - language) < 4,
      `${lang}: ${[back, seat, language]}`,
    )
    await openHydrated(page, inLang('/filials', lang))
    const field = page.locator('.seek input[name="q"]')
    assert.equal(await field.evaluate((one) => getComputedStyle(one).textOverflow), 'ellipsis')
    const room = await field.evaluate((one) => {
      const { paddingLeft, paddingRight } = getComputedStyle(one)
      return one.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    })
    assert.ok(room > 160, `${lang}: ${room} px for words`)
    const [seated, other] = [await middle('.table'), await middle('.lang')]
    assert.ok(Math.abs(seated - other) < 4, `${lang}: ${[seated, other]}`)
    await context.close()
  }
})

test('with large letters the offer to undo is whole, in the window and below what it says', async () => {
  for (const lang of ['ru', 'kk', 'en', 'ka']) {
    const own = await findTable(product, { country: countryOf(lang) })
    const { page, context } = await openPage(browser, product)
    for (const [width, letters] of [
      [360, '100%'],
      [360, '200%'],
      [320, '150%'],
      [320, '200%'],
    ]) {
      const where = `${lang}, ${letters} at ${width}`
      await page.setViewportSize({ width, height: 740 })
      await fillCart({ page }, own, own.plain.slice(0, 1))
      await openHydrated(page, inLang(own.qr, lang))
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size
      }, letters)
      // By the keyboard, as large letters move the row on its way into the window.
      await page.locator('.dish .minus').first().press('Enter')
      await keepToast(page.locator('.toast[data-undo]'))
      const [toast, words, undo] = await page.evaluate(() =>
        ['.toast', '.toast > span', '.toast > button'].map((one) => {
          const box = document.querySelector(one).getBoundingClientRect()
          return { left: box.left, right: box.right, bottom: box.bottom, top: box.top }
        }),
      )
      assert.ok(toast.left >= 0 && toast.right <= width, `${where}: ${JSON.stringify(toast)}`)
      for (const part of [words, undo])
        assert.ok(part.left >= toast.left && part.right <= toast.right, `${where}: ${JSON.stringify(part)}`)
      assert.ok(undo.left >= words.right || undo.top >= words.bottom, `${where}: neither lies over the other`)
      assert.deepEqual(await page.evaluate(brokenWords, '.toast'), [], where)
    }
    await context.close()
  }
})

test('with letters of 200 % the bar of the cart and the navigation leave most of a small phone to the page', async () => {
  for (const lang of ['ru', 'kk', 'en', 'ka']) {
    const own = await findTable(product, { country: countryOf(lang) })
    // Of a venue that takes for its service: the bar says so.
    const { page: served } = await pageData(
      product.web,
      inLang(`/filials/${lang === 'ka' ? 2013 : 1013}`, lang),
    )
    const { venue, categories } = served.data
    const plain = categories
      .flatMap(({ products }) => products)
      .filter(({ out, options }) => !out && !options)
    const opened = await openPage(browser, product)
    const { page, context } = opened
    await fillCart(opened, { ...own, filial_id: venue.id, qr: `/filials/${venue.id}` }, plain.slice(0, 2), 9)
    const session = await context.newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 })
      await openHydrated(page, inLang(`/filials/${venue.id}`, lang))
      const bar = await boxOf(page.locator('a.bar'))
      assert.ok(bar.height < 140, `${lang}, ${width}: the bar takes ${bar.height} px`)
      const fee = page.locator('.bar .num > small')
      const { height } = await boxOf(fee)
      const line = await fee.evaluate((one) => Number.parseFloat(getComputedStyle(one).lineHeight))
      assert.ok(height < 1.5 * line, `${lang}, ${width}: the fee has one line`)
      await openHydrated(page, inLang('/', lang))
      const [over, under] = [await boxOf(page.locator('a.bar')), await boxOf(page.locator('.nav'))]
      assert.ok(over.bottom <= under.top, 'one above the other')
      assert.ok(740 - over.top < 250, `${lang}, ${width}: both take ${740 - over.top} px`)
      const words = await page.locator('.nav').evaluate((nav) => nav.scrollHeight <= nav.clientHeight)
      assert.ok(words, `${lang}, ${width}: signs and words of the navigation are whole`)
    }
    await context.close()
  }
})

test('with letters of 200 % the title of a sheet is in whole words beside the sign that closes it', async () => {
  for (const lang of ['ru', 'kk', 'en', 'ka']) {
    const { page, context } = await openPage(browser, product, { viewport: { width: 320, height: 740 } })
    const session = await context.newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    await openHydrated(page, inLang('/addresses?back=/', lang))
    assert.deepEqual(await page.evaluate(brokenWords, '.sheet h1'), [], lang)
    await context.close()
  }
})

/** Texts that are smaller than 13 px (look.md), with their size; runs in the page. */
function smallTexts() {
  const small = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { data, parentElement: own } = walker.currentNode
    if (!data.trim() || own.closest('script, style, .vh, .leaflet-pane')) continue
    const size = Number.parseFloat(getComputedStyle(own).fontSize)
    if (size < 13) small.add(`${data.trim()}: ${size} px`)
  }
  return [...small]
}

test('no text is smaller than 13 px, not the signs of money nor the word of an hour that is taken', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await signIn(opened)
  await fillCart(opened, table, table.plain.slice(0, 2))
  for (const address of [table.qr, '/cart', '/', '/profile', '/orders']) {
    await openHydrated(page, inLang(address, lang))
    assert.deepEqual(await page.evaluate(smallTexts), [], address)
  }
  const path = '/booking/v1/slots'
  await product.sandboxApi.set('faults', { path, kind: 'replace', values: { '/data/0/free': false } })
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  try {
    await openHydrated(page, inLang(`/brands/booking?filial=${table.filial_id}&date=${date}`, lang))
    assert.ok(await page.locator('.slots small').first().isVisible())
    assert.deepEqual(await page.evaluate(smallTexts), [])
  } finally {
    await product.sandboxApi.clear('faults')
  }
  await context.close()
})

test('a brand alone fills the width of a desktop: its photo, and its restaurants beside that', async () => {
  const { page: list } = await pageData(product.web, inLang('/brands', lang))
  for (const { id } of list.data.brands.slice(0, 5)) {
    const { page, context } = await openPage(browser, product, { viewport: DESKTOP })
    await openHydrated(page, inLang(`/brands/filials?brand=${id}`, lang))
    const [tools, card, photo] = [
      await boxOf(page.locator('.tools')),
      await boxOf(page.locator('.brand-group')),
      await boxOf(page.locator('.group-photo')),
    ]
    assert.deepEqual([card.left, card.right], [tools.left, tools.right])
    assert.ok(photo.width > card.width / 4, `a photo of ${photo.width} px`)
    for (const one of await page.locator('.place').all()) {
      const { left, right } = await boxOf(one)
      assert.ok(left > photo.right && right <= card.right)
    }
    await context.close()
  }
})

test('the bar gives the name of another venue the room that there is', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  const { page: list } = await pageData(product.web, inLang('/filials', lang))
  const other = list.data.venues.find(({ id }) => id !== table.filial_id)
  await openHydrated(page, inLang(`/filials/${other.id}`, lang))
  const name = page.locator('.bar > b + span > small')
  const [shown, all] = await name.evaluate((one) => {
    one.textContent = 'ქვევრის ბილიკი აბანოთუბანი'
    const { lineHeight } = getComputedStyle(one)
    return [one.clientHeight, one.scrollHeight].map((height) =>
      Math.round(height / Number.parseFloat(lineHeight)),
    )
  })
  assert.ok(shown <= 2 && all === shown, `${shown} lines of ${all}`)
  await context.close()
})

test('a tile that is alone in its list is as wide as a phone and has a photo that is as sharp', async () => {
  const list = '/menu/v3/favourite/products'
  const { data } = await product.sandboxApi.upstream(`${list}?filial_id=${table.filial_id}&limit=20`)
  await product.sandboxApi.set('faults', {
    path: list,
    kind: 'replace',
    values: { '/data': data.slice(0, 1) },
  })
  try {
    const { page, context } = await openPage(browser, product, { deviceScaleFactor: 3 })
    await openHydrated(page, menu())
    const photo = page.locator('.tiles.alone > .dish img').first()
    await photo.evaluate((one) => one.decode())
    const shown = await photo.evaluate((one) => one.clientWidth * devicePixelRatio)
    assert.ok(shown > 900, `${shown} pixels`)
    const asked = await photo.evaluate((one) => Number(/\/img\/(\d+)\//.exec(one.currentSrc)?.[1]))
    assert.ok(asked >= shown, `${asked} pixels for ${shown}`)
    await context.close()
  } finally {
    await product.sandboxApi.clear('faults')
  }
})

test('at a table the globe is in sight on the narrowest phones, and leads to the languages', async () => {
  for (const width of [320, 360]) {
    const { page, context } = await openPage(browser, product, { viewport: { width, height: 640 } })
    await openHydrated(page, inLang(table.qr, lang))
    const globe = page.locator('.head .lang .icon')
    assert.ok((await boxOf(globe)).width >= 16, `${width}`)
    await globe.click()
    await page.locator('.lang a[lang="en"]').waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`)
    await context.close()
  }
})

test('on the narrowest phone the days of a week stand whole beside each other', async () => {
  for (const one of ['kk', 'en', 'ka']) {
    const own = await findTable(product, { country: countryOf(one) })
    const { page, context } = await openPage(browser, product, { viewport: { width: 320, height: 640 } })
    await openHydrated(page, inLang(`/brands/booking?filial=${own.filial_id}`, one))
    const days = page.locator('.days > *')
    assert.ok((await days.count()) >= 7, one)
    const { right } = await boxOf(days.nth(6))
    assert.ok(right <= 320, `${one}: ${right}`)
    await context.close()
  }
})

test('on the narrowest phone the services share a row, and tiles stand two in a line', async () => {
  for (const [country, one] of [
    ['kz', 'kk'],
    ['ge', 'ka'],
  ]) {
    const { page, context } = await openPage(browser, product, { viewport: { width: 320, height: 640 } })
    await openHydrated(page, `/?lang=${one}&country=${country}`)
    const buttons = page.locator('.switch button')
    assert.equal(await buttons.count(), 3)
    const tops = await buttons.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top))
    assert.equal(new Set(tops).size, 1, `${one}: ${tops}`)
    await context.close()
  }
  const { page, context } = await openPage(browser, product, { viewport: { width: 320, height: 640 } })
  await openHydrated(page, menu())
  const tiles = page.locator('.tiles:has(> .dish + .dish)').first().locator('> .dish')
  const [first, second] = [await boxOf(tiles.nth(0)), await boxOf(tiles.nth(1))]
  assert.equal(first.top, second.top)
  assert.ok(first.width >= 130 && second.right <= 320, `${first.width} px`)
  await context.close()
})

test('the main sections stand at one place of the header, whatever else a page has in it', async () => {
  const { page, context } = await openPage(browser, product, { viewport: DESKTOP })
  const places = new Set()
  for (const path of ['/', '/filials', '/brands', '/orders']) {
    await openHydrated(page, inLang(path, lang))
    // The one of the page itself is bold, and no wider by that.
    const { left, right, top } = await boxOf(page.locator('.nav'))
    places.add(`${left} ${right} ${top}`)
  }
  assert.equal(places.size, 1, [...places].join(', '))
  await context.close()
})

test('the name of a venue is whole on the pages about it, however long, and leaves none of them', async () => {
  const { page, context } = await openPage(browser, product, { viewport: { width: 320, height: 640 } })
  for (const [address, name] of [
    [`/filials/${table.filial_id}/details`, 'h1'],
    [`/filials/${table.filial_id}/reviews`, '.reviews > header > p'],
  ]) {
    await openHydrated(page, inLang(address, lang))
    const lost = await page
      .locator(name)
      .first()
      .evaluate((one) => {
        one.textContent = 'Ресторан высококвалифицированнейшей казахстанско-грузинской кухни '.repeat(5)
        return [one.scrollHeight - one.clientHeight, document.documentElement.scrollWidth - innerWidth]
      })
    assert.deepEqual(lost, [0, 0], address)
  }
  await context.close()
})

test('the rail of a menu fades out where more is to come, and its last chip stands before that', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu())
  const row = page.locator('.rail > div')
  const found = await row.evaluate((one) => {
    one.scrollLeft = one.scrollWidth
    const { maskImage } = getComputedStyle(one)
    const room = one.getBoundingClientRect().right - one.lastElementChild.getBoundingClientRect().right
    return { isLong: one.scrollWidth > one.clientWidth, maskImage, room }
  })
  assert.equal(found.isLong, true)
  const [, faded] = /270deg, .*, rgb\(0, 0, 0\) ([\d.]+)px/.exec(found.maskImage) ?? []
  assert.ok(Number(faded) >= 24, found.maskImage)
  assert.ok(found.room >= Number(faded) - 1, `${found.room} px beside the last chip`)
  await context.close()
})

test('on a desktop a short list that does not fill its line has the rows of the other lists, on a phone tiles', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu())
  const lists = page.locator('.tiles')
  const few = await lists.evaluateAll((all) => all.findIndex(({ children }) => children.length < 4))
  assert.ok(few >= 0, 'a list of few dishes')
  const dish = lists.nth(few).locator('.dish:has(img)').first()
  const row = page.locator('.dishes > .dish:has(img)').first()
  const photo = (one) => boxOf(one.locator('img'))
  assert.ok((await photo(dish)).width > 150, 'a tile')
  await page.setViewportSize(DESKTOP)
  await row.scrollIntoViewIfNeeded()
  const [own, other] = [await boxOf(dish), await boxOf(row)]
  assert.deepEqual([own.width, own.left], [other.width, other.left])
  assert.deepEqual((await photo(dish)).width, (await photo(row)).width)
  // Beside its name, not over it.
  assert.ok((await photo(dish)).left >= (await boxOf(dish.locator('h3'))).right)
  await context.close()
})

test('the first tile of a list has its width while the others are still coming', async () => {
  const { page, context } = await openPage(browser, product, { viewport: { width: 360, height: 740 } })
  await openHydrated(page, menu())
  const list = page.locator('.tiles:has(> .dish + .dish)').first()
  const [half, whole] = await list.evaluate((one) => {
    const widthOf = (tiles) => tiles.firstElementChild.getBoundingClientRect().width
    const coming = one.cloneNode(false)
    coming.append(one.firstElementChild.cloneNode(true))
    one.before(coming)
    const widths = [widthOf(coming), widthOf(one)]
    coming.remove()
    return widths
  })
  assert.equal(half, whole)
  await context.close()
})

test('what all guests like is called the choice of the venue by who has no favourites', async () => {
  const { page, context } = await openPage(browser, product)
  await open(page, menu())
  assert.equal(await page.locator('#h--2').textContent(), text(lang, 'menu.house'))
  await context.close()
})

test('the cart: short lines that open, rows that open, and sums that open, without scripts too', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const opened = await openPage(browser, product)
    const { context } = opened
    await fillCart(opened, table, table.plain.slice(0, 2), 2)
    const state = await context.storageState()
    const { page, context: other } = await openPage(browser, product, {
      javaScriptEnabled,
      storageState: state,
    })
    await (javaScriptEnabled ? openHydrated : open)(page, inLang('/cart', lang))
    const lines = page.locator('.lines .line')
    for (const line of await lines.all()) assert.ok((await boxOf(line)).height <= 88)
    assert.equal(await page.locator('.line .remove').first().isVisible(), false)
    await openLine(page)
    assert.ok(await page.locator('.line .remove').first().isVisible())
    assert.ok(await page.locator('.line .edit').first().isVisible())
    const comment = page.locator('textarea[name="comment"]')
    assert.equal(await comment.isVisible(), false)
    await page.locator('details:has(textarea[name="comment"]) > summary').click()
    assert.ok(await comment.isVisible())
    await other.close()
    await context.close()
  }
})

test('a single way to pay is told, not chosen', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang(table.qr, lang))
  await page.route('**/_data/cart*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    json.page.data.payments = ['cash']
    await route.fulfill({ response, json })
  })
  await page.locator('a.bar').click()
  const only = page.locator('.checkout .only')
  await only.getByText(text(lang, 'payment.cash')).waitFor()
  assert.equal(await only.locator('input[type="hidden"][name="payment"]').inputValue(), 'cash')
  assert.equal(await page.locator('.checkout input[type="radio"][name="payment"]').count(), 0)
  await context.close()
})

test('the page of an order begins with when it will be ready, how far it is and what is in it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const id = await placeOrder({ product, table, lang, opened })
  await product.sandboxApi.set('order/status', { order_id: id, status: 'cooking' })
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
  const { data } = (await dataOf(page)).page
  assert.ok(data.readyAt, 'the sandbox promises a time')
  const head = page.locator('.now [role="status"]')
  assert.match(await head.innerText(), /\d\d:\d\d/)
  assert.equal(await page.locator('.progress > [data-done]').count(), 2)
  assert.ok((await boxOf(page.locator('.progress'))).bottom < 740)
  const content = page.locator('section[aria-labelledby="content"]')
  assert.ok((await boxOf(content.locator('li').first())).bottom < 740, 'its dishes are in the first view')
  assert.ok(plainSpaces(await page.locator('.now').innerText()).includes(data.table))
  // One word for where it is: the step that it is at is called as the headline is.
  const now = page.locator('.steps [aria-current]')
  assert.ok((await now.innerText()).startsWith(await page.locator('h1').innerText()))
  await page.getByRole('button', { name: text(lang, 'dish.share') }).waitFor()

  // The strip of the menu tells the time as well.
  await openHydrated(page, inLang(table.qr, lang))
  const shell = (await dataOf(page)).shell
  assert.equal(shell.activeOrder.readyAt, data.readyAt)
  assert.match(await page.locator('a.strip').innerText(), /~\d\d:\d\d/)
  await context.close()
})

test('what a guest has written stays within a phone, is read from the left, and keeps its lines', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  const note = 'ы'.repeat(140)
  const status = await page.evaluate(
    (fields) =>
      fetch('/cart/lines', { method: 'POST', body: new URLSearchParams(fields) }).then((one) => one.status),
    { filial: table.filial_id, product: table.plain[1].id, delta: 1, note, back: '/cart' },
  )
  assert.equal(status, 200)
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  await openHydrated(page, inLang('/cart', lang))
  await openLine(page, 1)
  await fillRow(page, 'comment', `Аллергия:\nорехи\nhttps://example.com/${'a'.repeat(200)}`)
  assert.equal(await width(), 360, 'the cart')
  await payInCash(page)
  await pressOrder(page)
  await page.waitForURL(/\/order\//, { waitUntil: 'commit' })
  const comment = page.locator('.facts dd', { hasText: 'Аллергия' })
  await comment.waitFor()
  assert.ok((await page.locator('[aria-labelledby="content"]').innerText()).includes(note))
  assert.equal(await width(), 360, 'the order')
  assert.match(await comment.innerText(), /^Аллергия:\nорехи\nhttps:/)
  assert.equal(await comment.evaluate((one) => getComputedStyle(one).textAlign), 'start')
  // A sum stays at the right edge beside any of it.
  const [row, sum] = [page.locator('[aria-labelledby="content"] li').last(), '> .num']
  assert.equal((await boxOf(row.locator(sum))).right, (await boxOf(row)).right)
  await context.close()
})

test('an order of this browser that is over is called by one word in the list and on its own page', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const id = await placeOrder({ product, table, lang, opened })
  await product.sandboxApi.set('order/status', { order_id: id, status: 'completed' })
  await page.reload({ waitUntil: 'domcontentloaded' })
  const word = await page.locator('h1').textContent()
  assert.equal(word, text(lang, 'order.header.completed', { service: 'express' }))
  const listed = async () => {
    await open(page, inLang('/orders', lang))
    return page.locator('.placed b').first().textContent()
  }
  // A list tells what was known a few seconds ago.
  await untilTrue(async () => (await listed()) === word, PATIENCE, 'the list says the same')
  await context.close()
})

test('a guest at a table calls the waiter from the page of the order', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await placeOrder({ product, table, lang, opened })
  await page.getByRole('link', { name: text(lang, 'bill.call') }).click()
  await page.getByRole('button', { name: text(lang, 'bill.callSure') }).waitFor()
  await context.close()
})

test('a menu at rest has fetched the code of the cart', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await openHydrated(page, inLang(table.qr, lang))
  await atRest(page)
  const isCart = (one) => /\/assets\/cart-[^/]*\.js$/.test(new URL(one.url()).pathname)
  await untilTrue(() => requests.some(isCart), PATIENCE, 'the code of the cart')
  await context.close()
})

test('a menu that was reached from Home fetches the code of its search and of the cart once it rests', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await openHydrated(page, inLang('/', lang))
  await atRest(page)
  const has = (name) => requests.some((one) => new RegExp(`/assets/${name}-[^/]*\\.js$`).test(one.url()))
  assert.equal(has('cart'), false, 'nobody goes from Home to the cart')
  await page.locator('.venue a').first().click()
  await page.waitForURL(/\/filials\/\d+/, { waitUntil: 'commit' })
  await untilTrue(() => has('cart') && has('menuSearch'), PATIENCE, 'their code')
  await context.close()
})

test('the address of an order is given on by the phone, else by the clipboard, and tells its status alone', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const id = await placeOrder({ product, table, lang, opened })
  const share = page.locator('.at-hand button')
  const address = `${product.web}/filials/${table.filial_id}/order/${encodeURIComponent(id)}`
  await page.evaluate(() => {
    window.given = []
    navigator.share = async (what) => window.given.push(what)
  })
  await share.click()
  await untilTrue(() => page.evaluate(() => window.given.length === 1))
  const [{ url }] = await page.evaluate(() => window.given)
  assert.equal(decodeURIComponent(url), decodeURIComponent(address), 'no key goes with it')
  assert.equal(await share.innerText(), text(lang, 'dish.share'), 'the phone has said it')

  // A webview without either copies as in the old days, and one where that fails says so.
  const copies = (works) =>
    page.evaluate((does) => {
      delete navigator.share
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
      document.execCommand = () => {
        window.copied = document.activeElement.value
        return does
      }
    }, works)
  await copies(true)
  await share.click()
  await untilTrue(async () => (await share.innerText()) === text(lang, 'dish.copied'))
  assert.equal(await page.evaluate(() => window.copied), url)
  await copies(false)
  await share.click()
  await untilTrue(async () => (await share.innerText()) === text(lang, 'dish.copyFailed'))
  await context.close()
})

test('no venue is twice in what Home shows first, and a promo says by how much', async () => {
  const { page: home } = await pageData(product.web, inLang('/', lang))
  // Two rails are in the first view of a desktop, with four cards each.
  const first = home.data.rails.slice(0, 2).flatMap(({ venues }) => venues.slice(0, 4).map(({ id }) => id))
  assert.ok(first.length >= 6)
  assert.deepEqual(
    first.filter((id, at) => first.indexOf(id) !== at),
    [],
  )
  const { page, context } = await openPage(browser, product)
  await open(page, inLang('/', lang))
  const badges = await page.locator('.venue .badge').allInnerTexts()
  assert.ok(badges.length > 0)
  for (const badge of badges) assert.match(badge, /\u2212\d+\u00a0%/)
  const cards = await page.locator('#rail-promo').evaluate((heading) => {
    const [card] = heading.closest('section').querySelectorAll('ul > li')
    return innerWidth / card.getBoundingClientRect().width
  })
  assert.ok(cards >= 1.6 && cards <= 2, `${cards} cards`)
  await context.close()
})

test('a percent is a badge of one line in every rail of Home', async () => {
  const { page, context } = await openPage(browser, product, { viewport: { width: 1280, height: 800 } })
  await openHydrated(page, inLang('/', lang))
  const badges = page.locator('.venue .badge')
  assert.ok((await badges.count()) > 4)
  for (const badge of await badges.all()) assert.ok((await boxOf(badge)).height < 32)
  await context.close()
})

test('a promo of the list of all restaurants says by how much', async () => {
  const { page, context } = await openPage(browser, product)
  await open(page, inLang('/filials', lang))
  const badges = await page.locator('.group-photo .badge').allInnerTexts()
  assert.ok(badges.length > 0)
  for (const badge of badges) assert.match(badge, /\u2212\d+\u00a0%$/)
  await context.close()
})

test('on a phone the category that is chosen is in sight', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang('/filials?category=grocery', lang))
  const chip = page.locator('.chips > [aria-current]')
  await untilTrue(async () => (await boxOf(chip)).right <= PHONE.width, PATIENCE, 'its row has scrolled')
  assert.ok((await boxOf(chip)).left >= 0)
  await context.close()
})

test('on a narrow phone no word of the facts of a found restaurant lies on another', async () => {
  const { page, context } = await openPage(browser, product)
  await open(page, inLang(`/search?q=${encodeURIComponent('бургер')}`, lang))
  const facts = page.locator('.found-venue:has(> .open)')
  assert.ok((await facts.count()) > 0)
  // Which restaurant is closed depends on the hour.
  const overlaps = await facts.evaluateAll(
    (all, closed) =>
      all.filter((venue) => {
        const open = venue.querySelector(':scope > .open')
        open.textContent = closed
        const right = Math.max(
          ...[...venue.querySelectorAll(':scope > .num > span')].map(
            (one) => one.getBoundingClientRect().right,
          ),
        )
        const { left, top, right: end } = open.getBoundingClientRect()
        const bottom = venue.querySelector(':scope > .num').getBoundingClientRect().bottom
        return (left < right + 8 && top < bottom) || end > venue.getBoundingClientRect().right
      }).length,
    text(lang, 'venue.opensTomorrow', { time: '09:00' }),
  )
  assert.equal(overlaps, 0)
  await context.close()
})

test('on a narrow phone the addresses of Home end with the number of the house, with spaced letters too', async () => {
  for (const one of ['kk', 'ka']) {
    const { page, context } = await openPage(browser, product, {
      viewport: { width: 320, height: 640 },
      bypassCSP: true,
    })
    await openHydrated(page, inLang('/', one))
    // The spacing of WCAG 1.4.12, without that of its lines.
    for (const content of [
      '* {}',
      '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
    ]) {
      await page.addStyleTag({ content })
      const addresses = page.locator('.shelf .venue > .soft')
      assert.ok((await addresses.count()) > 3)
      const cut = await addresses.evaluateAll((all) =>
        all
          .filter((it) => it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight + 1)
          .map((it) => it.textContent),
      )
      assert.deepEqual(cut, [], `${one} ${content}`)
    }
    await context.close()
  }
})

test('the words that ask for an address are whole in the header of a narrow phone', async () => {
  for (const one of ['en', 'ru']) {
    const { page, context } = await openPage(browser, product)
    await open(page, inLang('/?service=delivery', one))
    const chip = page.locator('.head a.chip[href^="/addresses"] > span:last-child')
    assert.equal(await chip.textContent(), text(one, 'address.choose'))
    if (one === 'en') assert.ok(await chip.evaluate((words) => words.scrollWidth <= words.clientWidth))
    const head = await page.locator('.head > div').first().boundingBox()
    assert.ok(head.height < 80, 'the header has one row')
    await context.close()
  }
})

test('what was found in a restaurant begins at the edge of its name', async () => {
  const { page, context } = await openPage(browser, product)
  await open(page, inLang(`/search?q=${encodeURIComponent('лагман')}`, lang))
  const find = page.locator('.found-venue').first()
  const name = await boxOf(find.locator('h2').first())
  for (const dish of await find.locator('.dish h3').all()) assert.equal((await boxOf(dish)).left, name.left)
  await context.close()
})

test('the sign of a sum is smaller than its figures, in the menu, the cart and what is the guest’s own', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const look = (selector) =>
    page.locator(selector).evaluateAll((sums) =>
      sums.map((one) => {
        const size = (element) => Number.parseFloat(getComputedStyle(element).fontSize)
        const sign = one.querySelector('small')
        return sign !== null && size(sign) < size(one) && /[₸₾]/.test(sign.textContent)
      }),
    )
  for (const each of ['ru', 'kk']) {
    // A venue with sizes: its prices say from how much on.
    await open(page, inLang('/filials/1013', each))
    const prices = await look('.price > b')
    assert.ok(prices.length > 20)
    assert.ok(prices.every(Boolean), each)
  }
  await fillCart(opened, table, table.plain.slice(0, 2))
  await open(page, inLang('/cart', lang))
  const sums = await look('.line summary > b, .sums > summary > b, .totals dd')
  assert.ok(sums.length >= 3)
  assert.ok(sums.every(Boolean))
  const phone = '+77010000391'
  await signIn(opened, { phone })
  await buy(product, phone, 'takeaway')
  for (const [address, selector] of [
    ['/orders', '.orders .card b.num'],
    ['/profile/bonuses', '.purse > .sum'],
  ]) {
    await open(page, inLang(address, lang))
    const own = await look(selector)
    assert.ok(own.length > 0, address)
    assert.ok(own.every(Boolean), address)
  }
  await context.close()
})

test('a card has one bold link at most, and nothing of the cart competes with its button', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await placeOrder({ product, table, lang, opened })
  const boldOf = (selector) =>
    page
      .locator(selector)
      .evaluateAll((cards) =>
        cards.map(
          (card) =>
            [...card.querySelectorAll('.link')].filter((one) => getComputedStyle(one).fontWeight >= 600)
              .length,
        ),
      )
  for (const count of await boldOf('.card')) assert.ok(count <= 1)
  await fillCart(opened, table, table.plain.slice(0, 2))
  await open(page, inLang('/cart', lang))
  for (const count of await boldOf('.card')) assert.ok(count <= 1)
  assert.deepEqual(await boldOf('.consent'), [0])
  await context.close()
})

test('the button of the order is in view beside a short list, and leaving the table is quiet', async () => {
  const opened = await openPage(browser, product, { viewport: { width: 1280, height: 800 } })
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 3))
  await openHydrated(page, inLang('/cart', lang))
  assert.ok((await boxOf(page.locator('.order > .button'))).bottom <= 800)
  const leave = page.locator('form[action="/session/table/leave"] button')
  assert.equal(await leave.evaluate((one) => getComputedStyle(one).fontWeight), '400')
  await context.close()
})

test('a tablet shows large photos, keeps what is pressed low and large, and delivers nowhere', async () => {
  const { page, context } = await openPage(browser, product, { viewport: { width: 1280, height: 800 } })
  await page.clock.install()
  await openHydrated(page, '/filials/1043?source=TABLET')
  const veil = page.locator('dialog.veil')
  await veil.waitFor()
  const own = (await dataOf(page)).shell.lang
  await page.getByRole('button', { name: text(own, 'kiosk.start') }).click()
  await veil.waitFor({ state: 'detached' })
  assert.equal(await page.locator('.menu .dishes').count(), 0, 'all dishes are tiles')
  const photo = await boxOf(page.locator('.tiles img').first())
  assert.ok(photo.width >= 200, `${photo.width} px`)
  assert.equal(await page.locator('button[name="service"][value="delivery"]').count(), 0)
  const rail = await boxOf(page.locator('.rail'))
  assert.ok(rail.top >= (800 * 2) / 3, `the rail begins at ${rail.top}`)
  for (const what of ['.rail .chip', '.tiles .plus', '.rail summary']) {
    const { height } = await boxOf(page.locator(what).first())
    assert.ok(height >= 60, `${what}: ${height} px`)
  }
  await context.close()
})

/** What can be pressed and is lower than 60 px, but for words in the midst of a sentence and names that stand for a whole row. */
const smallTargets = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('a[href], button, summary, label.choice, input, textarea')]
      .filter((one) => {
        // A choice is pressed on its whole line.
        if (one.matches('[type="hidden"], [type="radio"], [type="checkbox"], h3 > a, .consent > a, .vh'))
          return false
        const { width, height } = one.getBoundingClientRect()
        return one.checkVisibility({ visibilityProperty: true }) && width > 0 && height < 60
      })
      .map((one) => `${one.localName}.${one.className}: ${one.getBoundingClientRect().height}`),
  )

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 800, height: 1280 },
])
  test(`on a tablet of ${viewport.width} px a dish and the cart are pressed by large targets, and ordered in the lower third`, async () => {
    const { page, context } = await openPage(browser, product, { viewport })
    await page.clock.install()
    await openHydrated(page, '/filials/1043?source=TABLET')
    const { shell, page: menu } = await dataOf(page)
    await page.getByRole('button', { name: text(shell.lang, 'kiosk.start') }).click()
    await page.locator('dialog.veil').waitFor({ state: 'detached' })
    const columns = await page
      .locator('.tiles')
      .first()
      .evaluate((one) => getComputedStyle(one).gridTemplateColumns)
    assert.ok(columns.split(' ').length >= 2, `photos beside each other: ${columns}`)
    const dishes = menu.data.categories.flatMap(({ products }) => products).filter(({ out }) => !out)
    const withChoice = dishes.find(({ options }) => options)
    await page.locator(`a[href*="item=${withChoice.id}"]`).first().click()
    await page.locator('dialog[open] .choice').first().waitFor()
    assert.deepEqual(await smallTargets(page), [])
    const add = await boxOf(page.locator('dialog[open] .button').last())
    assert.ok(add.top >= (viewport.height * 2) / 3, `a dish is added at ${add.top}`)
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    await addPlain(
      page,
      dishes.find(({ options }) => !options),
    )
    await page.locator('a[href$="/cart"]:not(.skip):visible').last().click()
    await page.locator('.order').waitFor()
    assert.deepEqual(await smallTargets(page), [])
    for (const row of await page.locator('.row > summary').all()) await row.click()
    assert.deepEqual(await smallTargets(page), [], 'opened')
    const order = await boxOf(page.locator('.order > .button'))
    assert.ok(order.top >= (viewport.height * 2) / 3, `it is ordered at ${order.top}`)
    assert.ok(order.bottom <= viewport.height)
    await context.close()
  })

for (const large of [false, true])
  test(`on an upright tablet a menu and its cart have one column${large ? ', with larger letters' : ''}`, async () => {
    const viewport = { width: 800, height: 1280 }
    const { page, context } = await openPage(browser, product, { viewport, reducedMotion: 'reduce' })
    await page.clock.install()
    await openHydrated(page, '/filials/1043?source=TABLET')
    const { shell, page: menu } = await dataOf(page)
    await page.getByRole('button', { name: text(shell.lang, 'kiosk.start') }).click()
    await page.locator('dialog.veil').waitFor({ state: 'detached' })
    if (large) {
      await page.getByRole('button', { name: text(shell.lang, 'kiosk.larger') }).click()
      await page.getByRole('button', { name: text(shell.lang, 'kiosk.usual') }).waitFor()
      await hydrated(page)
    }
    const whole = await page.locator('.menu .tiles > .dish').evaluateAll((all) => {
      const end = document.querySelector('.rail').getBoundingClientRect().top
      return all.filter((one) => one.querySelector('.price').getBoundingClientRect().bottom <= end).length
    })
    assert.ok(whole >= 2, `${whole} dishes are whole on the first screen`)
    assert.equal(await page.locator('.beside').isVisible(), false)
    const dishes = menu.data.categories.flatMap(({ products }) => products)
    await addPlain(
      page,
      dishes.find(({ out, options }) => !out && !options),
    )
    const bar = page.locator('.bar')
    await bar.waitFor()
    const above = await boxOf(page.locator('.rail'))
    assert.ok((await boxOf(bar)).bottom <= above.top, 'the bar of the cart stands over the categories')
    await bar.click()
    const order = page.locator('.order > .button')
    await order.waitFor()
    const [lines, pay] = [await boxOf(page.locator('.chosen')), await boxOf(page.locator('.pay'))]
    assert.ok(lines.left === pay.left && lines.right === pay.right, 'one column')
    const { width, bottom } = await boxOf(order)
    assert.ok(width > 600 && bottom <= viewport.height, `${width} px, to ${bottom}`)
    await context.close()
  })

test('empty and lost pages have a drawing of their own', async () => {
  const { page, context } = await openPage(browser, product)
  const ofMenu = `/filials/${table.filial_id}/search?q=zzzzqq`
  for (const address of ['/cart', '/nothing', '/orders', '/search?q=zzzzqq', '/filials?q=zzzzqq', ofMenu]) {
    await open(page, inLang(address, lang))
    const scene = page.locator('.empty .scene')
    assert.ok(await scene.isVisible(), address)
    assert.equal(await scene.getAttribute('aria-hidden'), 'true')
    assert.ok(await page.locator('.empty :is(a, button)').first().isVisible(), `${address} leads on`)
  }
  await context.close()
})

test('a menu without dishes says so in its place, also of a venue that was entered from another one', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang('/filials/1243', lang))
  assert.equal(await page.locator('.menu .empty h2').textContent(), text(lang, 'noMenu.empty'))
  await page.locator('.empty a').click()
  await page.locator('.groups').first().waitFor()
  await page.goBack()
  assert.equal(await page.locator('.menu .empty h2').textContent(), text(lang, 'noMenu.empty'))
  await context.close()
})

// The last one: what has failed is let rest for a while.
test('what did not come has one drawing everywhere, says what is missing and asks for it again', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  const { sandboxApi } = product
  // A town, a venue and words that nothing else asks about: of others the last good answer would be shown.
  await context.addCookies([{ name: 'townId', value: '5', url: product.web }])
  for (const [address, said, ...paths] of [
    ['/filials/1183', 'noMenu.failed', '/menu/v2/category'],
    ['/filials/1173/search?q=never', 'menuFind.failed', '/menu/v2/category'],
    ['/filials/1183/reviews', 'reviews.failed', '/reviews/v1/reviews'],
    ['/', 'venues.failed', '/takeaway', '/brandy'],
    ['/brands', 'venues.failed', '/brandy'],
    ['/filials?q=never', 'venues.failed', '/takeaway/v2/locations'],
    ['/brands/filials?brand=9', 'venues.failed', '/takeaway', '/brandy'],
    ['/search?q=never', 'find.failed', '/menu/v3/search'],
  ]) {
    for (const path of paths) await sandboxApi.set('faults', { path, kind: 'status', status: 500 })
    await open(page, inLang(address, lang))
    const shown = page.locator('.empty')
    assert.equal(await shown.locator('h2').textContent(), text(lang, said), address)
    assert.ok(await shown.locator('.scene').isVisible(), address)
    const again = await shown.getByRole('link', { name: text(lang, 'app.retry') }).getAttribute('href')
    assert.equal(again, address)
    await sandboxApi.clear('faults')
  }
  await context.close()
})

test('on a phone a dish has all of its name, and in a tile its price in one line', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  const cut = (names) =>
    names.filter((one) => one.scrollHeight > one.clientHeight).map((one) => one.textContent)
  await openHydrated(page, inLang('/filials/1013', 'kk'))
  assert.deepEqual(await page.locator('.tiles h3').evaluateAll(cut), [])
  const prices = page.locator('.tiles .price', { hasText: '-ден' })
  assert.ok((await prices.count()) > 0)
  for (const price of await prices.all()) assert.ok((await boxOf(price)).height < 36)
  await openHydrated(page, inLang('/search?q=пиво', lang))
  assert.deepEqual(await page.locator('.found-venue .dish h3').evaluateAll(cut), [])
  await page.setViewportSize({ width: 320, height: 740 })
  await openHydrated(page, inLang('/filials/1033', 'kk'))
  const long = page.locator('.dishes h3', { hasText: 'Лимон мен жалбыз лимонады' }).first()
  await long.scrollIntoViewIfNeeded()
  assert.deepEqual(await long.evaluateAll(cut), [])
  await context.close()
})

test('the open list of categories lies over the bar of the cart', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang(table.qr, lang))
  await page.locator('.rail summary').click()
  const over = await page.evaluate(() => {
    const [list, bar] = ['.rail ul', '.bar'].map((one) => document.querySelector(one).getBoundingClientRect())
    const [x, y] = [bar.left + bar.width / 2, bar.top + 4]
    return list.bottom > y && document.elementFromPoint(x, y).closest('.rail, .bar').className
  })
  assert.equal(over, 'rail')
  await context.close()
})

test('the ring of a focused dish is drawn over its photo, and its plus is still pressed', async () => {
  const { page, context } = await openPage(browser, product, { viewport: DESKTOP })
  await openHydrated(page, menu())
  for (const list of ['.tiles', '.dishes']) {
    const dish = page.locator(`${list} > .dish[data-photo]:has(form.step)`).first()
    await dish.locator('h3 > a').scrollIntoViewIfNeeded()
    await page.keyboard.press('Tab')
    await dish.locator('h3 > a').focus()
    const top = (what) =>
      dish.locator(what).evaluate((one) => {
        const { left, top, width, height } = one.getBoundingClientRect()
        return document.elementFromPoint(left + width / 2, top + height / 2)?.localName
      })
    assert.equal(await top('img'), 'a', list)
    assert.equal(await top('.plus'), 'button', list)
  }
  await context.close()
})

test('the ring of a focused dish goes through none of its words, and nothing cuts it off', async () => {
  for (const viewport of [DESKTOP, PHONE, { width: 320, height: 640 }]) {
    const { page, context } = await openPage(browser, product, { viewport })
    await openHydrated(page, menu())
    for (const list of ['.tiles', '.dishes']) {
      const dish = page.locator(`${list} > .dish`).first()
      await dish.locator('h3 > a').scrollIntoViewIfNeeded()
      await page.keyboard.press('Tab')
      await dish.locator('h3 > a').focus()
      const { ring, room } = await dish.evaluate((one) => {
        const link = one.querySelector('h3 > a')
        const { left, right, outlineWidth, outlineOffset } = getComputedStyle(link, '::after')
        const row = one.getBoundingClientRect()
        const words = document.createRange()
        words.selectNodeContents(link)
        const start = words.getBoundingClientRect().left
        const edge = [row.left + parseFloat(left), row.right - parseFloat(right)]
        // What it lies in cuts off what is outside of it.
        const cut = [
          ...(function* () {
            for (let at = one; at; at = at.parentElement) yield at
          })(),
        ]
          .filter(
            (at) =>
              getComputedStyle(at).contentVisibility === 'auto' ||
              getComputedStyle(at).overflowX !== 'visible',
          )
          .map((at) => at.getBoundingClientRect())
          .filter((at) => at.left > edge[0] || at.right < edge[1])
        // Without an offset it lies outside of its box.
        const width = parseFloat(outlineWidth)
        const inner = edge[0] - Math.min(0, parseFloat(outlineOffset))
        edge[0] -= Math.max(0, width + parseFloat(outlineOffset))
        return { ring: { edge, width, cut: cut.length }, room: start - inner }
      })
      const where = `${viewport.width} ${list} ${JSON.stringify({ ring, room })}`
      assert.ok(ring.width >= 3 && room >= 2, where)
      assert.ok(ring.edge[0] >= 0 && ring.edge[1] <= viewport.width && ring.cut === 0, where)
    }
    await context.close()
  }
})

test('rows of dishes have one gap between a name and its words, however many lines the name takes', async () => {
  for (const viewport of [{ width: 360, height: 740 }, DESKTOP]) {
    const { page, context } = await openPage(browser, product, { viewport })
    await openHydrated(page, menu())
    const gaps = await page
      .locator('.dishes > .dish[data-photo]:has(h3 + p:not(.price))')
      .evaluateAll((rows) =>
        rows.map((row) => {
          row.style.contentVisibility = 'visible'
          const [name, words] = [row.querySelector('h3'), row.querySelector('h3 + p')]
          const range = document.createRange()
          range.selectNodeContents(name)
          const end = Math.max(...[...range.getClientRects()].map(({ bottom }) => bottom))
          return Math.round(
            words.getBoundingClientRect().top - Math.min(end, name.getBoundingClientRect().bottom),
          )
        }),
      )
    assert.ok(gaps.length > 6, `${gaps.length} rows`)
    assert.ok(Math.max(...gaps) - Math.min(...gaps) <= 2, `${viewport.width}: ${gaps}`)
    await context.close()
  }
})

test('each service has a sign of its own where it is offered, and all ways to pay online are told', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(`/filials/${table.filial_id}/details`, lang))
  const signs = await page
    .locator('[aria-labelledby="services"] use')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href').split('#')[1]))
  assert.equal(new Set(signs).size, signs.length, signs.join())
  const pays = plainSpaces(await page.locator('[aria-labelledby="payment"]').innerText())
  assert.match(pays, /карт.* QR/i)
  await context.close()
})

test('on a phone the chip of the table names its venue below the table, which is whole', async () => {
  for (const lang of ['ru', 'kk', 'en', 'ka']) {
    const own = await findTable(product, { country: countryOf(lang) })
    const { page, context } = await openPage(browser, product)
    await openHydrated(page, inLang(own.qr, lang))
    const venue = await page.evaluate(
      () => JSON.parse(document.getElementById('data').textContent).page.data.venue.name,
    )
    for (const width of [320, 360, 768]) {
      await page.setViewportSize({ width, height: 740 })
      for (const address of ['/filials', '/orders']) {
        await openHydrated(page, inLang(address, lang))
        const chip = page.locator('.head .table')
        const found = await chip.evaluate((one) => {
          const words = document.createRange()
          words.selectNode(one.firstChild)
          const [table, whole] = [words.getBoundingClientRect(), one.getBoundingClientRect()]
          const name = one.querySelector('span')
          const at = name.getBoundingClientRect()
          return {
            number: words.getClientRects().length,
            inside: table.left >= whole.left && table.right <= whole.right,
            below: at.top >= table.bottom - 4 && at.bottom <= whole.bottom,
            room: at.width,
            name: name.textContent,
          }
        })
        const where = `${lang} ${width} ${address} ${JSON.stringify(found)}`
        assert.ok(found.number === 1 && found.inside && found.below && found.room >= 40, where)
        assert.equal(found.name, venue, where)
        assert.ok((await boxOf(page.locator('.head'))).height <= 56, `${where}: one row`)
      }
    }
    await context.close()
  }
})

test('the sum of bonuses in the header is called that, by a word above it', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await signIn(opened)
  await fillCart(opened, table, table.plain.slice(0, 1))
  for (const lang of ['ru', 'kk', 'en']) {
    await openHydrated(page, inLang('/cart', lang))
    const chip = page.locator('.chip.balance')
    assert.ok((await chip.innerText()).includes(text(lang, 'app.balance')), lang)
    const word = await boxOf(chip.locator('small'))
    assert.ok(word.width > 20 && word.height > 10, `${lang}: it is seen`)
    assert.ok((await boxOf(chip)).width < 96, `${lang}: it leaves room for the others`)
    assert.ok(await page.locator('.head .table').isVisible())
    assert.equal((await boxOf(page.locator('.head'))).height, 56, `${lang}: all of it in one row`)
    const { width, right } = await boxOf(page.locator('.lang summary'))
    assert.ok(width >= 44 && right <= 352, `${lang}: ${width} px to ${right}`)
  }
  await context.close()
})

test('the number of an order stays in one line with letters twice as large', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await placeOrder({ product, table, lang, opened })
  const number = page.locator('.ticket')
  await number.waitFor()
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 640 })
    for (const letters of ['100%', '200%']) {
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size
      }, letters)
      const look = await number.evaluate((one) => ({
        lines: one.getClientRects().length,
        end: one.getBoundingClientRect().right - one.closest('.card').getBoundingClientRect().right,
      }))
      assert.equal(look.lines, 1, `${letters} at ${width}`)
      assert.ok(look.end < 0, `${letters} at ${width}: it goes ${look.end} px beyond its card`)
    }
  }
  await context.close()
})

test('where a dish of a link is gone, its menu is the main way on', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(`/filials/${table.filial_id}?item=999999`, lang))
  const main = await page.locator('.empty .button:not([data-quiet])').allTextContents()
  assert.deepEqual(main, [text(lang, 'notFound.menu')])
  await context.close()
})
