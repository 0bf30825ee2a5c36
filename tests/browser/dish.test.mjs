/** The sheet of a dish: what it loads, what it keeps, what it says when things go wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseDish, SHOPS, signIn, submitItem } from './flows.mjs'
import {
  atRest,
  atUrl,
  cartOf,
  fillCart,
  hydrated,
  keepToast,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  pageData,
  pause,
  plainSpaces,
  putOff,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'kk'
let menu

setStage({
  // What the sandbox changes is seen at once.
  args: ['--catalogue-fresh-ms', '1', '--page-fresh-ms', '0'],
  prepare() {
    menu = `${table.qr}&lang=${lang}`
  },
})

const sheet = (page) => page.locator('dialog.sheet')
const link = (page, id) => page.locator(`main a[href$="item=${id}"]`).first()
const add = (page) => sheet(page).locator('form[action="/cart/lines"] button[type="submit"]')
const address = (id) => `/filials/${table.filial_id}?item=${id}`
const isItem = (id) => (url) =>
  url.pathname.startsWith('/_data/filials/') && url.searchParams.get('item') === `${id}`
const says = (page, words) =>
  untilTrue(async () => plainSpaces(await sheet(page).innerText()).includes(words), PATIENCE, words)

async function openSheet(page, id = table.withGroup.id) {
  await openHydrated(page, menu)
  await link(page, id).click()
  await sheet(page).locator('form').first().waitFor()
}

/** Chooses something else than what is chosen beforehand, two pieces, and writes a note. */
async function chooseAgain(page) {
  const form = sheet(page).locator('form[action="/cart/lines"]').last()
  const [name, value] = await form.evaluate((element) => {
    const other = [...element.querySelectorAll('input[type="radio"]:not(:checked, :disabled)')].at(-1)
    return [other.name, other.value]
  })
  await form.locator(`input[name="${name}"][value="${value}"]`).check()
  await form.locator('.cta .plus').click()
  await form.locator('input[name="note"]').fill('пиязсыз')
  return { name, value }
}

/** What every group asks for at least, where nothing is chosen yet. */
async function chooseRest(page) {
  for (const { id, min, options } of table.withGroup.sheet.groups) {
    const radios = sheet(page).locator(`input[name="group.${id}"]`)
    if ((await radios.count()) === 0) {
      for (const option of options.filter(({ out }) => !out).slice(0, min)) {
        const field = sheet(page).locator(`input[name="option.${option.id}"]`)
        if ((await field.getAttribute('type')) === 'checkbox') await field.check()
        else await field.fill('1')
      }
    } else if ((await radios.and(page.locator(':checked')).count()) === 0) await radios.first().check()
  }
}

async function isChosen(page, { name, value }) {
  const form = sheet(page).locator('form[action="/cart/lines"]').last()
  await form.waitFor()
  await untilTrue(
    () => form.locator(`input[name="${name}"][value="${value}"]`).isChecked(),
    PATIENCE,
    'the choice',
  )
  assert.equal(await form.locator('input[name="delta"]').inputValue(), '2')
  assert.equal(await form.locator('input[name="note"]').inputValue(), 'пиязсыз')
}

