/** An address by hand, by keyboard and by typing; with the position refused or vague; and without scripts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  atUrl,
  begun,
  hydrated,
  inLang,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'
import { toAddressForm } from './states.mjs'

const LANG = 'en'
const MAP = inLang('/address-map?back=/cart', LANG)
/** Almaty's centre is elsewhere. */
const HOME = { latitude: 43.2328, longitude: 76.9571 }
/** No address of the sandbox stands here. */
const ELSEWHERE = { latitude: 43.2101, longitude: 76.9102 }

setStage({ withTable: false })

const live = (page) => page.locator('.map[data-state="live"]').waitFor()
const confirm = (page) => page.locator('form[action="/addresses/place"] button').last()
const hidden = (page, name) =>
  page.locator(`.pinned input[name="${name}"]`).getAttribute('value').then(Number)
const looked = (requests) => requests.filter((one) => new URL(one.url()).pathname === '/addresses/at')

/** Waits until the pin stands elsewhere and the place is named. */
async function moved(page, before) {
  await untilTrue(
    async () => (await hidden(page, 'lat')) !== before[0] || (await hidden(page, 'long')) !== before[1],
    PATIENCE,
    'the pin stands elsewhere',
  )
  await page.locator('.pinned b').waitFor()
}

const place = async (page) => [await hidden(page, 'lat'), await hidden(page, 'long')]

test('arrow keys, a drag, a tap and the signs move the map; the place is named after the move', async () => {
  const { page, context, requests } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await openHydrated(page, MAP)
  await live(page)
  assert.equal(looked(requests).length, 0, 'nobody has chosen a place yet')
  const start = await place(page)
  await page.locator('.canvas').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await moved(page, start)
  const byKeys = await place(page)
  assert.ok(byKeys[1] > start[1], 'to the east')
  assert.equal(looked(requests).length, 1, 'once, after the move')

  await drag(page)
  await moved(page, byKeys)
  const byDrag = await place(page)
  assert.ok(byDrag[0] > byKeys[0], 'to the north')

  const [x, y] = await middle(page)
  await page.mouse.click(x - 80, y)
  await moved(page, byDrag)
  const byTap = await place(page)
  assert.ok(byTap[1] < byDrag[1], 'to the west')
  // The place goes in a header.
  assert.ok(looked(requests).every((one) => new URL(one.url()).search === ''))
  assert.ok(looked(requests).every((one) => /^-?\d+\.\d+,-?\d+\.\d+$/.test(one.headers()['x-near'])))

  await confirm(page).click()
  await atUrl(page, /\/address-form/)
  assert.notEqual(await page.locator('input[name="street"]').inputValue(), '')
  await context.close()
})

const focusedForm = (page) =>
  page.evaluate(() => document.activeElement?.closest('form')?.getAttribute('action'))

test('the focus goes on from what is deleted to its way back, and from there to the list', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await toAddressForm({ opened, lang: LANG })
  await page.locator('input[name="street"]').fill('Abai Avenue')
  await page.locator('input[name="building"]').fill('10')
  await page.locator('form[action="/addresses"] button').first().click()
  await atUrl(page, /\/addresses/)
  await openHydrated(page, inLang('/addresses?back=/cart', LANG))
  await page.locator('form[action$="/delete"] button').first().focus()
  await page.keyboard.press('Enter')
  await page.locator('form[action="/addresses/undo"]').waitFor()
  await page.waitForFunction(() => document.activeElement?.closest('form[action="/addresses/undo"]'))
  await page.keyboard.press('Enter')
  await page.locator('form[action$="/delete"]').waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'addresses')
  await context.close()
})

