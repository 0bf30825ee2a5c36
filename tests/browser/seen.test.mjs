/** Small things that a guest meets: where Back and the logo lead, where a refused form and another language leave one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  atRest,
  atUrl,
  begun,
  DESKTOP,
  hydrated,
  inLang,
  LANGS,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  PHONE,
  pageData,
  qrPath,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'kk'
setStage()

for (const javaScriptEnabled of [true, false]) {
  test(`a refused booking leads to the first field that is wrong, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled })
    const go = javaScriptEnabled ? openHydrated : open
    const { data } = (await pageData(product.web, '/brands/booking')).page
    let found = false
    for (const { id } of data.venues) {
      const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
      await go(page, inLang(`/brands/booking?filial=${id}&date=${day}`, lang))
      found = (await page.locator('input[name="time"]:not(:disabled)').count()) > 0
      if (found) break
    }
    assert.ok(found, 'a venue with a free time')
    await page.locator('.slots label:has(input:not(:disabled))').first().click()
    await page.locator('form.table-for input[name="name"]').fill('Айша')
    await page.locator('form.table-for input[name="phone"]').fill('12')
    await page.locator('form.table-for button[type="submit"]').last().click()
    const phone = page.locator('input[name="phone"][aria-invalid="true"]')
    await phone.waitFor()
    await untilTrue(
      () => phone.evaluate((element) => element === document.activeElement),
      PATIENCE,
      'the wrong field has the focus',
    )
    const seen = await phone.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
    assert.ok(seen, 'it is in view')
    // Its reason stands there, and nothing above it says that something is wrong once more.
    const described = (await phone.getAttribute('aria-describedby')).split(' ')
    const reason = await page.locator('.table-for .error').getAttribute('id')
    assert.ok(described.includes(reason))
    assert.equal(await page.locator('[role="alert"], .notes').count(), 0)
    await context.close()
  })
}

for (const javaScriptEnabled of [true, false]) {
  test(`a booking without a time comes back to its times, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled, viewport: PHONE })
    const go = javaScriptEnabled ? openHydrated : open
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    // The address of the form is that of its refusal: there the place on the page is kept otherwise.
    const address = `/brands/booking?filial=${table.filial_id}&date=${day}&guests=2`
    await go(page, inLang('/brands/booking', lang))
    await go(page, address)
    await page.locator('form.table-for input[name="name"]').fill('Айша')
    await page.locator('form.table-for input[name="phone"]').fill('+7 701 000 00 12')
    await page.locator('form.table-for button[type="submit"]').last().click()
    const error = page.locator('#time-error')
    await error.waitFor()
    if (javaScriptEnabled) await hydrated(page)
    assert.equal(await error.textContent(), text(lang, 'errors.chooseTime'))
    await untilTrue(
      () =>
        error.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          return element === document.activeElement && top >= 0 && bottom <= innerHeight
        }),
      PATIENCE,
      'what is missing has the focus and is in view',
    )
    assert.equal(await page.locator('[role="alert"], .notes').count(), 0, 'it is said once')
    assert.equal(await page.locator('input[name="name"]').inputValue(), 'Айша')
    await context.close()
  })
}

for (const javaScriptEnabled of [true, false]) {
  test(`a booking with several wrong fields leads to the first of them, in view, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled, viewport: PHONE })
    const go = javaScriptEnabled ? openHydrated : open
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await go(page, inLang('/brands/booking', lang))
    await go(page, `/brands/booking?filial=${table.filial_id}&date=${day}&guests=2`)
    await page.locator('form.table-for input[name="name"]').fill('')
    await page.locator('form.table-for input[name="phone"]').fill('12')
    await page.locator('form.table-for button[type="submit"]').last().click()
    const errors = page.locator('.table-for .error')
    await untilTrue(async () => (await errors.count()) > 1, PATIENCE, 'more than one is wrong')
    if (javaScriptEnabled) await hydrated(page)
    await untilTrue(
      () =>
        errors.first().evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          const own =
            element === document.activeElement || element.parentElement.contains(document.activeElement)
          return own && top >= 0 && bottom <= innerHeight
        }),
      PATIENCE,
      'the first has the focus and is in view',
    )
    await context.close()
  })
}

test('a booking keeps what was chosen and typed over a reload, refused or not, and nothing of it once it is booked', async () => {
  const { page, context } = await openPage(browser, product, { viewport: PHONE })
  const day = new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10)
  const form = page.locator('form.table-for')
  const times = form.locator('input[name="time"]:not(:disabled)')
  const reload = async () => {
    await page.reload({ waitUntil: 'domcontentloaded' })
    await begun(page, 'background-')
  }
  const stands = (values) =>
    untilTrue(
      () =>
        form.evaluate((element, wanted) => {
          const sent = new FormData(element)
          return Object.entries(wanted).every(([name, value]) => sent.get(name) === value)
        }, values),
      PATIENCE,
      JSON.stringify(values),
    )
  await openHydrated(page, inLang(`/brands/booking?filial=${table.filial_id}&date=${day}`, lang))
  await begun(page, 'background-')
  const time = await times.last().getAttribute('value')
  await times.last().check()
  await reload()
  await stands({ time })

  const typed = { time, name: 'Айша', phone: '12', comment: 'терезе жанында' }
  for (const name of ['name', 'phone', 'comment']) await form.locator(`[name="${name}"]`).fill(typed[name])
  await form.locator('button[type="submit"]').last().click()
  await form.locator('[name="phone"][aria-invalid="true"]').waitFor()
  await begun(page, 'background-')
  // What was typed comes back with the refusal; from then on the browser alone has it.
  for (let times = 0; times < 2; times += 1) {
    await reload()
    await stands(typed)
  }

  await form.locator('[name="phone"]').fill('+7 701 000 00 12')
  await form.locator('button[type="submit"]').last().click()
  await atUrl(page, /[?&]booking=/)
  await begun(page, 'background-')
  await untilTrue(() => page.evaluate(() => sessionStorage.getItem('typed') === null))
  await openHydrated(page, inLang(`/brands/booking?filial=${table.filial_id}&date=${day}`, lang))
  await begun(page, 'background-')
  await stands({ time: null, comment: '' })
  await context.close()
})

test('a finger leaves no hover on a button', async () => {
  const { page, context } = await openPage(browser, product, { hasTouch: true, isMobile: true })
  await openHydrated(page, inLang(`/filials/${table.filial_id}/reviews`, lang))
  await page.evaluate(() => {
    const button = document.createElement('button')
    button.className = 'button'
    button.textContent = 'x'
    document.querySelector('main').prepend(button)
  })
  const button = page.locator('main > .button')
  const look = () => button.evaluate((element) => getComputedStyle(element).backgroundImage)
  await button.tap()
  // What is pressed stays pressed for a moment after a tap.
  await untilTrue(() => button.evaluate((element) => !element.matches(':active')))
  assert.ok(await button.evaluate((element) => element.matches(':hover')), 'the finger is still felt')
  assert.equal(await look(), 'none')
  await button.evaluate((element) => element.setAttribute('aria-busy', 'true'))
  assert.notEqual(await look(), 'none')
  await context.close()
  const mouse = await openPage(browser, product)
  await openHydrated(mouse.page, inLang(`/filials/${table.filial_id}/reviews`, lang))
  const link = mouse.page.locator('main .button').first()
  await link.hover()
  assert.notEqual(await link.evaluate((element) => getComputedStyle(element).backgroundImage), 'none')
  await link.focus()
  assert.equal(await link.evaluate((element) => getComputedStyle(element).borderRadius), '24px')
  await mouse.context.close()
})

test('Back on the menu of a scanned code leads to the front, and the table is still there after it', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(table.qr, lang))
  assert.equal(await page.locator('a.back').getAttribute('href'), '/')
  await page.locator('a.back').click()
  await atUrl(page, (url) => url.pathname === '/')
  await page.locator('.chip.table').waitFor()
  await context.close()
})

test('the link of the logo is as wide as its mark and its word', async () => {
  const { page, context } = await openPage(browser, product, { viewport: DESKTOP })
  await open(page, inLang('/', lang))
  const [link, mark, word] = await page.locator('a.logo').evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const { width } = getComputedStyle(element, '::before')
    return [
      element.getBoundingClientRect().width,
      Number.parseFloat(width),
      range.getBoundingClientRect().width,
    ]
  })
  assert.ok(link < mark + word + 40, `${link} px for a mark of ${mark} px and a word of ${word} px`)
  await context.close()
})

test('a desktop has the way home beside the heading of a page, a phone has the heading alone', async () => {
  const { page, context } = await openPage(browser, product, { viewport: DESKTOP })
  await openHydrated(page, inLang('/cart', lang))
  const logo = page.locator('a.logo')
  assert.ok(await logo.isVisible())
  const [mark, heading] = await Promise.all([logo.boundingBox(), page.locator('.head h1').boundingBox()])
  assert.ok(mark.x + mark.width <= heading.x && mark.y < heading.y + heading.height, 'in one line')
  await page.setViewportSize({ width: 360, height: 740 })
  assert.ok(!(await logo.isVisible()))
  await page.setViewportSize(DESKTOP)
  await logo.click()
  await atUrl(page, (url) => url.pathname === '/')
  await context.close()
})

const topOf = (page, link) =>
  page
    .locator(link)
    .last()
    .evaluate((element) => element.getBoundingClientRect().top)

test('another language leaves the guest where the page was read, and so does Back', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(`/filials/${table.filial_id}`, lang))
  await atRest(page)
  const dish = `main .dishes a[href*="item=${table.plain.at(-1).id}"]`
  await page
    .locator(dish)
    .last()
    .evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const before = await topOf(page, dish)
  assert.ok((await page.evaluate(() => window.scrollY)) > 300)
  // Not by the mouse: Playwright would scroll the sticky header into view.
  await page.locator('.lang a[hreflang="ru"]').evaluate((element) => element.click())
  await page.locator('html[lang="ru"]').waitFor({ state: 'attached' })
  const near = async () => Math.abs((await topOf(page, dish)) - before) < 200
  await untilTrue(near, PATIENCE, `the dish stands at ${before} again`)
  await page.goBack()
  await untilTrue(near, PATIENCE, 'and after Back')
  await context.close()
})

test('Georgian words are whole at 320 px', async () => {
  const { page, context } = await openPage(browser, product, { viewport: { width: 320, height: 640 } })
  const venue = (await product.sandboxApi.tables()).find((one) => one.country === 'ge').filial_id
  const torn = []
  for (const address of [
    '/',
    '/filials',
    `/filials/${venue}`,
    `/filials/${venue}/details`,
    '/cart',
    '/faq',
    '/brands/booking',
  ]) {
    await open(page, inLang(address, 'ka'))
    const words = await page.evaluate(() => {
      const found = []
      const walker = document.createTreeWalker(document.querySelector('#app'), NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement.closest('.vh, [hidden], details:not([open]) > :not(summary)')) continue
        for (const match of node.data.matchAll(/[\u10d0-\u10ff]{2,}/g)) {
          const range = document.createRange()
          range.setStart(node, match.index)
          range.setEnd(node, match.index + match[0].length)
          const lines = new Set(
            [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)),
          )
          if (lines.size > 1) found.push(match[0])
        }
      }
      return found
    })
    torn.push(...words.map((word) => `${address}: ${word}`))
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(wide <= 320, `${address} is ${wide} px wide`)
  }
  assert.deepEqual(torn, [])
  await context.close()
})

test('the line about the connection covers neither the title nor the table', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(table.qr, lang))
  await context.setOffline(true)
  const line = page.locator('.connection')
  await untilTrue(async () => (await line.textContent()) === text(lang, 'app.offline'), PATIENCE, 'the line')
  for (const what of ['.chip.table', '.about h1', '.lang summary']) {
    const covered = await page.locator(what).evaluate((element) => {
      const own = element.getBoundingClientRect()
      const over = document.querySelector('.connection').getBoundingClientRect()
      return own.top < over.bottom && over.top < own.bottom && own.left < over.right && over.left < own.right
    })
    assert.equal(covered, false, what)
  }
  await context.setOffline(false)
  await context.close()
})

test('a field with suggestions is a text field with the keys of a search', async () => {
  const { page, context } = await openPage(browser, product)
  await open(page, inLang('/', lang))
  const field = page.locator('input[role="combobox"]')
  assert.equal(await field.getAttribute('type'), 'text')
  assert.equal(await field.getAttribute('inputmode'), 'search')
  assert.equal(await field.getAttribute('enterkeyhint'), 'search')
  await context.close()
})

/** Pages with the logo, with the name of a venue, with one word as their heading, and with several. */
const headed = (venue) => ['/', `/filials/${venue}`, '/cart', '/filials', '/map', '/faq']