test('the code of the sheet comes with the first dish that is opened, for an address with a dish at once', async () => {
  const { page, context, requests, problems } = await openPage(browser, product)
  // At rest it comes by itself.
  await putOff(page, [3000, 10_000])
  const ofDish = () => requests.filter((one) => /\/assets\/(dish-|texts-\w+-dish-)/.test(one.url()))
  await openHydrated(page, menu)
  assert.deepEqual(
    ofDish().map((one) => one.url()),
    [],
    'a menu alone brings nothing of it',
  )
  await link(page, table.withGroup.id).click()
  await sheet(page).locator('form').first().waitFor()
  const kinds = new Set(ofDish().map((one) => new URL(one.url()).pathname.split('.').pop()))
  assert.deepEqual([...kinds].sort(), ['css', 'js', 'json'], 'code, styles and texts')
  const html = await (await fetch(product.web + address(table.withGroup.id))).text()
  assert.match(html, /<dialog[^>]*class="sheet"/)
  assert.match(html.split('</style>')[0], /\.sheet[^{},]*\{/, 'its styles stand in the document')
  assert.match(html, /rel="modulepreload" href="\/assets\/dish-/)
  const opened = await openPage(browser, product)
  await openHydrated(opened.page, `${address(table.withGroup.id)}&lang=${lang}`)
  assert.equal(
    await opened.page.evaluate(() => document.querySelector('dialog.sheet').matches(':modal')),
    true,
  )
  assert.deepEqual([...problems, ...opened.problems], [])
  await opened.context.close()
  await context.close()
})

test('a dish opens at once, and closing it gives up the request for its options without a word', async () => {
  const { page, context, problems } = await openPage(browser, product)
  const { id, name } = table.withGroup
  await openHydrated(page, menu)
  const given = []
  page.on('requestfailed', (one) => {
    if (isItem(id)(new URL(one.url()))) given.push(one.failure()?.errorText)
  })
  const held = Promise.withResolvers()
  await page.route(isItem(id), async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  await link(page, id).click()
  await atUrl(page, /item=/)
  assert.equal(await sheet(page).locator('h2').textContent(), name)
  assert.equal(await sheet(page).locator('[aria-busy="true"]').count(), 1, 'its options are on their way')
  // Back closes the sheet and stays on the menu, however slow the network is.
  await page.goBack()
  await atUrl(page, (url) => !url.searchParams.has('item') && url.pathname === `/filials/${table.filial_id}`)
  await untilTrue(async () => (await sheet(page).count()) === 0, PATIENCE, 'the sheet is closed')
  await untilTrue(() => given.length === 1, PATIENCE, 'the request is given up')
  held.resolve()
  assert.deepEqual(given, ['net::ERR_ABORTED'])
  assert.equal(await page.locator('[role="alert"]').count(), 0)
  assert.equal(await page.locator('.connection').innerText(), '')
  assert.deepEqual(problems, [])
  await context.close()
})

test('options that do not come leave the menu where it is, and come when they are asked for again', async () => {
  const { page, context } = await openPage(browser, product)
  const { id } = table.withGroup
  await openHydrated(page, menu)
  const options = isItem(id)
  await page.route(options, (route) => route.abort('failed'))
  await link(page, id).click()
  await says(page, text(lang, 'dish.failed'))
  assert.equal(await add(page).count(), 0, 'without its options it can not be added')
  assert.ok((await page.locator('.dish').count()) > 5, 'the menu is still there')
  await page.unroute(options)
  await sheet(page).getByText(text(lang, 'app.retry')).click()
  await add(page).waitFor()
  await context.close()
})

test('what was begun outlives the sheet and a reload, and goes with the adding', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openSheet(page)
  const chosen = await chooseAgain(page)
  await page.keyboard.press('Escape')
  await atUrl(page, (url) => !url.searchParams.has('item'))
  await link(page, table.withGroup.id).click()
  await isChosen(page, chosen)
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
  await isChosen(page, chosen)
  await chooseRest(page)
  await submitItem(page)
  await atUrl(page, (url) => !url.searchParams.has('item'))
  const [line] = (await cartOf(page)).lines
  assert.deepEqual([line.qty, line.note], [2, 'пиязсыз'])
  const kept = await page.evaluate(() => localStorage.getItem('drafts'))
  assert.deepEqual(JSON.parse(kept).value, [], 'it is in the cart now')
  assert.deepEqual(problems, [])
  await context.close()
})

test('what is chosen beforehand is said, and is taken off at once', async () => {
  const { page, context } = await openPage(browser, product)
  await signIn({ context, web: product.web })
  const two = table.withGroup.sheet.groups
    .flatMap(({ max, options }) => options.filter(({ out }) => !out).slice(0, Math.min(max, 2)))
    .slice(0, 2)
  const values = { '/data/last_selected': two.map(({ id }) => ({ id, count: 1 })) }
  const path = '/menu/v2/product/additives'
  await product.sandboxApi.set('faults', { path, kind: 'replace', values })
  // Everybody is answered so: it is no choice of this guest's.
  const proposed = async () => {
    const { page: shown } = await pageData(product.web, address(table.withGroup.id))
    return Object.keys(shown.data.dish.selected).length === 2
  }
  await untilTrue(proposed, PATIENCE, 'the answer for all')
  await openSheet(page)
  const form = sheet(page).locator('form[action="/cart/lines"]')
  const chosen = () =>
    form.evaluate((element) =>
      [...new FormData(element)]
        .filter(([name, value]) => /^(group|option)/.test(name) && Number(value) > 0)
        .map(([name]) => name),
    )
  await form.getByText(text(lang, 'dish.preset')).waitFor()
  assert.equal(await form.getByText(text(lang, 'dish.last')).count(), 0)
  assert.equal((await chosen()).length, 2)
  await form.getByRole('button', { name: text(lang, 'dish.clear') }).click()
  assert.deepEqual(await chosen(), [])
  // What the guest has taken off stays so, and nothing is said of it.
  assert.equal(await page.evaluate(() => document.activeElement.localName), 'legend')
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
  await form.waitFor()
  await untilTrue(async () => (await chosen()).length === 0, PATIENCE, 'nothing is chosen')
  assert.equal(await form.getByText(text(lang, 'dish.preset')).count(), 0)
  await product.sandboxApi.clear('faults')
  await context.close()
})

test('what was begun of a dish is there after the death of its page, and in another tab', async () => {
  const { page: first, context } = await openPage(browser, product)
  await openSheet(first)
  const chosen = await chooseAgain(first)
  const address = first.url()
  await first.close()
  const page = await context.newPage()
  await openHydrated(page, address)
  await isChosen(page, chosen)
  await context.close()
})

test('who closes the sheet while its dish is being added stays on the page that they have gone on to', async () => {
  const { page, context } = await openPage(browser, product)
  await openSheet(page)
  await chooseRest(page)
  const held = Promise.withResolvers()
  await page.route('**/cart/lines', async (route) => {
    await held.promise
    await route.continue()
  })
  await Promise.all([page.waitForRequest('**/cart/lines'), add(page).click()])
  await page.keyboard.press('Escape')
  await atUrl(page, (url) => !url.searchParams.has('item'))
  await link(page, table.plain[0].id).click()
  await sheet(page).locator('form').first().waitFor()
  await page.evaluate(() => {
    window.steps = []
    const go = history.go.bind(history)
    history.go = (by) => {
      window.steps.push(by)
      go(by)
    }
  })
  // Changes of the cart go one after another: when this one is answered, the one before it is.
  await add(page).click()
  held.resolve()
  await sheet(page).waitFor({ state: 'detached' })
  assert.deepEqual(await page.evaluate(() => window.steps), [-1], 'each sheet is left once')
  assert.equal((await cartOf(page)).count, 2)
  await context.close()
})

test('a second press while a dish is being added adds nothing', async () => {
  const { page, context } = await openPage(browser, product)
  await openSheet(page)
  await chooseRest(page)
  const held = Promise.withResolvers()
  await page.route('**/cart/lines', async (route) => {
    await held.promise
    await route.continue()
  })
  await Promise.all([page.waitForRequest('**/cart/lines'), add(page).click()])
  await untilTrue(async () => (await add(page).getAttribute('aria-busy')) === 'true', PATIENCE, 'it is busy')
  await add(page).click()
  await sheet(page).locator('input[name="note"]').press('Enter')
  held.resolve()
  await sheet(page).waitFor({ state: 'detached' })
  // Changes of the cart go one after another.
  await page
    .locator(`form:has(input[name="product"][value="${table.plain[0].id}"]) button[value="1"]`)
    .first()
    .click()
  await untilTrue(
    async () => (await cartOf(page))?.lines.some(({ productId }) => productId === table.plain[0].id),
    PATIENCE,
    'the dish after it',
  )
  assert.equal((await cartOf(page)).count, 2)
  assert.equal(new URL(page.url()).pathname, `/filials/${table.filial_id}`)
  await context.close()
})

test('blocked or spoiled storage costs nothing but the draft', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
  })
  await openSheet(page)
  const chosen = await chooseAgain(page)
  await page.keyboard.press('Escape')
  await atUrl(page, (url) => !url.searchParams.has('item'))
  await link(page, table.withGroup.id).click()
  await isChosen(page, chosen)
  assert.deepEqual(problems, [])
  await context.close()

  const spoiled = await openPage(browser, product)
  await spoiled.page.addInitScript((key) => {
    const spoiled = { size: null, counts: { 1: -4 }, quantity: 1, note: '' }
    const value = [[key, { size: 'x' }, Date.now()], 7, [key, spoiled, Date.now()]]
    localStorage.setItem('drafts', JSON.stringify({ version: 1, value }))
  }, `${table.filial_id},${table.withGroup.id},`)
  await openSheet(spoiled.page)
  assert.equal(await sheet(spoiled.page).locator('input[name="delta"]').inputValue(), '1')
  assert.deepEqual(spoiled.problems, [])
  await spoiled.context.close()
})

