/**
 * The sandbox's host app, as people try the product in it after `make run`: the product is in its frame without any
 * setting, and the bridge answers by the switches (HB-02, HB-10, HB-11, HB-12, HB-17).
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freePorts } from '../operation/world.mjs'
import { chooseWay, pressOrder } from './flows.mjs'
import {
  addPlain,
  atUrl,
  cartOf,
  findTable,
  hydrated,
  LANGS,
  launch,
  PATIENCE,
  startProduct,
  untilTrue,
} from './harness.mjs'

let product, browser, table, web, host

before(async () => {
  const [one, two] = await freePorts(2)
  product = await startProduct({ at: { web: `127.0.0.1:${one}`, sandbox: `127.0.0.1:${two}` } })
  web = `http://localhost:${one}`
  host = `http://localhost:${two}/_sandbox/host`
  browser = await launch()
  table = await findTable(product)
})
after(async () => {
  await browser?.close()
  await product?.stop()
})

/** The page of the host app, and what was wrong with it. */
async function opened({ lang = 'en' } = {}) {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  const problems = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  const answer = await page.goto(`${product.sandbox}/_sandbox/host`)
  await page.locator('#guest select[name="language"]').selectOption(lang)
  return { page, context, problems, answer }
}

/** Opens the product at a path, as the form says. */
async function go(page, { mode = 'web', path = '/' } = {}) {
  await page.locator('select[name="mode"]').selectOption(mode)
  await page.locator('select[name="path"]').selectOption(await path)
  await page.locator('#open button').click()
}

async function inside(page) {
  const frame = await (await page.locator('#app').elementHandle()).contentFrame()
  await hydrated(frame)
  await frame.waitForSelector('html[data-hosted]')
  return frame
}

/** What the product (`app`) or the host has said by a name, the newest first. */
const lines = (page, from, name) =>
  page.locator(`#log li[data-from="${from}"]`, {
    has: page.locator('b', { hasText: new RegExp(`^${name}$`) }),
  })
/** What became of the newest call of a method. */
const outcome = (page, method) => lines(page, 'app', method).first().locator('span').last().innerText()
const switchTo = (page, method, how) => page.locator(`#methods select[name="${method}"]`).selectOption(how)
/** What the page offers to open, or to scan, of the venue; the sheet comes when the product has asked. */
async function ofVenue(page, select) {
  const code = page.locator(`${select} option[value*="/filials/${table.filial_id}?"]`).first()
  await code.waitFor({ state: 'attached' })
  return code.getAttribute('value')
}

