/** Bonuses with scripts and without: the way there and back, copying a code; and a picture on its way to the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseWay, pressOrder, signIn } from './flows.mjs'
import {
  atUrl,
  inLang,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  plainSpaces,
  text,
  unexpected,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

const lang = 'ru'
const AVATAR = '/profile/avatar'
/** A picture of one dot. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** Takes bonuses. */
const VENUE = 1023

setStage({ withTable: false })

test('the page of bonuses opens at its top with the focus on its heading, and Back finds the place and the focus in the profile', async () => {
  const opened = await openPage(browser, product, { viewport: { width: 360, height: 400 } })
  const { page, context, problems } = opened
  await signIn(opened)
  await openHydrated(page, inLang('/profile', lang))
  const link = page.locator('a[href="/profile/bonuses"]')
  await link.scrollIntoViewIfNeeded()
  await page.evaluate(() => window.scrollBy(0, 60))
  const before = await page.evaluate(() => window.scrollY)
  assert.ok(before > 0, 'the profile is longer than the window')
  await link.click()
  await atUrl(page, /\/profile\/bonuses$/)
  await untilTrue(() => page.evaluate(() => document.activeElement?.localName === 'h1'))
  assert.equal(
    await page.evaluate(() => document.activeElement.textContent),
    text(lang, 'head.bonuses.title'),
  )
  assert.equal(await page.evaluate(() => window.scrollY), 0)
  await page.goBack()
  await atUrl(page, /\/profile(\?|$)/)
  await untilTrue(() => page.evaluate((was) => Math.abs(window.scrollY - was) < 2, before))
  await untilTrue(() => link.evaluate((element) => element === document.activeElement))
  // On to the answers about bonuses, of which the first is open.
  await openHydrated(page, '/profile/bonuses')
  await page.locator('a[href="/faq#earn"]').click()
  await atUrl(page, /\/faq#earn$/)
  await page.locator('details#earn[open]').waitFor()
  // Half a letter in percents names no answer and takes none away.
  await openHydrated(page, '/faq#50%')
  await page.locator('details#earn').waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test('a code is copied by its button, which only guests with scripts see; without them it can be marked', async () => {
  const opened = await openPage(browser, product)
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(opened)
  await openHydrated(opened.page, inLang('/profile/bonuses', lang))
  const line = opened.page.locator('.codes > li').first()
  const code = await line.locator('code').innerText()
  const button = line.getByRole('button', { name: `${text(lang, 'bonuses.copy')} ${code}` })
  await button.click()
  await line.locator('[role="status"]', { hasText: text(lang, 'bonuses.copied') }).waitFor()
  assert.equal(await opened.page.evaluate(() => navigator.clipboard.readText()), code)
  assert.deepEqual(opened.problems, [])
  await opened.context.close()

  const bare = await openPage(browser, product, { javaScriptEnabled: false })
  await signIn(bare)
  await open(bare.page, inLang('/profile/bonuses', lang))
  const codes = bare.page.locator('.codes > li')
  assert.equal(await codes.locator('code').first().innerText(), code)
  assert.equal(await codes.locator('button:visible').count(), 0)
  // A press on it marks all of it.
  const style = await codes
    .locator('code')
    .first()
    .evaluate((one) => getComputedStyle(one).userSelect)
  assert.equal(style, 'all')
  await bare.context.close()
})

test('bonuses that are typed count: an order that is pressed with them is of the sum that is shown', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await signIn(opened, { phone: '+77010000032' })
  const post = (action, form) =>
    context.request.post(`${product.web}${action}`, {
      form: { ...form, back: '/cart' },
      headers: { origin: product.web },
    })
  const menu = await (await context.request.get(`${product.web}/_data/filials/${VENUE}`)).json()
  const dish = menu.page.data.categories
    .flatMap(({ products }) => products)
    .find(({ out, options, price }) => !out && !options && price >= 100_000)
  await post('/cart/lines', { filial: VENUE, product: dish.id, delta: 1 })
  await post('/session/service', { service: 'takeaway' })
  await openHydrated(page, inLang('/cart', lang))
  await page.locator('.bonus button[role="switch"]').click()
  const field = page.locator('#bonus-sum')
  await field.waitFor()
  const all = await field.inputValue()
  assert.notEqual(all, '50')
  const total = page.locator('form[action="/orders"] [name="total"]')
  const before = Number(await total.inputValue())
  const isOf = (used) =>
    untilTrue(async () => Number(await total.inputValue()) === before + (Number(all) - used) * 100)
  await chooseWay(page, 'cash')
  await field.fill('50')
  const orders = (await product.sandboxApi.orders()).length
  // As a finger does, which leaves the field and presses in one moment: by a mouse the new sum may come in between.
  await page.locator('form[action="/orders"] button[type="submit"]').evaluate((button) => {
    button.focus()
    button.click()
  })
  await page.locator('.order').getByText(text(lang, 'cart.newSum')).waitFor()
  await isOf(50)
  assert.equal((await product.sandboxApi.orders()).length, orders, 'the sum is seen first')
  assert.equal(await field.inputValue(), '50')
  // Leaving the field counts too, limited to what there is.
  await field.fill('40')
  await page.locator('input[name="payment"][value="cash"]').focus()
  await isOf(40)
  await field.fill('99999')
  await page.locator('input[name="payment"][value="cash"]').focus()
  await isOf(Number(all))
  assert.equal(await field.inputValue(), all)
  // Once more: the sum is used already, so nothing is sent.
  await field.fill('99999')
  await page.locator('input[name="payment"][value="cash"]').focus()
  await untilTrue(async () => (await field.inputValue()) === all, PATIENCE, 'no more than there is')
  await field.fill('50')
  await page.keyboard.press('Enter')
  await isOf(50)
  // What was refused stands in the field no longer, and an order does not ask for it again.
  let asked = 0
  await page.route('**/cart/bonus', (route) => {
    asked += 1
    return route.fulfill({ status: 403, body: '' })
  })
  await field.fill('40')
  await page.locator('input[name="payment"][value="cash"]').focus()
  await untilTrue(async () => (await field.inputValue()) === '50', PATIENCE, 'what is used')
  assert.equal(asked, 1)
  await pressOrder(page)
  await atUrl(page, /\/order\//)
  assert.equal((await product.sandboxApi.orders()).length, orders + 1)
  assert.equal(asked, 1)
  // With the order that is taken back they are back, and the guest is told.
  const id = new URL(page.url()).pathname.split('/').at(-1)
  await post(`/orders/${id}/cancel`, {})
  await openHydrated(page, inLang(`/orders/${id}`, lang))
  const back = text(lang, 'care.bonusBack', { sum: '50' })
  assert.ok(plainSpaces(await page.locator('.now').innerText()).includes(back), back)
  await context.close()
})

test('with scripts off what was lowered before is not told beside what is wrong now', async () => {
  const opened = await openPage(browser, product)
  await signIn(opened, { phone: '+77010000033' })
  const { context } = opened
  const menu = await (await context.request.get(`${product.web}/_data/filials/${VENUE}`)).json()
  const dish = menu.page.data.categories
    .flatMap(({ products }) => products)
    .find(({ out, options, price }) => !out && !options && price >= 100_000)
  const headers = { origin: product.web }
  const line = { filial: VENUE, product: dish.id, delta: 1, back: '/cart' }
  await context.request.post(`${product.web}/cart/lines`, { form: line, headers })
  await context.request.post(`${product.web}/session/service`, {
    form: { service: 'takeaway', back: '/cart' },
    headers,
  })
  const plain = await openPage(browser, product, {
    javaScriptEnabled: false,
    storageState: await context.storageState(),
  })
  await context.close()
  const { page } = plain
  await open(page, inLang('/cart', lang))
  await page.locator('.bonus button[role="switch"]').click()
  const lowered = page.locator('.bonus .note')
  const wrong = page.locator('#bonus-error')
  const type = async (sum) => {
    await page.locator('#bonus-sum').fill(sum)
    await page.locator('.bonus .amount button').click()
  }
  await type('99999')
  await lowered.waitFor()
  await type('-5')
  await wrong.filter({ hasText: /./ }).waitFor()
  assert.equal(await lowered.count(), 0)
  await type('99999')
  await lowered.waitFor()
  await plain.context.close()
})

test('a picture on its way says so, can be sent again when it did not arrive, and one that is too heavy is not sent', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems, requests } = opened
  await signIn(opened)
  await openHydrated(page, inLang('/profile/form', lang))
  const form = page.locator(`form[action="${AVATAR}"]`)
  const choose = (name, buffer) =>
    form.locator('[type="file"]').setInputFiles({ name, mimeType: 'image/png', buffer })
  const posts = () => requests.filter((one) => one.method() === 'POST' && one.url().endsWith(AVATAR)).length
  const error = page.locator('.photo .error')

  // What this browser can't read is not made small before.
  await choose('heavy.heic', Buffer.alloc((20 << 20) + 1))
  await form.locator('button').click()
  await error.waitFor()
  assert.equal(await error.innerText(), text(lang, 'errors.pictureHeavy', { count: 20 }))
  assert.equal(posts(), 0)

  const picture = Buffer.from(
    await page.evaluate(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = 600
      canvas.height = 400
      canvas.getContext('2d').fillRect(0, 0, 300, 400)
      return canvas.toDataURL('image/png').split(',')[1]
    }),
    'base64',
  )
  let release
  const held = new Promise((resolve) => {
    release = resolve
  })
  let tries = 0
  await page.route(`**${AVATAR}`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    tries += 1
    if (tries === 1) return route.abort('connectionreset')
    await held
    await route.continue()
  })
  await page.locator('input[name="name"]').fill('Айгүл')
  // The browser's own words are not read, whatever its language.
  await form.getByText(text(lang, 'profileForm.photoChoose'), { exact: true }).waitFor()
  await choose('me.png', picture)
  await form.getByText('me.png', { exact: true }).waitFor()
  assert.equal(await error.count(), 0, 'another picture is another try')
  await form.locator('button').click()
  await error.waitFor()
  assert.equal(await error.innerText(), text(lang, 'errors.network'))
  assert.ok(await form.locator('[type="file"]').evaluate((one) => one === document.activeElement))

  await form.locator('button').click()
  await form.locator('button[aria-busy="true"]').waitFor()
  await form.locator('[role="status"]', { hasText: text(lang, 'profileForm.photoSending') }).waitFor()
  assert.equal(
    await form.locator('progress').getAttribute('aria-label'),
    text(lang, 'profileForm.photoSending'),
  )
  assert.equal(await error.count(), 0)
  // A second press sends nothing more.
  await form.locator('button').click()
  release()
  await page.locator('.photo img[src^="/profile/avatar?"]').waitFor()
  const [save, remove] = await page
    .locator('.photo button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
  assert.ok(remove.top - save.bottom >= 8, `${remove.top - save.bottom} px between the buttons`)
  await form.locator('[role="status"]', { hasText: text(lang, 'profileForm.photoSaved') }).waitFor()
  assert.equal(await form.getByText('me.png', { exact: true }).count(), 0)
  assert.equal(await page.locator('input[name="name"]').inputValue(), 'Айгүл', 'what was typed stays')
  assert.equal(tries, 2)

  // Nor does it go with the picture.
  await page.locator(`form[action="${AVATAR}/remove"] button`).click()
  await form.locator('[role="status"]', { hasText: text(lang, 'profileForm.photoRemoved') }).waitFor()
  assert.equal(await page.locator('.photo img').count(), 0)
  assert.ok(await form.locator('[type="file"]').evaluate((one) => one === document.activeElement))
  assert.equal(await page.locator('input[name="name"]').inputValue(), 'Айгүл')
  assert.match(page.url(), /\/profile\/form/)
  assert.deepEqual(unexpected(problems, { problem: /ERR_CONNECTION_RESET/ }), [])
  await context.close()
})