test('typing offers at most three addresses, and one of them moves the pin', async () => {
  const { page, context, requests } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await openHydrated(page, MAP)
  await live(page)
  const start = await place(page)
  await page.locator('input[name="q"]').pressSequentially('a')
  await page.locator('.typed li button').first().waitFor()
  assert.ok((await page.locator('.typed li').count()) <= 3)
  const asked = requests.filter((one) => new URL(one.url()).pathname === '/addresses/suggest')
  assert.equal(asked.length, 1)
  const name = await page.locator('.typed li button').first().textContent()
  // By keyboard alone.
  await page.locator('.typed li button').first().focus()
  await page.keyboard.press('Enter')
  await moved(page, start)
  assert.equal(await page.locator('.typed li').count(), 0)
  assert.notEqual(name, '')
  assert.equal(await focusedForm(page), '/addresses/place', 'the way on is next')
  await context.close()
})

test('arrows go through the addresses that a typed text may mean, Enter takes one, Escape closes them', async () => {
  const { page, context } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await openHydrated(page, MAP)
  await live(page)
  const before = await place(page)
  const field = page.getByRole('combobox')
  assert.equal(await field.getAttribute('aria-expanded'), 'false')
  await field.fill('a')
  const options = page.getByRole('listbox').getByRole('option')
  await options.first().waitFor()
  const count = await options.count()
  assert.ok(count > 1, `${count} addresses`)
  assert.equal(await field.getAttribute('aria-expanded'), 'true')
  // The focus stays in the field, and names the one that is marked.
  const marked = () =>
    field.evaluate((one) => {
      const id = one.getAttribute('aria-activedescendant')
      const option = id && document.getElementById(id)
      return option && option.getAttribute('aria-selected') === 'true' ? option.textContent : null
    })
  const names = await options.allTextContents()
  assert.equal(await marked(), null)
  for (const name of [...names, null, names[0]]) {
    await field.press('ArrowDown')
    await untilTrue(async () => (await marked()) === name, `${name} is marked`)
  }
  await field.press('ArrowUp')
  await untilTrue(async () => (await marked()) === null, 'the field alone')
  await field.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), 'a', 'what is typed stays')
  await field.pressSequentially('l')
  await field.press('Backspace')
  await options.first().waitFor()
  await field.press('ArrowUp')
  await untilTrue(async () => (await marked()) === names.at(-1), 'the last is marked')
  await field.press('Enter')
  await moved(page, before)
  await untilTrue(async () => (await page.locator('.pinned b').textContent()) === names.at(-1), 'it is taken')
  assert.equal(await focusedForm(page), '/addresses/place', 'the way on is next')
  await context.close()
})

test('Enter in the field takes the first address that what is typed may mean, also before it is there', async () => {
  const { page, context } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await openHydrated(page, MAP)
  await live(page)
  const typed = page.locator('input[name="q"]')
  let before = await place(page)
  await typed.fill('a')
  const first = page.locator('.typed li button').first()
  await first.waitFor()
  const name = await first.textContent()
  await typed.press('Enter')
  await moved(page, before)
  assert.equal(await page.locator('.pinned b').textContent(), name)
  assert.equal(await focusedForm(page), '/addresses/place', 'the way on is next')
  // Faster than the list.
  before = await place(page)
  await typed.fill('tole')
  await typed.press('Enter')
  await moved(page, before)
  assert.equal(await page.locator('.typed li').count(), 0)
  // Nothing is meant: it is told, and the pin stays.
  before = await place(page)
  await typed.fill('qxjvbk')
  await typed.press('Enter')
  await page.getByText(text(LANG, 'addressMap.nothing')).waitFor()
  assert.deepEqual(await place(page), before)
  await context.close()
})

test('with scripts off Enter looks for what is typed, and then takes the first of the list', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, MAP)
  const typed = page.locator('input[name="q"]')
  await typed.fill('a')
  await typed.press('Enter')
  await atUrl(page, /[?&]q=a$/)
  await page.locator('.typed li button').first().waitFor()
  await typed.press('Enter')
  await atUrl(page, /\/address-form/)
  assert.notEqual(await page.locator('input[name="street"]').inputValue(), '')
  await context.close()
})