test('a dish that sells out while it is open says so, and keeps what was chosen', async () => {
  const { page, context } = await openPage(browser, product)
  const { id } = table.withGroup
  const stock = (available) =>
    product.sandboxApi.set('stock', { filial_id: table.filial_id, product_id: id, available })
  await openSheet(page)
  const chosen = await chooseAgain(page)
  /** The page hears of the stock of now, as it does when it comes back from the back-forward cache. */
  const hears = (words, there) => {
    // Asking again gives up what was asked before, so a slow answer gets more and more time.
    let wait = 300
    return untilTrue(async () => {
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
      await pause(wait)
      wait = Math.min(2 * wait, 10_000)
      return plainSpaces(await sheet(page).innerText()).includes(words) === there
    })
  }
  await stock(false)
  try {
    await hears(text(lang, 'dish.soldOut'), true)
    assert.equal(await add(page).getAttribute('aria-disabled'), 'true')
    await isChosen(page, chosen)
    await add(page).click({ force: true })
    await pause(500)
    assert.equal(await cartOf(page), null, 'the button does nothing')
  } finally {
    await stock(true)
  }
  await hears(text(lang, 'dish.soldOut'), false)
  assert.equal(await add(page).getAttribute('aria-disabled'), null)
  await isChosen(page, chosen)
  await context.close()
})

