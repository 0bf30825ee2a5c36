/**
 * The code of a table: its frame, and the number for who can't or won't use the camera (AX-14, BC-12, FL-07); the language
 * where the frame around a page is plain (LC-25).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atUrl, dataOf, fillCart, hydrated, inLang, open, openPage, text, untilTrue } from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

/** A venue whose guests may type it, and one whose guests may not. */
const TYPED = 1253
const NOT_TYPED = 1013
const LANG = 'ru'

setStage({ withTable: false })

const scanner = (venue) => inLang(`/filials/${venue}/barcode-scanner?table=1`, LANG)
const field = (page) => page.locator('form[action="/session/table"] input[name="table"]')

for (const scripts of [true, false]) {
  test(`the number of a table is typed beside the camera and leads to its bill, ${scripts ? 'with' : 'without'} scripts`, async () => {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled: scripts })
    await open(page, scanner(TYPED))
    if (scripts) await hydrated(page)
    await field(page).fill('999')
    await field(page).press('Enter')
    // One that is not there is said, and what was typed stays.
    await page.getByText(text(LANG, 'errors.noSuchTable')).first().waitFor()
    assert.equal(await field(page).inputValue(), '999')
    await field(page).fill('3')
    await field(page).press('Enter')
    await atUrl(page, new RegExp(`/filials/${TYPED}/bill`))
    await untilTrue(async () => (await page.locator('header').innerText()).includes('3'))
    await context.close()
  })
}

test('a camera that was refused leaves the number, and where it may not be typed only the phone’s own camera', async () => {
  const { page, context } = await openPage(browser, product)
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    navigator.mediaDevices.enumerateDevices = () => Promise.resolve([{ kind: 'videoinput' }])
  })
  for (const venue of [TYPED, NOT_TYPED]) {
    await open(page, scanner(venue))
    await hydrated(page)
    await page.getByRole('button', { name: text(LANG, 'scan.start') }).click()
    await page.getByRole('alert').getByText(text(LANG, 'bill.rescanHow')).waitFor()
    assert.equal(await field(page).count(), venue === TYPED ? 1 : 0)
    // Nothing goes on announcing a question, there is nothing to aim with, and the menu is one step away.
    assert.equal(await page.getByText(text(LANG, 'scan.tableIdle')).count(), 0)
    assert.equal(await page.locator('.finder').isVisible(), false)
    assert.equal(await page.locator(`.scanner a[href="/filials/${venue}"]`).count(), 1)
  }
  await context.close()
})

test('a camera that is allowed in the settings of the browser after a refusal is there at the next press', async () => {
  const { page, context } = await openPage(browser, product)
  await page.addInitScript(() => {
    window.permission = 'denied'
    navigator.permissions.query = async () => ({ state: window.permission })
    navigator.mediaDevices.getUserMedia = () => {
      window.asked = true
      return new Promise(() => {})
    }
  })
  await open(page, scanner(TYPED))
  await hydrated(page)
  await page.getByRole('alert').getByText(text(LANG, 'bill.rescanHow')).waitFor()
  await page.evaluate(() => {
    window.permission = 'granted'
  })
  await page.getByRole('button', { name: text(LANG, 'app.retry') }).click()
  await page.waitForFunction(() => window.asked)
  await page.locator('.scanner[data-phase="starting"]').waitFor()
  await context.close()
})

test('on a device without a camera the number is the main way, and nothing says that the browser will ask', async () => {
  const { page, context } = await openPage(browser, product)
  await page.addInitScript(() => {
    navigator.mediaDevices.enumerateDevices = () => Promise.resolve([])
  })
  await open(page, scanner(TYPED))
  await hydrated(page)
  // Without a press.
  await page.locator('.scanner').getByText(text(LANG, 'camera.missing')).waitFor()
  const main = page.locator('.scanner .button:not([data-quiet])')
  assert.deepEqual(await main.allInnerTexts(), [text(LANG, 'table.set')])
  // What can't be switched on is not offered as if it could.
  const quiet = page.locator('.scanner .button[data-quiet]')
  assert.deepEqual(await quiet.allInnerTexts(), [text(LANG, 'app.retry')])
  assert.equal(await page.getByText(text(LANG, 'scan.tableIdle')).count(), 0)
  await field(page).fill('3')
  await main.click()
  await atUrl(page, new RegExp(`/filials/${TYPED}/bill`))
  await context.close()
})

test('a table that is not there is scanned again from the page that says so', async () => {
  const { page, context } = await openPage(browser, product, { viewport: { width: 360, height: 740 } })
  await open(page, inLang(`/filials/${NOT_TYPED}/bill?table_id=t99`, LANG))
  await page.getByText(text(LANG, 'notFound.table')).waitFor()
  const scan = page.getByRole('link', { name: text(LANG, 'barcode.scan') })
  assert.equal(await scan.getAttribute('href'), `/filials/${NOT_TYPED}/barcode-scanner?table=1`)
  await context.close()
})

test('Back of the scanner of a table leads to the bill of that table, to the cart that has none yet, or to the menu', async () => {
  const { page, context } = await openPage(browser, product)
  const back = () => page.locator('header a.back').getAttribute('href')
  await open(page, scanner(TYPED))
  assert.equal(await back(), `/filials/${TYPED}`)
  await open(page, inLang(`/filials/${TYPED}`, LANG))
  const { categories } = (await dataOf(page)).page.data
  const plain = categories
    .flatMap(({ products }) => products)
    .filter((one) => !one.options && !one.out && !one.adult)
  await fillCart({ page }, { qr: `/filials/${TYPED}`, filial_id: TYPED }, plain.slice(0, 1))
  await open(page, scanner(TYPED))
  assert.equal(await back(), '/cart')
  await field(page).fill('3')
  await field(page).press('Enter')
  await atUrl(page, new RegExp(`/filials/${TYPED}/bill`))
  await open(page, scanner(TYPED))
  assert.equal(await back(), `/filials/${TYPED}/bill`)
  await context.close()
})

test('the code of a table is a square and so is its frame; a barcode has a wide one', async () => {
  const { page, context } = await openPage(browser, product)
  const frame = async (address) => {
    await open(page, address)
    return page.locator('.finder > i').evaluate((frame) => {
      const { width, height } = frame.getBoundingClientRect()
      return { ratio: width / height, line: getComputedStyle(frame, '::before').display }
    })
  }
  const square = await frame(scanner(NOT_TYPED))
  assert.ok(Math.abs(square.ratio - 1) < 0.02, JSON.stringify(square))
  assert.equal(square.line, 'none')
  const wide = await frame(inLang('/filials/1201/barcode-scanner', LANG))
  assert.ok(wide.ratio > 1.5 && wide.line !== 'none', JSON.stringify(wide))
  await context.close()
})

for (const javaScriptEnabled of [true, false]) {
  test(`the scanner can be read in another language (scripts: ${javaScriptEnabled})`, async () => {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled })
    await open(page, scanner(NOT_TYPED))
    if (javaScriptEnabled) await hydrated(page)
    await page.locator('.head .lang > summary').click()
    await page.locator('.head .lang a[hreflang="kk"]').click()
    await page.getByRole('heading', { name: text('kk', 'scan.table') }).waitFor()
    const { pathname, searchParams } = new URL(page.url())
    assert.equal(pathname, `/filials/${NOT_TYPED}/barcode-scanner`)
    assert.equal(searchParams.get('table'), '1', 'what is scanned is the same')
    await context.close()
  })
}