for (const viewport of [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
])
  test(`the map fills what field and button leave of ${viewport.width} × ${viewport.height}`, async () => {
    const { page, context } = await openPage(browser, product, { viewport, reducedMotion: 'reduce' })
    await openHydrated(page, MAP)
    await live(page)
    const box = (selector) => page.locator(selector).evaluate((one) => one.getBoundingClientRect().toJSON())
    const button = await box('.pinned > form > .button')
    const [map, pinned] = [await box('.address-map > .map'), await box('.pinned')]
    // On a desktop the field and the button stand beside the map.
    const { bottom } = pinned.left > map.right ? map : button
    assert.ok(bottom <= viewport.height && bottom > viewport.height - 32, `the last ends at ${bottom}`)
    assert.ok(button.bottom <= viewport.height, `the button ends at ${button.bottom}`)
    assert.ok(pinned.top - map.bottom <= 16, `the map ends at ${map.bottom}`)
    assert.ok(map.height > viewport.height * 0.6, `it is ${map.height} px high`)
    const longer = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
    assert.ok(longer <= 1, `the page is ${longer} px longer than the window`)
    await context.close()
  })

test('a floor that no house has is told beside its field, and all that was typed stays', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await toAddressForm({ opened, lang: LANG })
  const typed = { street: 'Abai Avenue', building: '10', floor: '9999999999', apartment: '12' }
  for (const [name, value] of Object.entries(typed)) await page.locator(`input[name="${name}"]`).fill(value)
  await page.locator('form[action="/addresses"] button').first().click()
  const error = page.locator('.field:has([name="floor"]) .error')
  await error.waitFor()
  assert.equal(await error.innerText(), 'A number from −5 to 200')
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'floor')
  for (const [name, value] of Object.entries(typed))
    assert.equal(await page.locator(`input[name="${name}"]`).inputValue(), value)
  await page.locator('input[name="floor"]').fill('-1')
  await page.locator('form[action="/addresses"] button').first().click()
  await untilTrue(async () => !/address-form/.test(page.url()))
  await context.close()
})

test('an address that is typed and not chosen is looked up by the button, and the guest is told to choose', async () => {
  const { page, context, requests } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await openHydrated(page, MAP)
  await live(page)
  const start = await place(page)
  const typed = page.locator('input[name="q"]')
  await typed.fill('a')
  await confirm(page).click()
  await page.getByText(text(LANG, 'errors.chooseAddress')).waitFor()
  assert.equal(await typed.inputValue(), 'a')
  assert.equal(await typed.getAttribute('aria-invalid'), 'true')
  assert.deepEqual(await place(page), start)
  assert.equal(looked(requests).length, 0, 'nobody is told the name of the middle of the town')
  await page.locator('.typed li button').first().click()
  await moved(page, start)
  assert.equal(await page.getByText(text(LANG, 'errors.chooseAddress')).count(), 0)
  await confirm(page).click()
  await atUrl(page, /\/address-form/)
  await context.close()
})

test('the button is in view below what a search says, and where it finds nothing a second press takes the pin', async () => {
  const { page, context } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await openHydrated(page, MAP)
  await live(page)
  const typed = page.locator('input[name="q"]')
  for (const [query, said] of [
    ['a', text(LANG, 'addressMap.suggestions')],
    ['qxjvbk', text(LANG, 'addressMap.nothing')],
  ]) {
    // It is asked by itself: on a slow machine a press now would be the second one.
    await typed.fill(query)
    await page.getByText(said).or(page.getByLabel(said)).waitFor()
    const { bottom } = await confirm(page).evaluate((button) => button.getBoundingClientRect().toJSON())
    assert.ok(bottom <= (await page.evaluate(() => innerHeight)), `${query}: the button ends at ${bottom}`)
  }
  await confirm(page).click()
  await page.locator('.pinned b').waitFor()
  assert.equal(await page.getByText(text(LANG, 'addressMap.nothing')).count(), 0)
  await confirm(page).click()
  await atUrl(page, /\/address-form/)
  await context.close()
})

