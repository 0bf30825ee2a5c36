/**
 * The product in a frame of another site, in a Chromium that keeps neither cookies nor anything else for pages: the address
 * leads to the cart, and nothing of it gets to others (beyond.md, 5).
 */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { violations } from './axe.mjs'
import { chooseWay, pressOrder } from './flows.mjs'
import {
  addPlain,
  cartOf,
  findTable,
  holdScripts,
  hydrated,
  PATIENCE,
  PHONE,
  root,
  startProduct,
  untilTrue,
} from './harness.mjs'
import { passOn, startSites, TO_SITES } from './https.mjs'
import { launchPersistent } from './profile.mjs'

const [APP, PARTNER] = ['app.test', 'partner.test']
const NAMED = /^\/~[\w-]{22}\//

let product, table, sites
/** Addresses of the pages that have sent something to the partner. */
const told = []

function partner(request, response) {
  told.push(request.headers.referer ?? '')
  const asked = new URL(request.url, 'https://x').searchParams
  const src = asked.get('src') ?? 'about:blank'
  const scan = JSON.stringify(asked.get('scan')).replaceAll('<', '\\u003c')
  response.setHeader('content-type', 'text/html')
  response.end(`<!doctype html><title>partner</title><link rel="icon" href="data:,">
<iframe src="${src.replaceAll('"', '')}" width=360 height=700></iframe>
<script>addEventListener('message', ({ data: { id, method }, source, origin }) => {
  const value = { outcome: 'success', text: ${scan} }
  if (method === 'scanBarcode') source.postMessage({ type: 'answer', id, value }, origin)
})</script>`)
}

before(async () => {
  sites = await startSites({ [APP]: passOn(() => product.web), [PARTNER]: partner })
  product = await startProduct({
    args: ['--public-url', sites.origin(APP), '--host-origins', sites.origin(PARTNER)],
  })
  table = await findTable(product)
})
after(async () => {
  await product?.stop()
  sites?.close()
})

/** A browser whose settings forbid every site to keep anything. */
async function forgetful(t, options = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'dastarkhan-profile-'))
  await mkdir(path.join(folder, 'Default'))
  const settings = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(path.join(folder, 'Default/Preferences'), JSON.stringify(settings))
  const context = await launchPersistent(folder, {
    args: TO_SITES,
    viewport: PHONE,
    locale: 'kk-KZ',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE)
  t.after(async () => {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { context, page: await context.newPage() }
}

const around = (address) => `${sites.origin(PARTNER)}/?src=${encodeURIComponent(sites.origin(APP) + address)}`
const frameOf = async (page) => (await page.locator('iframe').elementHandle()).contentFrame()
const count = async (frame) => (await cartOf(frame))?.count ?? 0
/** A frame that has just been made has no address yet. */
const pathOf = (frame) => (frame.url() ? new URL(frame.url()).pathname : '')
const nameOf = (frame) => pathOf(frame).match(NAMED)?.[0]

/** The product in the frame, taken over by React and by what talks to the host. */
async function inside(page) {
  const frame = await frameOf(page)
  await hydrated(frame)
  await frame.waitForSelector('html[data-hosted]')
  return frame
}

test('a cart is put together, kept over full loads and ordered, and no other origin learns where it is', async (t) => {
  const { context, page } = await forgetful(t)
  const foreign = []
  context.on('request', async (request) => {
    if (new URL(request.url()).hostname === APP) return
    foreign.push(JSON.stringify([request.url(), await request.allHeaders().catch(() => '')]))
  })
  await page.goto(around(`${table.qr}&lang=ru`))
  const frame = await inside(page)
  const name = nameOf(frame)
  assert.ok(name, frame.url())
  // Nothing is kept there.
  assert.equal(await frame.evaluate(() => document.cookie), '')
  const kept = frame.evaluate(() => localStorage.length)
  await assert.rejects(kept, /Access is denied/)

  await addPlain(frame, table.plain[0])
  await untilTrue(async () => (await count(frame)) === 1)
  // A navigation by scripts, and a full load of where it led to.
  await frame.locator('.bar a[href$="/cart"], a.bar[href$="/cart"]').first().click()
  await untilTrue(() => pathOf(frame) === `${name}cart`)
  await Promise.all([frame.waitForNavigation(), frame.evaluate(() => location.reload())])
  await hydrated(frame)
  assert.equal(pathOf(frame), `${name}cart`)
  assert.equal(await count(frame), 1)
  assert.equal(await frame.evaluate(() => document.documentElement.lang), 'ru')

  await chooseWay(frame, 'cash')
  await pressOrder(frame)
  await untilTrue(() => pathOf(frame).startsWith(`${name}filials/${table.filial_id}/order/`))
  await inside(page)
  assert.equal(await count(frame), 0)
  assert.deepEqual(
    foreign.filter((one) => one.includes(name.slice(2, -1))),
    [],
  )
  assert.ok(told.every((one) => !one.includes('~')))
})

test('what is pressed before the scripts are there is not lost', async (t) => {
  const { page } = await forgetful(t)
  const release = await holdScripts(page)
  await page.goto(around(table.qr), { waitUntil: 'commit' })
  await untilTrue(async () => NAMED.test(pathOf(await frameOf(page))))
  const frame = await frameOf(page)
  await addPlain(frame, table.plain[0])
  release()
  await inside(page)
  await untilTrue(async () => (await count(frame)) === 1)
  await Promise.all([frame.waitForNavigation(), frame.evaluate(() => location.reload())])
  await hydrated(frame)
  assert.equal(await count(frame), 1)
})

test('a table that the host has scanned is opened under the same name', async (t) => {
  const { page } = await forgetful(t)
  const scan = encodeURIComponent(sites.origin(APP) + table.qr)
  await page.goto(`${around(`/filials/${table.filial_id}/barcode-scanner?lang=ru`)}&scan=${scan}`)
  const frame = await inside(page)
  const name = nameOf(frame)
  await Promise.all([frame.waitForNavigation(), frame.locator('.scanner form button').click()])
  await inside(page)
  assert.equal(pathOf(frame), `${name}filials/${table.filial_id}`)
  await addPlain(frame, table.plain[0])
  await untilTrue(async () => (await count(frame)) === 1)
  assert.equal(nameOf(frame), name)
})

test('without scripts forms and links go on with it', async (t) => {
  const { page } = await forgetful(t, { javaScriptEnabled: false })
  await page.goto(around(`${table.qr}&lang=ru`))
  const frame = await frameOf(page)
  await addPlain(frame, table.plain[0])
  await frame.locator('a[href$="/cart"]:not(.skip):visible').first().click()
  await untilTrue(() => pathOf(frame).endsWith('/cart'))
  assert.equal(await frame.locator('.lines .line').count(), 1)
  assert.match(pathOf(frame), NAMED)
})

test('the sign-in is told to need a window of its own, which has nothing of the frame', async (t) => {
  const { context, page } = await forgetful(t)
  await page.goto(around('/profile?lang=en'))
  const frame = await inside(page)
  assert.equal(await frame.locator('h1').innerText(), 'This browser keeps no cookies')
  assert.deepEqual(await violations(frame), [])
  await page.screenshot({ path: path.join(root, 'target/screens/cookies-sign-in.png') })
  const button = frame.getByRole('link', { name: 'Open in a window of its own' })
  const [own] = await Promise.all([context.waitForEvent('page'), button.click()])
  await own.waitForLoadState()
  assert.doesNotMatch(own.url(), /~/)
  assert.equal(await own.evaluate(() => document.referrer), '')
})