test('the refusal of a sold-out dish by the server closes nothing and loses nothing', async () => {
  const { page, context } = await openPage(browser, product)
  // Nothing tells the page before the server refuses.
  await context.route(/\/events/, (route) => route.abort())
  const { id } = table.withGroup
  await openSheet(page)
  await chooseRest(page)
  const chosen = await chooseAgain(page)
  await product.sandboxApi.set('stock', { filial_id: table.filial_id, product_id: id, available: false })
  try {
    // The catalogue of the server answers once more with what it knew.
    await untilTrue(async () => {
      const { page: told } = await pageData(product.web, `/filials/${table.filial_id}`)
      return told.data.categories.flatMap((one) => one.products).find((one) => one.id === id).out
    })
    await add(page).click()
    await says(page, text(lang, 'dish.soldOut'))
    await untilTrue(async () => (await add(page).getAttribute('aria-disabled')) === 'true')
    await isChosen(page, chosen)
    assert.equal(await cartOf(page), null)
  } finally {
    await product.sandboxApi.set('stock', { filial_id: table.filial_id, product_id: id, available: true })
  }
  await context.close()
})

test('a dish is shared by the phone, else its address is copied, and the address opens it', async () => {
  const { page, context } = await openPage(browser, product)
  await page.addInitScript(() => {
    window.shared = []
    navigator.share = async (what) => {
      window.shared.push(what)
      if (window.shared.length === 1) throw new DOMException('closed', 'AbortError')
    }
  })
  await openSheet(page)
  const button = sheet(page).getByRole('button', { name: text(lang, 'dish.share') })
  await button.click()
  await button.click()
  await untilTrue(() => page.evaluate(() => window.shared.length === 2))
  const [first, second] = await page.evaluate(() => window.shared)
  assert.deepEqual(first, second)
  assert.deepEqual(first, { title: table.withGroup.name, url: product.web + address(table.withGroup.id) })
  assert.equal(
    await sheet(page).locator('.share [role="status"]').innerText(),
    '',
    'closing it is no failure',
  )
  await openHydrated(page, first.url)
  assert.equal(await sheet(page).locator('h2').innerText(), await nameIn(page))
  await context.close()

  const other = await openPage(browser, product)
  await other.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await other.page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await openSheet(other.page)
  await sheet(other.page)
    .getByRole('button', { name: text(lang, 'dish.share') })
    .click()
  await says(other.page, text(lang, 'dish.copied'))
  const copied = await other.page.evaluate(() => navigator.clipboard.readText())
  assert.equal(copied, product.web + address(table.withGroup.id))
  await other.context.close()
})