test('a position that is refused leaves the map at the town with a note, and no loop', async () => {
  const { page, context } = await openPage(browser, product)
  await context.clearPermissions()
  await openHydrated(page, MAP)
  await live(page)
  await page.getByRole('button', { name: text(LANG, 'addressMap.locate') }).click()
  await page.getByText(text(LANG, 'place.denied')).waitFor()
  assert.match(page.url(), /\/address-map/)
  await context.close()
})

test('a position that is known is shown, with how exact it is', async () => {
  const { page, context } = await openPage(browser, product)
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ ...HOME, accuracy: 1200 })
  await openHydrated(page, MAP)
  await live(page)
  await page
    .locator('.map .note')
    .getByText(/1[.,]2/)
    .waitFor()
  await page.locator('.pinned b').waitFor()
  assert.ok(Math.abs((await hidden(page, 'lat')) - HOME.latitude) < 0.0001)
  await context.close()
})

/** The map of a guest who has agreed before: the position comes when the test says so. */
async function positionLater() {
  const opened = await openPage(browser, product, { reducedMotion: 'reduce', permissions: ['geolocation'] })
  const { page } = opened
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = (found) => {
      window.__found = found
    }
  })
  await page.clock.install()
  await openHydrated(page, MAP)
  await live(page)
  await page.getByText(text(LANG, 'addressMap.finding')).waitFor()
  await page.waitForFunction(() => window.__found)
  // No timer runs out from here on.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  const come = async () => {
    await page.evaluate((coords) => window.__found({ coords }), ELSEWHERE)
    await page.getByText(text(LANG, 'addressMap.finding')).waitFor({ state: 'detached' })
  }
  return { ...opened, come }
}

const middle = async (page) => {
  const box = await page.locator('.map').boundingBox()
  return [box.x + box.width / 2, box.y + box.height / 2]
}

async function drag(page) {
  const [x, y] = await middle(page)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + 60, { steps: 5 })
  await page.mouse.up()
}

test('a position that comes after the guest has picked a suggestion does not move the pin', async () => {
  const { page, context, come } = await positionLater()
  const start = await place(page)
  await page.locator('input[name="q"]').fill('a')
  // Enter takes the first.
  await page.locator('input[name="q"]').press('Enter')
  await moved(page, start)
  const picked = await place(page)
  await come()
  assert.deepEqual(await place(page), picked)
  await context.close()
})

test('a position that comes right after a drag does not move the pin', async () => {
  const { page, context, come } = await positionLater()
  const start = await place(page)
  await drag(page)
  await come()
  await page.clock.fastForward(1000)
  await moved(page, start)
  assert.ok((await place(page))[0] > start[0], 'to the north, where it was dragged')
  await context.close()
})

test('a position that was asked for does not move a pin that was dragged meanwhile', async () => {
  const { page, context, come } = await positionLater()
  await come()
  await page.evaluate(() => {
    window.__found = undefined
  })
  await page.getByRole('button', { name: text(LANG, 'addressMap.locate') }).click()
  await page.waitForFunction(() => window.__found)
  const start = await place(page)
  await drag(page)
  await page.clock.fastForward(1000)
  await moved(page, start)
  const dragged = await place(page)
  await come()
  assert.deepEqual(await place(page), dragged)
  await context.close()
})

test('a place that is confirmed right after a drag is shown before it is taken', async () => {
  const { page, context, requests } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await page.clock.install()
  await openHydrated(page, MAP)
  await live(page)
  const start = await place(page)
  await page.locator('.canvas').focus()
  await page.keyboard.press('ArrowRight')
  await moved(page, start)
  const before = await place(page)
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  await drag(page)
  await confirm(page).click()
  await moved(page, before)
  const dragged = await place(page)
  assert.ok(dragged[0] > before[0], 'to the north')
  await page.clock.fastForward(1000)
  await page.locator('.pinned b').waitFor()
  await confirm(page).click()
  await atUrl(page, /\/address-form/)
  const [sent] = requests.filter((one) => new URL(one.url()).pathname === '/addresses/place')
  const told = new URLSearchParams(sent.postData())
  assert.deepEqual([Number(told.get('lat')), Number(told.get('long'))], dragged)
  await context.close()
})

