/** What a host app does not copy or close is copied and closed by the browser, or said to have failed (HB-02, HB-10, HB-12). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hydrated, inLang, openHydrated, text, untilTrue } from './harness.mjs'
import { setStage } from './stage.mjs'
import { called, calls, inWebview, known, overLimit } from './webview.mjs'

const lang = 'ru'
const DETAILS = inLang('/filials/1013/details', lang)
const MENU = '/filials/1013'
const BAD = ['silent', 'throws', 'late', 'wrong', 'foreign']
/** They do not answer at all: only time tells. */
const isWaitedFor = (how) => how === 'silent' || how === 'late' || how === 'foreign'

setStage({ withTable: false })

const press = (page) => page.getByRole('button', { name: text(lang, 'details.copy') }).click()
const says = (page, key) => page.getByRole('button', { name: text(lang, key) }).waitFor()
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText())

/** A webview that lets no page at the clipboard, in either way. */
const withoutClipboard = (page) =>
  page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    document.execCommand = () => false
  })

test('where the browser has a clipboard a host that never answers is not asked to copy', async () => {
  const { page, context } = await inWebview('silent', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await openHydrated(page, DETAILS)
  await known(page)
  await press(page)
  await says(page, 'details.copied')
  assert.notEqual(await clipboard(page), '')
  assert.deepEqual(await calls(page, 'copy'), [])
  await context.close()
})

test('an old webview copies out of a field, and its host is not asked either', async () => {
  const { page, context } = await inWebview('silent', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.addInitScript(() => {
    navigator.clipboard.writeText = undefined
  })
  await openHydrated(page, DETAILS)
  await known(page)
  await press(page)
  await says(page, 'details.copied')
  assert.match(await clipboard(page), /\d/)
  assert.deepEqual(await calls(page, 'copy'), [])
  await context.close()
})

test('where the page is not let at the clipboard a good host copies', async () => {
  const { page, context } = await inWebview('good')
  await withoutClipboard(page)
  await openHydrated(page, DETAILS)
  await known(page)
  await press(page)
  await says(page, 'details.copied')
  const [{ params }] = await calls(page, 'copy')
  assert.ok((await page.locator('main').innerText()).includes(params.text.split(', ').slice(1).join(', ')))
  await context.close()
})

for (const how of BAD) {
  test(`a host that is ${how} and no clipboard: it is said, the text stays to be read, and there is no second wait`, async () => {
    const { page, context } = await inWebview(how)
    await withoutClipboard(page)
    await openHydrated(page, DETAILS)
    await known(page)
    await press(page)
    if (isWaitedFor(how)) await overLimit(page, 'copy')
    await says(page, 'details.copyFailed')
    const [{ params }] = await calls(page, 'copy')
    // The address without its town.
    const address = params.text.split(', ').slice(1).join(', ')
    assert.ok(await page.getByText(address).first().isVisible(), address)
    // The clock stands still from here on: what would be waited for would not come.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
    await page.getByRole('button', { name: text(lang, 'details.copyFailed') }).click()
    await says(page, 'details.copyFailed')
    assert.equal((await calls(page, 'copy')).length, 1)
    await context.close()
  })

  test(`a host that is ${how}: what closes the app closes the page itself`, async () => {
    const { page, context } = await inWebview(how)
    await page.addInitScript(() => {
      window.__closed = 0
      window.close = () => {
        window.__closed += 1
      }
    })
    const closed = () => page.evaluate(() => window.__closed)
    await page.goto(`/consent?platform=android&back=${encodeURIComponent(MENU)}&lang=${lang}`)
    await page.locator('form[action="/session/consent"] button').first().click()
    await page.waitForURL((url) => url.pathname === MENU, { waitUntil: 'commit' })
    await hydrated(page)
    await known(page)
    await page.locator('header [data-host]').click()
    await called(page, 'close')
    if (isWaitedFor(how)) {
      assert.equal(await closed(), 0)
      await overLimit(page, 'close')
    }
    await untilTrue(async () => (await closed()) === 1)
    // Another try is not waited for, whichever way it comes.
    await page.locator('header [data-host]').click()
    await untilTrue(async () => (await closed()) === 2)
    assert.equal((await calls(page, 'close')).length, 1)
    await context.close()
  })
}

test('the Back of a host that answers nothing steps back in the history, then goes up, and then closes the page', async () => {
  const { page, context } = await inWebview('silent')
  await page.addInitScript(() => {
    window.__closed = 0
    window.close = () => {
      window.__closed += 1
    }
  })
  await openHydrated(page, inLang(MENU, lang))
  await known(page)
  const back = () => page.evaluate(() => window.postMessage({ type: 'back' }, location.origin))
  await page.locator('a[href$="/details"]').first().click()
  await page.waitForURL((url) => url.pathname.endsWith('/details'), { waitUntil: 'commit' })
  await back()
  await page.waitForURL((url) => url.pathname === MENU, { waitUntil: 'commit' })
  // Above a menu that nobody has scanned is the front.
  await page.locator('.head .back[href="/"]').waitFor()
  await back()
  await page.waitForURL((url) => url.pathname === '/', { waitUntil: 'commit' })
  assert.deepEqual(await calls(page, 'close'), [])
  await back()
  await overLimit(page, 'close')
  await untilTrue(() => page.evaluate(() => window.__closed === 1))
  await context.close()
})
