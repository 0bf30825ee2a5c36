/** What a host app says of places and cameras is what counts: its place, and its no (HB-05, HB-07). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atUrl, inLang, openHydrated, text, untilTrue } from './harness.mjs'
import { setStage } from './stage.mjs'
import { answer, CODE, called, calls, HOST_PLACE, inWebview, known } from './webview.mjs'

const lang = 'ru'
const MAP = inLang('/map', lang)
const ADDRESS_MAP = inLang('/address-map?back=/cart', lang)
const SCANNER = inLang('/filials/1201/barcode-scanner', lang)

setStage({ withTable: false })

/** How often the browser itself was asked for the place. */
const located = (page) => page.evaluate(() => window.__located)
const live = (page) => page.locator('.map[data-state="live"]').waitFor()
const locate = (page, map) => page.getByRole('button', { name: text(lang, `${map}.locate`) }).click()
const hidden = (page, name) =>
  page.locator(`.pinned input[name="${name}"]`).getAttribute('value').then(Number)

test('a place that the host tells is used, and the browser is not asked', async () => {
  const { page, context, problems } = await inWebview('good')
  const asked = []
  page.on('request', (one) => asked.push(one.headers()['x-near']))
  await openHydrated(page, inLang('/', lang))
  await known(page)
  assert.deepEqual(await calls(page, 'position'), [])
  await page.getByRole('button', { name: text(lang, 'home.near') }).click()
  await page.getByRole('button', { name: text(lang, 'home.near'), pressed: true }).waitFor()
  const { latitude, longitude } = HOST_PLACE
  assert.deepEqual(
    asked.filter((near) => near !== undefined),
    [`${latitude},${longitude}`],
  )
  assert.equal(await located(page), 0)
  assert.deepEqual(problems, [])
  await context.close()
})

for (const [what, good] of [
  ['has location switched off for the whole device', { locationEnabled: false }],
  ['says that the guest has refused', { geoPermission: 'denied' }],
]) {
  test(`a host that ${what}: the place is denied, whatever else it tells, and the map says so`, async () => {
    const { page, context } = await inWebview('good', { good })
    await openHydrated(page, MAP)
    await known(page)
    await live(page)
    await locate(page, 'map')
    await page.getByText(text(lang, 'place.denied')).waitFor()
    assert.equal(await page.getByLabel(text(lang, 'map.me')).count(), 0)
    assert.equal(await located(page), 0)
    await context.close()
  })
}

test('a map of addresses follows the permission of the host: granted, it goes there by itself', async () => {
  const { page, context } = await inWebview('good')
  await openHydrated(page, ADDRESS_MAP)
  await page.locator('.pinned b').waitFor()
  assert.ok(Math.abs((await hidden(page, 'lat')) - HOST_PLACE.latitude) < 0.0001)
  assert.ok(Math.abs((await hidden(page, 'long')) - HOST_PLACE.longitude) < 0.0001)
  assert.equal(await located(page), 0)
  await context.close()
})

test('denied, it says how to go on and does not ask; not determined, it asks on a tap only', async () => {
  const denied = await inWebview('good', { good: { geoPermission: 'denied' } })
  await openHydrated(denied.page, ADDRESS_MAP)
  await denied.page.getByText(text(lang, 'place.denied')).waitFor()
  assert.deepEqual(await calls(denied.page, 'position'), [])
  assert.equal(await located(denied.page), 0)
  await denied.context.close()

  // It answers when the map is there, so that what would follow the answer has its time.
  const { page, context } = await inWebview('silent')
  await openHydrated(page, ADDRESS_MAP)
  await live(page)
  await called(page, 'geoPermission')
  await answer(page, 'geoPermission', 'notDetermined')
  await page.getByText(text(lang, 'addressMap.move')).waitFor()
  assert.deepEqual(await calls(page, 'position'), [])
  await locate(page, 'addressMap')
  await called(page, 'position')
  await answer(page, 'locationEnabled', true)
  await answer(page, 'geoPermission', 'granted')
  await answer(page, 'position', HOST_PLACE)
  await page.locator('.pinned b').waitFor()
  assert.ok(Math.abs((await hidden(page, 'lat')) - HOST_PLACE.latitude) < 0.0001)
  assert.equal(await located(page), 0)
  await context.close()
})

/** Runs in the page: counts how often the browser is asked for a camera, over documents. */
function countCameras() {
  navigator.mediaDevices.getUserMedia = () => {
    sessionStorage.cameras = Number(sessionStorage.cameras ?? 0) + 1
    return Promise.reject(new DOMException('', 'NotAllowedError'))
  }
}

test('a camera that the host denies to the page leaves its own scanner, and typing', async () => {
  const { page, context } = await inWebview('good', { good: { cameraPermission: 'denied' } })
  await page.addInitScript(countCameras)
  await openHydrated(page, SCANNER)
  await known(page)
  await called(page, 'cameraPermission')
  await page.locator('.scanner form button').click()
  const good = page.locator('dialog[open]', { hasText: CODE })
  await good.waitFor()
  assert.equal(await page.evaluate(() => sessionStorage.cameras), undefined)
  await context.close()

  const other = await inWebview('good', { good: { cameraPermission: 'denied', scanBarcode: 42 } })
  await other.page.addInitScript(countCameras)
  await openHydrated(other.page, SCANNER)
  await known(other.page)
  await called(other.page, 'cameraPermission')
  await other.page.locator('.scanner form button').click()
  await atUrl(other.page, /barcode-manual\?camera=refused/)
  assert.equal(await other.page.evaluate(() => sessionStorage.cameras), undefined, 'the browser is not asked')
  await untilTrue(() => other.page.locator('input[name="code"]').isVisible())
  await other.context.close()
})
