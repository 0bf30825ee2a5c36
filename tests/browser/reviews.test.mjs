/** Reviews with scripts, without them, and with the keyboard alone (L81, PY-09). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn, typePhoneAndCode } from './flows.mjs'
import {
  atUrl,
  begun,
  dataOf,
  hydrated,
  inLang,
  inWebview,
  listensToHost,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  text,
  unexpected,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

const PAGE = '/filials/1013/reviews'
const FORM = `${PAGE}/new`
const lang = 'ru'

setStage({ withTable: false })

const own = async (page) => (await dataOf(page)).page.data.own

/** How often a review was reported. */
async function reports(id) {
  const { data } = await product.sandboxApi.get('reviews?filial_id=1013')
  return data.find((one) => one.id === id).reports
}

for (const javaScriptEnabled of [true, false]) {
  test(`a guest signs in to write, corrects the form, and waits for the moderator (scripts: ${javaScriptEnabled})`, async () => {
    const { context, page, problems } = await openPage(browser, product, { javaScriptEnabled })
    const settled = () => (javaScriptEnabled ? hydrated(page) : page.waitForLoadState('domcontentloaded'))
    const send = page.getByRole('button', { name: text(lang, 'reviewForm.send') })
    // Others may still be told what was published a moment ago.
    const words = javaScriptEnabled ? 'Ертең келеміз!' : 'Қайта келеміз!'
    await open(page, inLang('/filials/1013/details', lang))
    await settled()
    await page.locator(`a[href="${PAGE}"]`).click()
    await atUrl(page, (url) => url.pathname === PAGE)
    await page.locator(`a[href="${FORM}"]`).first().click()
    await typePhoneAndCode(page)
    await atUrl(page, (url) => url.pathname === FORM)
    await settled()

    // Words without stars: what is wrong stands at the stars, and the words stay.
    await page.locator('textarea').fill(`Дәмді.\n${words}`)
    await send.click()
    await page.locator('#ungraded').waitFor()
    assert.equal(await page.locator('textarea').inputValue(), `Дәмді.\n${words}`)
    await page.locator('.stars label').nth(3).click()
    if (javaScriptEnabled) await page.locator('#ungraded').waitFor({ state: 'detached' })

    // The upstream is down: it is said, nothing is lost, and the next press does it.
    await product.sandboxApi.set('faults', {
      path: '/reviews/v1/reviews',
      method: 'POST',
      kind: 'status',
      status: 500,
    })
    await send.click()
    await page.getByText(text(lang, 'errors.notDone')).waitFor()
    assert.equal(await page.locator('textarea').inputValue(), `Дәмді.\n${words}`)
    assert.equal(await page.locator('[name="rating"]:checked').inputValue(), '4')
    await product.sandboxApi.clear('faults')
    await send.click()
    await atUrl(page, (url) => url.pathname === PAGE)
    await page.getByText(text(lang, 'reviews.pending')).waitFor()
    await page.locator('.own .words[lang="kk"]').waitFor()

    const otherGuest = await openPage(browser, product)
    await openHydrated(otherGuest.page, inLang(PAGE, lang))
    assert.equal(await otherGuest.page.getByText(words).count(), 0)
    await otherGuest.context.close()

    await page.reload({ waitUntil: 'domcontentloaded' })
    const { review } = await own(page)
    await product.sandboxApi.set('review', { review_id: review.id, state: 'published' })
    await page.reload({ waitUntil: 'domcontentloaded' })
    await settled()
    await page.getByText(text(lang, 'reviews.published')).waitFor()

    // And away again.
    await page.locator('.own details > summary').click()
    await page.getByRole('button', { name: text(lang, 'reviews.removeSure') }).click()
    await atUrl(page, /removed=1/)
    await page.getByText(text(lang, 'reviews.removed')).waitFor()
    assert.deepEqual(unexpected(problems, { problem: /422|foreign request|favicon/ }), [])
    await context.close()
  })

  test(`pages of reviews are turned, read in one language and reported (scripts: ${javaScriptEnabled})`, async () => {
    const { context, page, problems } = await openPage(browser, product, { javaScriptEnabled })
    await open(page, inLang(PAGE, lang))
    await page.locator('.turn a[rel="next"]').click()
    await atUrl(page, /page=2/)
    await page.getByText(text(lang, 'reviews.page', { page: 2, last: await last(page) })).waitFor()
    await page.locator('.turn a[rel="prev"]').click()
    await atUrl(page, (url) => url.pathname === PAGE && !url.searchParams.has('page'))
    await page.locator('.chips a[href$="in=en"]').click()
    await atUrl(page, /in=en/)
    await page.locator('.chips [aria-current][href$="in=en"]').waitFor()
    const item = page.locator('.list > li').nth(javaScriptEnabled ? 0 : 1)
    const id = Number((await item.getAttribute('id')).slice(1))
    if (javaScriptEnabled) await hydrated(page)
    await item.locator('summary').click()
    // A reason alone sends nothing.
    await item.getByText(text(lang, 'reviews.wrong.spam')).click()
    assert.equal(await reports(id), 0)
    const press = item.getByRole('button', { name: text(lang, 'reviews.send') })
    // Impatient fingers.
    await (javaScriptEnabled ? press.dblclick() : press.click())
    await atUrl(page, new RegExp(`reported=${id}`))
    await page.locator(`#r${id}`).getByText(text(lang, 'reviews.reported')).waitFor()
    // The word stands in the place of what was pressed, and has the focus.
    if (javaScriptEnabled) await page.locator(`#r${id} > .note:focus`).waitFor()
    await page.waitForFunction(
      (one) => document.getElementById(one).getBoundingClientRect().top < innerHeight,
      `r${id}`,
    )
    assert.equal(new URL(page.url()).searchParams.get('in'), 'en', 'the guest stays where the review stands')
    assert.equal(await reports(id), 1)
    assert.deepEqual(unexpected(problems), [])
    await context.close()
  })
}