test('a place without a name, and a map that does not come, are no dead ends', async () => {
  const { page, context } = await openPage(browser, product)
  await page.route('**/tiles/**', (route) => route.fulfill({ status: 502 }))
  await page.route('**/addresses/at', (route) => route.fulfill({ status: 500 }))
  await openHydrated(page, MAP)
  await page.getByText(text(LANG, 'addressMap.failed')).waitFor()
  await confirm(page).click()
  await page.getByText(text(LANG, 'addressMap.unnamed')).waitFor()
  await confirm(page).click()
  await atUrl(page, /\/address-form/)
  await context.close()
})

test('that nothing is brought to a place is in view with the ways on, the own restaurant of the cart first', async () => {
  const viewport = { width: 360, height: 740 }
  const { page, context } = await openPage(browser, product, { viewport, reducedMotion: 'reduce' })
  const venue = (id, name) => ({ id, name })
  await page.route('**/addresses/at', (route) =>
    route.fulfill({
      json: {
        spot: null,
        failed: false,
        zone: 'outside',
        ofCart: venue(1013, 'Own'),
        takeaway: venue(1011, 'Other'),
      },
    }),
  )
  await openHydrated(page, MAP)
  await live(page)
  await page.locator('.canvas').focus()
  await page.keyboard.press('ArrowRight')
  const note = page.locator('.pinned > .note')
  const ways = ['Own', 'Other'].map((name) => text(LANG, 'addressMap.takeaway', { venue: name }))
  await note.waitFor()
  assert.deepEqual(await note.locator('button').allTextContents(), ways)
  assert.deepEqual(await note.locator('[name="back"]').evaluateAll((all) => all.map(({ value }) => value)), [
    '/cart',
    '/filials/1011',
  ])
  for (const element of [note, page.locator('[name="anyway"]')]) {
    const { y, height } = await element.boundingBox()
    assert.ok(y >= 0 && y + height <= viewport.height, `${y} and ${height}`)
  }
  await context.close()
})

test('a map whose code or tiles do not come is tried again in place, with what is typed', async () => {
  const { page, context } = await openPage(browser, product)
  await page.route('**/tiles/**', (route) => route.fulfill({ status: 502 }))
  await openHydrated(page, MAP)
  const note = page.getByText(text(LANG, 'addressMap.failed'))
  await note.waitFor()
  const typed = page.locator('input[name="q"]')
  await typed.fill('Абай')
  await page.unroute('**/tiles/**')
  await note.getByRole('button', { name: text(LANG, 'app.retry') }).click()
  await live(page)
  assert.equal(await note.count(), 0)
  assert.equal(await typed.inputValue(), 'Абай')
  await context.close()

  // Firefox keeps a failed import until the document goes: the second try loads the page.
  const other = await openPage(browser, product)
  await other.page.route('**/assets/canvas-*.js', (route) => route.abort())
  await openHydrated(other.page, MAP)
  const again = other.page.getByText(text(LANG, 'addressMap.failed')).getByRole('button')
  await Promise.all([other.page.waitForEvent('load'), again.click()])
  await hydrated(other.page)
  await again.waitFor()
  await other.context.close()
})