test('with JavaScript off a picture is chosen by the field that tells its name, and is saved', async () => {
  const opened = await openPage(browser, product, { javaScriptEnabled: false })
  const { page, context } = opened
  await signIn(opened)
  await open(page, inLang('/profile/form', lang))
  const form = page.locator(`form[action="${AVATAR}"]`)
  const field = form.locator('[type="file"]')
  const words = form.getByText(text(lang, 'profileForm.photoChoose'), { exact: true })
  const [label, input, said] = await Promise.all(
    [form.locator('label'), field, words].map((one) => one.boundingBox()),
  )
  const isIn = (one) =>
    one.x >= label.x &&
    one.x + one.width <= label.x + label.width + 0.5 &&
    one.y >= label.y &&
    one.y + one.height <= label.y + label.height + 0.5
  assert.ok(isIn(input) && isIn(said), JSON.stringify({ label, input, said }))
  assert.equal(
    await words.evaluate((one) => one.scrollWidth <= one.clientWidth || one.clientWidth === 0),
    true,
  )
  assert.ok(input.y >= said.y + said.height || input.x >= said.x + said.width, 'neither lies on the other')
  assert.equal(await field.evaluate((one) => getComputedStyle(one).opacity), '1')
  await page.locator('input[name="name"]').fill('Айгүл')
  await field.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') })
  await form.locator('button').click()
  await page.locator('main img[src^="/profile/avatar?"]').waitFor()
  await page.locator('.note', { hasText: text(lang, 'profileForm.photoSaved') }).waitFor()
  assert.equal(await page.locator('input[name="name"]').inputValue(), 'Айгүл', 'what was typed stays')
  await page.locator(`form[action="${AVATAR}/remove"] button`).click()
  await page.locator('.note', { hasText: text(lang, 'profileForm.photoRemoved') }).waitFor()
  assert.equal(await page.locator('input[name="name"]').inputValue(), 'Айгүл')
  await context.close()
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without'
  test(`a photo that is chosen goes along when the form is saved, ${how} scripts`, async () => {
    const opened = await openPage(browser, product, { javaScriptEnabled })
    const { page, context } = opened
    await signIn(opened)
    await (javaScriptEnabled ? openHydrated : open)(page, inLang('/profile/form', lang))
    const save = page.getByRole('button', { name: text(lang, 'profileForm.save'), exact: true })
    const field = page.locator('.photo [type="file"]')
    await page.locator('input[name="name"]').fill('Айгүл')
    // What is no picture stops it, and costs nothing typed.
    await field.setInputFiles({ name: 'me.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
    await save.click()
    await page.locator('.photo .error').waitFor()
    assert.match(page.url(), /\/profile\/form/)
    assert.equal(await page.locator('input[name="name"]').inputValue(), 'Айгүл')
    await field.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') })
    await save.click()
    await atUrl(page, /\/profile\?saved=1$/)
    await page.locator('main img[src^="/profile/avatar?"]').waitFor()
    await page.getByText('Айгүл').first().waitFor()
    await context.close()
  })
}
