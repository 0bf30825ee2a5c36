/** A guest's own orders: taking one back, the courier on the map, the grade; by keyboard, and without scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buy, DISH, SECOND_DISH, SHOPS, signIn } from './flows.mjs'
import {
  atUrl,
  begun,
  hydrated,
  inLang,
  open,
  openHydrated,
  openPage,
  pause,
  plainSpaces,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

const lang = 'ru'
setStage({ withTable: false })

let phones = 0

/** A signed-in guest of its own with an order in a status. */
async function guest({ kind = 'takeaway', status, items, ...options } = {}) {
  phones += 1
  const phone = `+770100006${String(phones).padStart(2, '0')}`
  const opened = await openPage(browser, product, options)
  await signIn(opened, { phone })
  const { id } = await buy(product, phone, kind, 'cash', items)
  if (status) await setStatus(id, status)
  return { ...opened, id, path: `/orders/${id}` }
}

const setStatus = (id, status) => product.sandboxApi.set('order/status', { order_id: id, status })

const focused = (page) => page.evaluate(() => document.activeElement?.textContent)

/** Presses Tab until the focus is on what `selector` finds. */
async function tabTo(page, selector) {
  for (let steps = 0; steps < 80; steps += 1) {
    if (await page.evaluate((what) => document.activeElement?.matches(what), selector)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not lead to ${selector}`)
}

test('who was led to the thanks is led to the state when they go', async () => {
  const { page, context, id } = await guest()
  await openHydrated(page, inLang(`/typ/1021/order/${id}`, lang))
  // As on a page that was come to by a link.
  await page.locator('h1').evaluate((heading) => {
    heading.tabIndex = -1
    heading.focus()
  })
  const thanks = text(lang, 'thanks.title')
  assert.equal(await focused(page), thanks)
  await setStatus(id, 'cooking')
  const heading = page.locator('h1')
  await untilTrue(async () => (await heading.textContent()) !== thanks)
  await untilTrue(async () => (await focused(page)) === (await heading.textContent()))
  await context.close()
})

test('an order that is over is called by one word in the list and on its own page', async () => {
  for (const kind of ['takeaway', 'delivery']) {
    const { page, context, path } = await guest({ kind, status: 'completed' })
    await open(page, inLang('/orders', lang))
    const word = await page.locator('.orders .card b').first().textContent()
    await open(page, inLang(path, lang))
    assert.equal(word, await page.locator('.now [role="status"] :is(h1, h2)').textContent())
    assert.equal(word, text(lang, 'order.header.completed', { service: kind }))
    await context.close()
  }
})

test('the list follows an order on its way, and nobody is thanked for one whose kitchen has begun', async () => {
  const { page, context, id, problems } = await guest({ status: 'cooking' })
  await openHydrated(page, inLang('/orders', lang))
  await page.evaluate(() => {
    window.samePage = true
  })
  const word = page.locator('.orders .card b').first()
  await setStatus(id, 'ready')
  await untilTrue(async () => {
    // As a tab that is looked at again.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    return (await word.textContent()) === text(lang, 'order.header.ready', { service: 'takeaway' })
  })
  assert.equal(await page.evaluate(() => window.samePage), true)

  await openHydrated(page, inLang(`/typ/1021/order/${id}`, lang))
  assert.equal(
    await page.locator('h1').innerText(),
    text(lang, 'order.header.ready', { service: 'takeaway' }),
  )
  await setStatus(id, 'canceled')
  await page.locator('[data-status="canceled"]').waitFor()
  assert.equal(await page.locator('h1').innerText(), text(lang, 'order.header.canceled'))
  assert.equal(await page.getByText(text(lang, 'thanks.title')).count(), 0)
  assert.deepEqual(problems, [])
  await context.close()
})

test('by the keyboard an order is taken back after a question, which Back closes', async () => {
  const { page, context, problems, path } = await guest()
  await openHydrated(page, inLang(path, lang))
  await page.evaluate(() => {
    window.samePage = true
  })
  await tabTo(page, 'a[href*="step=cancel"]')
  await page.keyboard.press('Enter')
  await page.locator('.leave').waitFor()
  await untilTrue(async () => (await focused(page)) === text(lang, 'care.cancelAsk'))
  await page.goBack()
  await page.locator('.leave').waitFor({ state: 'detached' })
  await page.goForward()
  await page.locator('.leave').waitFor()
  await tabTo(page, '.leave [type="radio"]')
  await page.keyboard.press('ArrowDown')
  await tabTo(page, '.leave button')
  await page.keyboard.press('Enter')
  await page.locator('[data-status="canceled"]').waitFor()
  const said = plainSpaces(await page.locator('.now').innerText())
  assert.ok(said.includes(text(lang, 'order.header.canceled')), said)
  assert.ok(said.includes(text(lang, 'care.reason.mistake')), said)
  assert.ok(said.includes(text(lang, 'order.noCharge')), said)
  assert.equal(await page.locator('.leave').count(), 0)
  assert.equal(await page.evaluate(() => window.samePage), true, 'without a load')
  assert.deepEqual(problems, [])
  await context.close()
})

test('the question goes when the kitchen begins while it is asked, and the page says why', async () => {
  const { page, context, id, path } = await guest()
  await openHydrated(page, inLang(`${path}?step=cancel`, lang))
  await page.locator('.leave').waitFor()
  await setStatus(id, 'cooking')
  await page.locator('[data-status="cooking"]').waitFor()
  assert.equal(await page.locator('.leave').count(), 0)
  await page.getByText(text(lang, 'order.tooLate')).waitFor()
  await context.close()
})

test('an order is taken back and the answer is lost: the page tells the one, and nothing of the other', async () => {
  const { page, context, id, path } = await guest()
  await openHydrated(page, inLang(`${path}?step=cancel`, lang))
  await product.sandboxApi.set('faults', {
    path: `/takeaway/v1/order/${id}/cancel`,
    method: 'POST',
    kind: 'hang',
    times: 1,
    after_commit: true,
  })
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.getByRole('button', { name: text(lang, 'care.sure') }).click()
  await page.locator('[data-status="canceled"]').waitFor()
  await (await answered).finished()
  await product.sandboxApi.clear('faults')
  await pause(500)
  assert.deepEqual(await page.locator('.toast').allTextContents(), [])
  await context.close()
})

test('what of an order once more is sold out is named on the way to the cart, and stays', async () => {
  const { page, context, path } = await guest({ status: 'completed', items: [DISH, SECOND_DISH] })
  const { filial_id } = SHOPS.takeaway
  const stock = (available) =>
    product.sandboxApi.set('stock', { filial_id, product_id: DISH.product_id, available })
  await stock(false)
  try {
    await openHydrated(page, inLang(path, lang))
    const dish = await page.locator('[aria-labelledby="content"] li span').first().innerText()
    const [name] = dish.split(/\s×/)
    await page.locator('.repeat button').click()
    await atUrl(page, /\/cart/)
    const said = page.locator('.toast[data-stays]').filter({ hasText: name })
    await said.getByRole('button', { name: text(lang, 'app.close') }).click()
    await said.waitFor({ state: 'detached' })
  } finally {
    await stock(true)
  }
  await context.close()
})

test('an order is taken back and graded without scripts', async () => {
  const { page, context, path, id } = await guest({ javaScriptEnabled: false })
  await open(page, inLang(path, lang))
  await page.locator('a[href*="step=cancel"]').click()
  await page.getByLabel(text(lang, 'care.reason.long')).check()
  await page.getByRole('button', { name: text(lang, 'care.sure') }).click()
  await page.locator('[data-status="canceled"]').waitFor()
  assert.ok((await page.locator('.now').innerText()).includes(text(lang, 'care.reason.long')))
  await context.close()

  const done = await guest({ javaScriptEnabled: false, status: 'completed' })
  assert.notEqual(done.id, id)
  await open(done.page, inLang(done.path, lang))
  const sheet = done.page.locator('.grade')
  await sheet.getByRole('button', { name: text(lang, 'grade.send') }).click()
  await sheet.locator('#ungraded').waitFor()
  await sheet.locator('.stars label').nth(3).click()
  await sheet.getByLabel(text(lang, 'grade.tag.tasty')).check()
  await sheet.locator('textarea').fill('Рахмет')
  await sheet.getByRole('button', { name: text(lang, 'grade.send') }).click()
  await done.page.getByText(text(lang, 'order.graded', { grade: 4 })).waitFor()
  assert.equal(await done.page.locator('.grade').count(), 0)
  await done.context.close()
})

test('an order that ends on the open page asks how it was: by the keyboard, once', async () => {
  const { page, context, problems, path, id } = await guest({ status: 'ready' })
  await openHydrated(page, inLang(path, lang))
  assert.equal(await page.locator('.grade').count(), 0)
  await setStatus(id, 'completed')
  await page.locator('.grade').waitFor()
  await tabTo(page, '.stars [type="radio"]')
  // The first press of an arrow is the first choice; the third star.
  for (const _ of [1, 2]) await page.keyboard.press('ArrowRight')
  await untilTrue(() => page.evaluate(() => document.querySelector('.stars :checked')?.value === '3'))
  await tabTo(page, '.praise [type="checkbox"]')
  await page.keyboard.press('Space')
  await tabTo(page, '.grade button')
  await page.keyboard.press('Enter')
  await page.getByText(text(lang, 'order.graded', { grade: 3 })).waitFor()
  await openHydrated(page, inLang(path, lang))
  assert.equal(await page.locator('.grade').count(), 0)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a grade without stars leads back to them, and a reload keeps stars, tags and words', async () => {
  const { page, context, path } = await guest({ status: 'completed', viewport: { width: 360, height: 560 } })
  await openHydrated(page, inLang(path, lang))
  await begun(page, 'background-')
  const sheet = page.locator('.grade')
  await sheet.getByRole('button', { name: text(lang, 'grade.send') }).click()
  await sheet.locator('#ungraded').waitFor()
  await untilTrue(() =>
    sheet.locator('.stars').evaluate((stars) => {
      const { top, bottom } = stars.getBoundingClientRect()
      const said = document.getElementById('ungraded').getBoundingClientRect()
      return (
        stars.contains(document.activeElement) && top >= 0 && Math.max(bottom, said.bottom) <= innerHeight
      )
    }),
  )
  await sheet.locator('.stars label').nth(3).click()
  for (const tag of ['tasty', 'polite']) await sheet.getByLabel(text(lang, `grade.tag.${tag}`)).check()
  await sheet.locator('textarea').fill('Рахмет')
  await page.reload({ waitUntil: 'domcontentloaded' })
  await untilTrue(async () => (await sheet.locator('textarea').inputValue()) === 'Рахмет')
  assert.equal(await sheet.locator('[name="grade"]:checked').inputValue(), '4')
  const tags = sheet.locator('[name="tag"]:checked')
  assert.deepEqual(await tags.evaluateAll((all) => all.map(({ value }) => value)), ['tasty', 'polite'])
  await context.close()
})

test('not now is an answer, too', async () => {
  const { page, context, path } = await guest({ status: 'completed' })
  await openHydrated(page, inLang(path, lang))
  await page.getByRole('button', { name: text(lang, 'grade.skip') }).click()
  await page.locator('.grade').waitFor({ state: 'detached' })
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
  assert.equal(await page.locator('.grade').count(), 0)
  await context.close()
})

test('the courier comes onto the map with a tap and moves there; no map is fetched before', async () => {
  const { page, context, problems, requests, path, id } = await guest({ kind: 'delivery', status: 'ready' })
  await openHydrated(page, inLang(path, lang))
  await page.getByText(text(lang, 'care.waiting')).waitFor()
  await setStatus(id, 'delivery')
  const call = page.locator('.courier a[href^="tel:"]')
  await call.waitFor()
  assert.ok((await call.innerText()).replaceAll('\u00a0', ' ').includes('+7 701 000'))
  const tiles = () => requests.filter((one) => new URL(one.url()).pathname.startsWith('/tiles/')).length
  assert.equal(tiles(), 0)
  await tabTo(page, '.map .wait')
  await page.keyboard.press('Enter')
  await page.locator('.map[data-state="live"]').waitFor()
  assert.ok(tiles() > 0)
  const pin = page.getByRole('button', { name: text(lang, 'care.courier'), exact: true })
  const place = () => pin.evaluate((one) => one.style.transform)
  const before = await place()
  await product.sandboxApi.set('speed', { factor: 1 })
  try {
    await untilTrue(async () => (await place()) !== before)
  } finally {
    await product.sandboxApi.set('speed', { factor: 0.001 })
  }
  assert.deepEqual(problems, [])
  await context.close()
})

test('a courier who comes from below on the right is not under the buttons of the map', async () => {
  const { page, context, path, id } = await guest({ kind: 'delivery', status: 'ready' })
  await setStatus(id, 'delivery')
  await product.sandboxApi.set('faults', {
    path: '/dr-delivery/api/v1/courier',
    kind: 'replace',
    values: { '/data/latitude': 43.228, '/data/longitude': 76.97 },
  })
  try {
    await openHydrated(page, inLang(path, lang))
    await page.locator('.map .wait').click()
    await page.locator('.map[data-state="live"] .leaflet-marker-icon').first().waitFor()
    const covered = await page.locator('.map .keys').evaluate((keys) => {
      const box = keys.getBoundingClientRect()
      return [...document.querySelectorAll('.map .leaflet-marker-icon :not(:empty)')].flatMap((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect()
        const isClear = right < box.left || left > box.right || bottom < box.top || top > box.bottom
        return isClear ? [] : [[one.textContent, left, right, top, bottom]]
      })
    })
    assert.deepEqual(covered, [])
  } finally {
    await product.sandboxApi.clear('faults')
  }
  await context.close()
})

test('a page that the phone has frozen shows what it has missed when it wakes', async () => {
  const { page, context, path, id } = await guest()
  await openHydrated(page, inLang(path, lang))
  const session = await context.newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await setStatus(id, 'cooking')
  await setStatus(id, 'ready')
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await page.locator('[data-status="ready"]').waitFor()
  const done = await page.locator('.steps [data-done]').count()
  assert.equal(done, 3, 'no step is left out')
  await context.close()
})

test('the thank-you page keeps its link: it is copied, and found again', async () => {
  const { page, context, id, problems } = await guest()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openHydrated(page, inLang(`/typ/1021/order/${id}`, lang))
  const size = await page
    .locator('.ticket')
    .evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))
  assert.ok(size >= 48, `${size} px`)
  await page.getByRole('button', { name: text(lang, 'thanks.copy') }).click()
  await page.getByText(text(lang, 'thanks.copied')).first().waitFor()
  const kept = await page.evaluate(() => navigator.clipboard.readText())
  await page.locator(`a[href="/orders/${id}"]`).click()
  await atUrl(page, new RegExp(`/orders/${id}$`))
  await openHydrated(page, kept)
  assert.equal(await page.locator('h1').innerText(), text(lang, 'thanks.title'))
  assert.deepEqual(problems, [])
  await context.close()
})

test('what was ordered last is had again from Home in one tap, with scripts and without', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, context, problems } = await guest({ javaScriptEnabled, status: 'completed' })
    await (javaScriptEnabled ? openHydrated : open)(page, inLang('/', lang))
    const card = page.locator('.last-order')
    assert.equal(await card.count(), 1)
    assert.ok((await card.getByRole('heading').innerText()).length > 0)
    const layout = await card.evaluate((one) => getComputedStyle(one).display)
    assert.equal(layout, 'flex', 'its styles came with the document')
    await card.getByRole('button', { name: text(lang, 'repeat.button') }).click()
    await atUrl(page, /\/cart$/)
    await page.locator('.lines .line').first().waitFor()
    // With something in the cart there is nothing to begin with.
    await (javaScriptEnabled ? openHydrated : open)(page, inLang('/', lang))
    assert.equal(await page.locator('.last-order').count(), 0)
    assert.deepEqual(problems, [])
    await context.close()
  }
})