for (const language of LANGS) {
  test(`no word of the header is cut beside the number of a table, ${language}`, async () => {
    const country = language === 'ka' ? 'ge' : 'kz'
    const at = (await product.sandboxApi.tables()).find((one) => one.country === country)
    const { page, context } = await openPage(browser, product)
    await open(page, qrPath(at))
    for (const address of headed(at.filial_id)) {
      await openHydrated(page, inLang(address, language))
      await page.locator('.chip.table').waitFor()
      for (const width of [320, 360, 400]) {
        await page.setViewportSize({ width, height: 740 })
        assert.deepEqual(await page.evaluate(cutWords), [], `${address} at ${width} px`)
      }
    }
    // On a tablet the header has one row: of Home, where address and table stand in it, and of the list of venues.
    for (const address of ['/', '/filials']) {
      await openHydrated(page, inLang(address, language))
      await page.setViewportSize({ width: 768, height: 1024 })
      const height = await page.locator('.head').evaluate((head) => head.offsetHeight)
      assert.ok(height <= 57, `${address}: a header of ${height} px`)
    }
    await context.close()
  })
}

/** What is seen of the header and has less room than its words. */
function cutWords() {
  const isBelow = (element) => {
    const line = element.parentElement?.getBoundingClientRect()
    return line && element.getBoundingClientRect().top >= line.bottom
  }
  const wrong = [...document.querySelectorAll('.head > div *')].filter((element) => {
    if (element.closest('.vh, ul, svg') || element.clientWidth === 0) return false
    // The word of the logo goes out of sight as a whole.
    if (element.closest('.logo') && isBelow(element)) return false
    // The name of the venue below the number of its table ends in dots.
    if (element.matches('.table > span')) return false
    return element.scrollWidth > element.clientWidth || getComputedStyle(element).visibility !== 'visible'
  })
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(document.documentElement)
  return wrong.map(({ className, textContent }) => `${className}: ${textContent}`.slice(0, 60))
}