const last = async (page) => {
  const href = await page.locator('.turn').innerText()
  return Number(href.match(/\d+/g).at(-1))
}

test('the mean has one star beside it, also after the page with the details', async () => {
  const { context, page } = await openPage(browser, product)
  await openHydrated(page, inLang('/filials/1013/details', lang))
  await page.locator(`a[href="${PAGE}"]`).click()
  const star = page.locator('.mean > .star')
  await star.waitFor()
  const drawn = () =>
    star.evaluate((one) => getComputedStyle(one, '::before').content.slice(1, -1) + one.textContent)
  await untilTrue(async () => (await drawn()) === '★', PATIENCE, 'one star')
  await openHydrated(page, inLang(PAGE, lang))
  assert.equal(await drawn(), '★')
  await context.close()
})

test('the keyboard alone writes a review and reports one', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await signIn(opened, { phone: '+77010000086' })
  await openHydrated(page, inLang(FORM, lang))
  const focused = (selector) => page.waitForFunction((one) => document.activeElement?.matches(one), selector)
  const tabTo = async (selector) => {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate((one) => document.activeElement?.matches(one), selector)) return
    }
    assert.fail(`no way to ${selector}`)
  }
  await tabTo('textarea')
  await page.keyboard.type('Тамаша')
  await tabTo('.review-form button')
  await page.keyboard.press('Enter')
  // What is wrong has the focus, and an arrow chooses.
  await focused('[name="rating"]')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const rating = await page.locator('[name="rating"]:checked').inputValue()
  await tabTo('.review-form button')
  await page.keyboard.press('Enter')
  await atUrl(page, (url) => url.pathname === PAGE)
  await page.locator('.own').waitFor()
  await hydrated(page)
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
  assert.equal(String((await own(page)).review.rating), rating)

  await tabTo('.report > summary')
  await page.keyboard.press('Enter')
  await tabTo('.report [name="reason"]')
  await page.keyboard.press('Space')
  await tabTo('.report button')
  await page.keyboard.press('Enter')
  await atUrl(page, /reported=/)
  await page.locator('.list > li > .note').waitFor()
  assert.deepEqual(unexpected(problems, { problem: /422/ }), [])
  await context.close()
})