const nameIn = (page) => page.locator(`.dish a[href$="item=${table.withGroup.id}"]`).first().innerText()

test('a dish that is in the cart is had again as it is, or differently, and a minus asks which one', async () => {
  const { page, context, problems } = await openPage(browser, product)
  const { id } = table.withGroup
  await openHydrated(page, menu)
  await chooseDish(page, table, lang)
  const lines = async () => (await cartOf(page))?.lines.map((line) => line.qty)
  await link(page, id).click()
  await sheet(page).locator('.have').waitFor()
  assert.equal(await add(page).isVisible(), false, 'the form is a tap away')
  await sheet(page).locator('.have .plus').click()
  await untilTrue(async () => (await lines())?.join() === '2', PATIENCE, 'the same again')
  await sheet(page).getByText(text(lang, 'dish.different')).click()
  await chooseAgain(page)
  await chooseRest(page)
  await submitItem(page)
  await atUrl(page, (url) => !url.searchParams.has('item'))
  assert.deepEqual(await lines(), [2, 2])
  // Of two lines the row can't know which one is meant.
  const row = page.locator(`.dish:has(a[href$="item=${id}"])`).first()
  await row.locator('.minus').click()
  await sheet(page).locator('.have li').nth(1).waitFor()
  await sheet(page).locator('.have li').nth(1).locator('.minus').click()
  await untilTrue(async () => (await lines())?.join() === '2,1', PATIENCE, 'one of the second')
  await sheet(page).locator('.have li').nth(1).locator('.minus').click()
  await untilTrue(async () => (await lines())?.join() === '2', PATIENCE, 'the second is gone')

  // What was removed comes back by a word above the sheet: under it it could not be pressed.
  await keepToast(page.locator('.toast[data-undo]'))
  const undo = page.locator('.toast').getByRole('button', { name: text(lang, 'cart.undo') })
  assert.equal(
    await undo.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return document.elementFromPoint(left + width / 2, top + height / 2) === element
    }),
    true,
    'nothing covers it',
  )
  await undo.click()
  await untilTrue(async () => (await lines())?.join() === '2,1', PATIENCE, 'the second is back')
  await page.keyboard.press('Escape')
  await atUrl(page, (url) => !url.searchParams.has('item'))
  assert.deepEqual(problems, [])
  await context.close()
})

test('the minus of a row takes from the only line of the dish', async () => {
  const { page, context } = await openPage(browser, product)
  const { id } = table.withGroup
  await openHydrated(page, menu)
  await chooseDish(page, table, lang)
  const row = page.locator(`.dish:has(a[href$="item=${id}"])`).first()
  await row.locator('.minus').click()
  await untilTrue(async () => (await cartOf(page)) === null, PATIENCE, 'it is gone')
  assert.equal(await sheet(page).count(), 0)
  await keepToast(page.locator('.toast[data-undo]'))
  await page
    .locator('.toast')
    .getByRole('button', { name: text(lang, 'cart.undo') })
    .click()
  await untilTrue(async () => (await cartOf(page))?.count === 1, PATIENCE, 'and back')
  await context.close()
})

test('the menu of a branch counts and takes away nothing of the cart of another', async () => {
  const { page, context, problems } = await openPage(browser, product)
  const [own, branch] = [SHOPS.takeaway.filial_id, SHOPS.delivery.filial_id]
  const of = async (at, query = '') =>
    (await pageData(product.web, `/filials/${at}?lang=${lang}${query}`)).page.data
  const dishes = async (at) =>
    (await of(at)).categories.flatMap(({ products }) => products).filter((one) => one.options && !one.out)
  const theirs = new Set((await dishes(branch)).map((one) => one.id))
  const { id } = (await dishes(own)).find((one) => theirs.has(one.id))
  const { dish } = await of(own, `&item=${id}`)
  await openHydrated(page, `/filials/${own}?lang=${lang}`)
  await chooseDish(page, { withGroup: { id, sheet: dish } }, lang)
  for (const [venue, count] of [
    [own, 1],
    [branch, 0],
  ]) {
    await openHydrated(page, `/filials/${venue}?lang=${lang}`)
    const row = page.locator(`.dish:has(a[href$="/${venue}?item=${id}"])`).first()
    await row.locator('.plus').waitFor()
    assert.equal(await row.locator('.minus').count(), count)
  }
  assert.equal((await cartOf(page)).venueId, own)
  assert.deepEqual(problems, [])
  await context.close()
})