test('the page is printed, found from the controls, and lives by a strict policy', async () => {
  assert.ok(product.output.includes(`host ${host}`), product.output.join('\n'))
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${product.sandbox}/_sandbox`)
  await page.locator('a[href="/_sandbox/host"]').click()
  await atUrl(page, host)
  const answer = await fetch(host.replace('localhost', '127.0.0.1'), { redirect: 'manual' })
  assert.equal(answer.headers.get('location'), host, 'one name of the machine, so that cookies are kept')
  const policy = (await fetch(host)).headers.get('content-security-policy')
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.match(policy, new RegExp(`frame-src 'self' ${web};`))
  assert.doesNotMatch(policy, /unsafe|\*/)
  const script = await (await fetch(`${product.sandbox}/_sandbox/host.js`)).text()
  const posts = [...script.matchAll(/postMessage\((.*)\)/g)].map((match) => match[1])
  assert.ok(posts.length > 0 && posts.every((told) => told.endsWith(', web')), posts.join('\n'))
  await context.close()
})

test('the product is in the frame; a code that the host scans opens a venue, and a dish goes into the cart', async () => {
  const { page, context, problems } = await opened()
  let frame = await inside(page)
  assert.equal(new URL(frame.url()).origin, web)
  await untilTrue(async () => /answered true/.test(await outcome(page, 'language')))

  await frame.goto(`${web}/filials/${table.filial_id}/barcode-scanner?table=1&lang=en`)
  frame = await inside(page)
  await frame.locator('.scanner form button').click()
  const sheet = page.getByRole('dialog')
  await sheet.locator('select').selectOption(await ofVenue(page, '.sheet'))
  await sheet.getByRole('button', { name: 'Read it' }).click()
  await frame.waitForURL((url) => url.pathname === `/filials/${table.filial_id}`)
  frame = await inside(page)
  assert.match(await outcome(page, 'scanText'), /answered .*"outcome":"success"/)
  await addPlain(frame, table.plain[0])
  await untilTrue(async () => (await cartOf(frame))?.count === 1)
  await untilTrue(async () => (await lines(page, 'app', 'haptic').count()) > 0)

  // A look at a dish, and back by the hardware's button.
  await frame.locator(`main a[href*="item=${table.withGroup.id}"]`).first().click()
  await frame.locator('dialog[open]').waitFor()
  await page.locator('#whose', { hasText: 'belongs to the product' }).waitFor()
  await page.locator('#back').click()
  await frame.locator('dialog[open]').waitFor({ state: 'detached' })
  assert.equal(await lines(page, 'host', 'back').count(), 1)
  // There is no partition on plain http: what is of this name of the machine is its own.
  const tab = await context.newPage()
  await tab.goto(`${product.web}/filials/${table.filial_id}`)
  assert.equal(await cartOf(tab), null)
  await tab.close()
  assert.deepEqual(problems, [])
  await context.close()
})

test('a webview is asked for consent, knows the guest of the host, and its Close is back at the host', async () => {
  const { page, context, problems } = await opened()
  await page.locator('input[name="known"]').check()
  await go(page, { mode: 'android', path: ofVenue(page, '#open [name="path"]') })
  let frame = await inside(page)
  assert.equal(new URL(frame.url()).pathname, '/consent')
  await frame.locator('form[action="/session/consent"] button').first().click()
  await frame.waitForURL((url) => url.pathname === `/filials/${table.filial_id}`)
  frame = await inside(page)
  await untilTrue(async () => /"outcome":"success","trackId"/.test(await outcome(page, 'authorize')))
  await untilTrue(async () => /^\d+$/.test(await page.locator('#told-guest').innerText()))
  await frame.locator('header [data-host]').click()
  await page.locator('#home').waitFor()
  assert.match(await outcome(page, 'close'), /answered true/)
  assert.ok(!(await page.locator('#app').isVisible()))
  await page.locator('#enter').click()
  await inside(page)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a method does what its switch says, and the product gets on', async () => {
  const { page, context } = await opened()
  await inside(page)
  await page.frames()[1].goto(`${web}/filials/${table.filial_id}/barcode-scanner?table=1&lang=en`)
  const frame = await inside(page)
  await switchTo(page, 'scanText', 'refuses')
  await frame.locator('.scanner form button').click()
  await untilTrue(async () => (await lines(page, 'app', 'scanText').count()) > 0)
  assert.match(await outcome(page, 'scanText'), /refused/)
  assert.equal(await page.getByRole('dialog').count(), 0)
  // By the camera of the page, which is missing here.
  await frame.getByRole('alert').waitFor()
  await page.locator('#all').selectOption('never')
  assert.equal(await page.locator('#methods select[name="pay"]').inputValue(), 'never')
  // Somebody else's message is no call.
  const before = await page.locator('#log li').count()
  await page.evaluate(() => window.postMessage({ type: 'call', id: 'x', method: 'close' }, location.origin))
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  assert.equal(await page.locator('#log li').count(), before)
  await context.close()
})

test('the guest pays on the bank’s page inside of the host, and the order is paid', async () => {
  const { page, context, problems } = await opened()
  await go(page, { path: ofVenue(page, '#open [name="path"]') })
  let frame = await inside(page)
  await addPlain(frame, table.plain[0])
  await untilTrue(async () => (await cartOf(frame))?.count === 1)
  await frame.goto(`${web}/cart`)
  frame = await inside(page)
  await chooseWay(frame, 'card')
  await pressOrder(frame)
  const sheet = page.getByRole('dialog')
  const bank = await (await sheet.locator('iframe').elementHandle()).contentFrame()
  await bank.locator('button[value="succeeded"]').click()
  await sheet.waitFor({ state: 'detached' })
  assert.match(await outcome(page, 'pay'), /"outcome":"success"/)
  await frame.waitForURL((url) => /\/order\//.test(url.pathname))
  assert.deepEqual(problems, [])
  await context.close()
})

test('the host’s language is the product’s, whichever it is', async () => {
  const { page, context } = await opened({ lang: 'kk' })
  // What a host says before the document is there is lost; the page tells its own language when it listens.
  await inside(page)
  for (const lang of LANGS.filter((one) => one !== 'ka')) {
    await page.locator('#guest select[name="language"]').selectOption(lang)
    await page.frames()[1].waitForFunction((wanted) => document.documentElement.lang === wanted, lang)
    await inside(page)
  }
  await page.locator('#told-language', { hasText: 'en' }).waitFor()
  await context.close()
})