test('what was typed is there after a refusal, after a failure, and after another look at the map', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await toAddressForm({ opened, lang: LANG })
  const field = (name) => page.locator(`input[name="${name}"], textarea[name="${name}"]`).first()
  const widthOf = async (name) => (await field(name).boundingBox()).width
  assert.equal(await widthOf('apartment'), await widthOf('street'), 'no half of a row is left empty')
  const place = page.locator('.address-form > .soft').first()
  const called = await place.innerText()
  await field('street').fill('')
  await field('apartment').fill('701')
  await field('comment').fill('Blue gate')
  const save = page.locator('form[action="/addresses"] button').first()
  await save.click()
  await page.locator('input[name="street"][aria-invalid]').waitFor()
  assert.ok(await field('street').evaluate((element) => element === document.activeElement))
  assert.equal(await field('apartment').inputValue(), '701')
  assert.equal(await place.innerText(), called, 'the pin has not moved')
  // Home needs no other name; what was typed is there again for a guest who changes their mind.
  const chip = (words) => page.locator('.address-tags label', { hasText: words })
  await chip(text(LANG, 'addressForm.other')).click()
  await field('name').fill('Dacha')
  await chip(text(LANG, 'addressForm.home')).click()
  assert.equal(await field('name').isVisible(), false)
  await chip(text(LANG, 'addressForm.other')).click()
  assert.equal(await field('name').inputValue(), 'Dacha')

  await page.route('**/addresses', (route) => route.abort())
  await field('street').fill('Green street')
  await save.click()
  await page.locator('.address-form .note[data-bad]').waitFor()
  assert.equal(await field('street').inputValue(), 'Green street')
  await page.unroute('**/addresses')

  await page.locator('button[name="to"]').click()
  await atUrl(page, /\/address-map/)
  await page.goBack()
  await atUrl(page, /\/address-form/)
  await field('comment').waitFor()
  assert.equal(await field('comment').inputValue(), 'Blue gate')
  assert.equal(await field('street').inputValue(), 'Green street')

  // A private house has no flats.
  await page.locator('#private').check()
  assert.equal(await field('apartment').isVisible(), false)
  await save.click()
  await atUrl(page, /\/addresses/)
  await page.locator('.pick').first().waitFor()
  assert.match(await page.locator('.pick').first().textContent(), /Green street/)
  // Deleted, and had back.
  await page.locator('form[action$="/delete"] button').click()
  await page.locator('form[action="/addresses/undo"] button').click()
  await page.locator('.pick').first().waitFor()
  await page.keyboard.press('Escape')
  await atUrl(page, (url) => url.pathname === '/')
  await context.close()
})

test('an address that is not saved is there after the death of its page, and gone once it is', async () => {
  const opened = await openPage(browser, product)
  const { page: first, context } = opened
  await toAddressForm({ opened, lang: LANG })
  await begun(first, 'background-')
  const address = first.url()
  const field = (page, name) => page.locator(`input[name="${name}"], textarea[name="${name}"]`).first()
  const words = { entrance: '2', floor: '7', apartment: '701', comment: 'Blue gate' }
  for (const [name, value] of Object.entries(words)) await field(first, name).fill(value)
  await first.close()

  const page = await context.newPage()
  await openHydrated(page, address)
  for (const [name, value] of Object.entries(words))
    await untilTrue(async () => (await field(page, name).inputValue()) === value, PATIENCE, name)
  await page.locator('form[action="/addresses"] button').first().click()
  await atUrl(page, (url) => url.pathname !== '/address-form')
  await untilTrue(
    () => page.evaluate(() => localStorage.getItem('forms') === null),
    PATIENCE,
    'it is the server’s',
  )
  await context.close()
})

/** Without scripts: the first of what a text may mean. */
async function typeAndChoose(page) {
  await open(page, MAP)
  await page.locator('input[name="q"]').fill('a')
  await page.locator('.find button').click()
  await page.locator('.typed li button').first().click()
  await atUrl(page, /\/address-form/)
}

test('without scripts an address is typed, chosen, filled in and saved', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await typeAndChoose(page)
  assert.notEqual(await page.locator('input[name="street"]').inputValue(), '')
  await page.locator('#private').check()
  assert.equal(await page.locator('input[name="floor"]').isVisible(), false)
  await page.locator('form[action="/addresses"] button').first().click()
  await atUrl(page, /\/cart/)
  await open(page, inLang('/addresses', LANG))
  assert.equal(await page.locator('.pick').count(), 1)
  await context.close()
})