/** Playwright runs its scripts as if the guest had just pressed something: a key alone counts here. */
const activatedByKeys = (page) =>
  page.addInitScript(() => {
    let hasBeenActive = false
    addEventListener('keydown', () => (hasBeenActive = true), true)
    Object.defineProperty(navigator, 'userActivation', {
      get: () => ({ hasBeenActive, isActive: hasBeenActive }),
    })
  })

test('a dish begins at its top for who comes to its address, by keyboard at what is to be done', async () => {
  for (const [{ id }, first] of [
    [table.withGroup, '.group input'],
    [table.plain[0], '.cta > .button'],
  ]) {
    const { page, context } = await openPage(browser, product, { viewport: { width: 320, height: 640 } })
    const has = (wanted) => page.evaluate((one) => document.activeElement.matches(one), wanted)
    await activatedByKeys(page)
    await openHydrated(page, address(id))
    await sheet(page).locator('form').first().waitFor()
    // The dialog gives the focus to its first link; what the sheet makes of it is over once the page is at rest.
    await untilTrue(() => has('dialog *'))
    await atRest(page)
    assert.ok(await has('.close'), await page.evaluate(() => document.activeElement.className))
    assert.equal(await sheet(page).evaluate((one) => one.scrollTop), 0)
    const { y, height } = await sheet(page).locator('#dish-name').boundingBox()
    assert.ok(y >= 0 && y + height <= 640, 'its name is in sight')
    // The same sheet: what opens it decides.
    await openHydrated(page, menu)
    await link(page, id).focus()
    await page.keyboard.press('Enter')
    await sheet(page).locator('form').first().waitFor()
    await untilTrue(() => has(`dialog ${first}`), PATIENCE, first)
    await context.close()
  }
})

test('the sheet closes by its button, beside it and by Esc; the page under it is inert and gets the focus back', async () => {
  const { page, context } = await openPage(browser, product)
  const { id } = table.withGroup
  await openHydrated(page, menu)
  const closes = [
    () => sheet(page).locator('.close').click(),
    () => page.mouse.click(180, 8),
    () => page.keyboard.press('Escape'),
  ]
  for (const close of closes) {
    await link(page, id).click()
    await add(page).waitFor()
    const reached = await page.evaluate(() => {
      const under = document.querySelector('.dish a')
      under.focus()
      return document.activeElement === under
    })
    assert.equal(reached, false, 'nothing under it takes the focus')
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      const inside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement.closest('dialog') !== null,
      )
      assert.equal(inside, true, 'Tab stays in the sheet')
    }
    await close()
    await atUrl(page, (url) => !url.searchParams.has('item'))
    await untilTrue(
      () => link(page, id).evaluate((element) => element === document.activeElement),
      PATIENCE,
      'focus',
    )
  }
  await context.close()
})

test('the bar of a sheet is whole and in sight on 180 px, and with letters twice as large', async () => {
  for (const [width, height, size] of [
    [180, 370, ''],
    [320, 640, '200%'],
    [360, 740, '200%'],
  ]) {
    const { page, context } = await openPage(browser, product, { viewport: { width, height } })
    await openHydrated(page, address(table.withGroup.id))
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size
    }, size)
    await page.locator('dialog.sheet:modal .cta').waitFor()
    const seen = await page.evaluate(async () => {
      const sheet = document.querySelector('dialog.sheet')
      // It rises.
      await Promise.all(sheet.getAnimations({ subtree: true }).map(({ finished }) => finished))
      const bar = sheet.querySelector('.cta').getBoundingClientRect()
      return {
        wide: sheet.scrollWidth - sheet.clientWidth,
        below: bar.bottom - innerHeight,
        right: bar.right - innerWidth,
      }
    })
    for (const [what, over] of Object.entries(seen)) assert.ok(over < 1, `${width} ${size}: ${what} ${over}`)
    await context.close()
  }
})