test('what was typed is there again in another language, and how much room is left is said near the end', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await inWebview(page)
  await signIn(opened, { phone: '+77010000087' })
  await openHydrated(page, inLang(FORM, lang))
  const typed = 'ы'.repeat(1950)
  await page.locator('textarea').fill(typed)
  await page.getByText(text(lang, 'reviewForm.left', { count: 40 })).waitFor()
  await page.locator('.stars label').nth(1).click()
  await listensToHost(page)
  await page.evaluate(() => window.postMessage({ type: 'language', language: 'en' }, '*'))
  await page.getByText(text('en', 'reviewForm.send')).waitFor()
  await hydrated(page)
  await page.waitForFunction((one) => document.querySelector('textarea').value === one, typed)
  assert.equal(await page.locator('[name="rating"]:checked').inputValue(), '2')
  // No more can be typed than is taken.
  await page.locator('textarea').focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText('э'.repeat(60))
  assert.equal((await page.locator('textarea').inputValue()).length, 2000)
  await context.close()
})

test('a review that is not sent is there after the death of its page, and gone once it is', async () => {
  const opened = await openPage(browser, product)
  const { page: first, context } = opened
  await signIn(opened, { phone: '+77010000094' })
  await openHydrated(first, inLang(FORM, lang))
  await begun(first, 'background-')
  await first.locator('.stars label').nth(3).click()
  await first.locator('textarea').fill('Дәмді')
  await first.close()

  const page = await context.newPage()
  await openHydrated(page, inLang(FORM, lang))
  await page.locator('[name="rating"][value="4"]:checked').waitFor({ state: 'attached' })
  await untilTrue(
    async () => (await page.locator('textarea').inputValue()) === 'Дәмді',
    PATIENCE,
    'the words',
  )
  await page.getByRole('button', { name: text(lang, 'reviewForm.send') }).click()
  await atUrl(page, (url) => url.pathname === PAGE)
  await untilTrue(
    () => page.evaluate(() => localStorage.getItem('forms') === null),
    PATIENCE,
    'it is the server’s',
  )
  await context.close()
})

test('without the list the guest is told so, and another try brings it', async () => {
  const { page, context, problems } = await openPage(browser, product)
  // A venue that was not asked for yet: nothing of it is cached.
  await product.sandboxApi.set('faults', { path: '/reviews/v1/reviews', kind: 'reset' })
  await open(page, inLang('/filials/1023/reviews', lang))
  await page.getByText(text(lang, 'reviews.failed')).waitFor()
  await product.sandboxApi.clear('faults')
  await page.locator('main a[href="/filials/1023/details"]').waitFor()
  // It may have come by itself meanwhile.
  await page.evaluate(() => document.querySelector('main .empty a.button')?.click())
  await page.locator('.list > li').first().waitFor()
  assert.deepEqual(unexpected(problems, { status: 503 }), [])
  await context.close()
})

test('stars that were not given are outlines as dark as those that were, in both themes', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const { context, page } = await openPage(browser, product, { colorScheme })
    await openHydrated(page, inLang(PAGE, lang))
    const rows = await page.locator('.given > [aria-hidden]').evaluateAll((all) => {
      const luminance = (colour) => {
        const [red, green, blue] = colour
          .match(/\d+/g)
          .map((one) => one / 255)
          .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const paper = luminance(getComputedStyle(document.documentElement).backgroundColor)
      return all.map((stars) => ({
        stars: stars.textContent,
        contrasts: [stars, ...stars.children].map((one) => {
          const own = luminance(getComputedStyle(one).color)
          return (Math.max(own, paper) + 0.05) / (Math.min(own, paper) + 0.05)
        }),
      }))
    })
    assert.ok(rows.some(({ stars }) => stars !== '★★★★★'))
    for (const { stars, contrasts } of rows) {
      assert.match(stars, /^★*☆*$/)
      assert.equal(stars.length, 5)
      for (const one of contrasts) assert.ok(one >= 3, `${stars} in ${colorScheme}: ${one}`)
    }
    await context.close()
  }
})