test('without scripts a house that is not found leads over its street to the form, and nothing found to what to write', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, MAP)
  const typed = page.locator('input[name="q"]')
  await typed.fill('a')
  await typed.press('Enter')
  const name = await page.locator('.typed li button').first().textContent()
  const [street] = name.match(/\p{L}{4,}/u)
  await typed.fill(`${street} 99977`)
  await typed.press('Enter')
  await page.getByText(text(LANG, 'addressMap.partial')).waitFor()
  assert.equal(await typed.inputValue(), `${street} 99977`)
  // Enter takes nothing that means only a part of it.
  await typed.press('Enter')
  await page.getByText(text(LANG, 'addressMap.partial')).waitFor()
  await page.locator('.typed li button').first().click()
  await atUrl(page, /\/address-form/)
  assert.notEqual(await page.locator('input[name="street"]').inputValue(), '')
  await open(page, MAP)
  await typed.fill('qxjvbk 5')
  await typed.press('Enter')
  await page.getByText(text(LANG, 'addressMap.nothing')).waitFor()
  await page.locator('.typed > a').click()
  await atUrl(page, /\/town\?back=%2Faddress-map/)
  await page.goBack()
  assert.equal(await typed.inputValue(), 'qxjvbk 5')
  await context.close()
})

test('without scripts an address that is typed beside a chosen one is looked up, not dropped', async () => {
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await typeAndChoose(page)
  const street = await page.locator('input[name="street"]').inputValue()
  await open(page, MAP)
  const typed = page.locator('input[name="q"]')
  await typed.fill('a')
  await confirm(page).click()
  await page.getByText(text(LANG, 'errors.chooseAddress')).waitFor()
  assert.equal(await typed.inputValue(), 'a')
  // An emptied field means the place of the map.
  await typed.fill('')
  await confirm(page).click()
  await atUrl(page, /\/address-form/)
  assert.equal(await page.locator('input[name="street"]').inputValue(), street)
  await context.close()
})

test('the sheet of addresses stays until the page behind it is there, which without a network does not come', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang('/addresses?back=/filials', LANG))
  const sheet = page.locator('dialog.sheet:modal')
  await sheet.waitFor()
  await context.setOffline(true)
  await page.keyboard.press('Escape')
  await untilTrue(async () => (await page.locator('.connection').textContent()) === text(LANG, 'app.lost'))
  assert.equal(await sheet.count(), 1)
  await context.setOffline(false)
  await untilTrue(async () => (await page.locator('.connection').textContent()) === '')
  await page.keyboard.press('Escape')
  await atUrl(page, (url) => url.pathname === '/filials')
  await sheet.waitFor({ state: 'detached' })
  await context.close()
})

test('the header of the front opens the sheet where deliveries are chosen', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang('/?service=delivery', LANG))
  const chip = page.locator('header a').filter({ hasText: text(LANG, 'address.choose') })
  await chip.press('Enter')
  await atUrl(page, /\/addresses/)
  await page.locator('dialog[open] h1').waitFor()
  await hydrated(page)
  // Nothing lies under it that could be darkened: it begins below the header as any page does.
  const sheet = page.locator('dialog[open]')
  const top = await page.locator('header').evaluate((one) => one.getBoundingClientRect().bottom)
  await untilTrue(
    async () => (await sheet.evaluate((one) => one.getBoundingClientRect().top)) === top,
    PATIENCE,
    'it has come up to the header',
  )
  const alpha = await sheet.evaluate((one) => getComputedStyle(one).boxShadow)
  assert.match(alpha, /^(none|rgba\(0, 0, 0, 0\))/)
  await page.keyboard.press('Escape')
  await atUrl(page, (url) => url.pathname === '/')
  await chip.waitFor()
  await untilTrue(
    () => chip.evaluate((one) => document.activeElement === one),
    PATIENCE,
    'the focus is back at the chip',
  )
  await context.close()
})