test('what has to be chosen is in the first view of a dish, on a phone', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, menu)
  await link(page, table.withGroup.id).click()
  const first = sheet(page).locator('.group .choice').first()
  await first.waitFor()
  const box = (locator) => locator.evaluate((one) => one.getBoundingClientRect().toJSON())
  await sheet(page).evaluate((one) => Promise.all(one.getAnimations().map(({ finished }) => finished)))
  assert.ok((await box(sheet(page).locator('img'))).height < 740 * 0.3, 'the photo leaves room')
  const second = sheet(page).locator('.group .choice').nth(1)
  assert.ok((await box(second)).bottom <= (await box(sheet(page).locator('.cta'))).top)
  // A dish without choices shows itself.
  await openHydrated(page, address(table.plain[0].id))
  await sheet(page).locator('.cta').waitFor()
  assert.ok((await box(sheet(page).locator('img'))).height > 740 * 0.3)
  await context.close()
})

const isCounted = ({ max, options }) => max > 1 && options.some((one) => one.max > 1)

/** A dish of the menu that has a group whose options can be taken several times. */
async function countedDish() {
  const dishes = table.data.categories
    .flatMap(({ products }) => products)
    .filter(({ options, out }) => options && !out)
  for (const { id } of dishes) {
    const { dish } = (await pageData(product.web, `/filials/${table.filial_id}?item=${id}`)).page.data
    if (dish.groups.some(isCounted)) return dish
  }
  throw new Error('no dish with a counted option')
}

test('an extra with a number is taken by a tap on its name, once', async () => {
  const { context, page } = await openPage(browser, product)
  const dish = await countedDish()
  const option = dish.groups.find(isCounted).options.find(({ max, out }) => max > 1 && !out)
  await openHydrated(page, address(dish.product.id))
  const field = page.locator(`input[name="option.${option.id}"]`)
  assert.equal(await field.inputValue(), '0')
  const name = sheet(page).locator('.choice', { has: field }).getByText(option.name, { exact: true })
  const tap = async () => {
    await name.scrollIntoViewIfNeeded()
    const { x, y, width, height } = await name.boundingBox()
    await page.mouse.click(x + width / 2, y + height / 2)
  }
  await tap()
  await untilTrue(async () => (await field.inputValue()) === '1')
  // More or less of it is the buttons' and the field's.
  await tap()
  await field.fill('2')
  assert.equal(await field.inputValue(), '2')
  await context.close()
})

test('what can be had of a counted extra looks so, and all prices of its group stand below their names', async () => {
  const { context, page } = await openPage(browser, product)
  const dish = await countedDish()
  const group = dish.groups.find(isCounted)
  await openHydrated(page, address(dish.product.id))
  const rows = sheet(page)
    .locator('.group', { has: page.locator(`#group-${group.id}`) })
    .locator('.choice')
  const shown = await rows.evaluateAll((all) =>
    all.map((row) => {
      const [name, price] = row.querySelector('span').children
      const below = price.getBoundingClientRect()
      return {
        color: getComputedStyle(name).color,
        price: getComputedStyle(price).color,
        isBelow: below.top >= name.getBoundingClientRect().bottom - 1,
      }
    }),
  )
  assert.equal(shown.length, group.options.length)
  for (const [index, { color, price, isBelow }] of shown.entries()) {
    const { name, out } = group.options[index]
    assert.equal(color === price, out, `${name} is pale only where it is sold out`)
    assert.ok(isBelow, name)
  }
  await context.close()
})

test('without scripts the bar of the cart lies behind the dish, never over what is chosen', async () => {
  const opened = await openPage(browser, product)
  await fillCart(opened, table, table.plain.slice(0, 1))
  const storageState = await opened.context.storageState()
  await opened.context.close()
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false, storageState })
  await open(page, address(table.withGroup.id))
  const bar = page.locator('a.bar')
  const top = (locator) => locator.evaluate((one) => one.getBoundingClientRect().top)
  assert.ok((await top(bar)) > 740, 'it is not in the first view')
  for (const choice of await page.locator('.sheet .choice, .sheet .cta .button').all()) {
    await choice.evaluate((one) => one.scrollIntoView({ block: 'end' }))
    const isFree = await choice.evaluate((one) => {
      const { left, bottom, width } = one.getBoundingClientRect()
      return one.contains(document.elementFromPoint(left + width / 2, bottom - 4))
    })
    assert.ok(isFree, await choice.innerText())
  }
  await bar.click()
  await atUrl(page, /\/cart/)
  await context.close()
})
