/**
 * Cookies of the product in frames of other sites, in a Chromium that blocks those of third parties (S-02, HB-16): they
 * are kept for each site around ours, so a guest keeps the cart there, and no two sites share a guest.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addPlain,
  cartOf,
  findTable,
  hydrated,
  launch,
  openHydrated,
  openPage,
  startProduct,
  untilTrue,
} from './harness.mjs'
import { passOn, startSites, TO_SITES } from './https.mjs'

const [APP, HOME, ONE, TWO, FOREIGN, TRACKER] = [
  'app.test',
  'home.app.test',
  'one.test',
  'two.test',
  'stranger.test',
  'tracker.test',
]
const SESSION = '__Host-dk-framed'

let product, browser, table, sites

/** A partner's page with a frame, whose address it is told. */
function partner(request, response) {
  const src = new URL(request.url, 'https://x').searchParams.get('src') ?? 'about:blank'
  response.setHeader('content-type', 'text/html')
  response.end(`<!doctype html><title>partner</title><link rel="icon" href="data:,">
<iframe src="${src.replaceAll('"', '')}" width=360 height=700></iframe>`)
}

/** What blocked cookies are meant for: any page has it in a frame, and its cookie is for no site in particular. */
function tracker(_, response) {
  response.setHeader('set-cookie', 'seen=1; Secure; SameSite=None; Path=/')
  response.setHeader('content-type', 'text/html')
  response.end('<!doctype html><title>tracker</title>')
}

before(async () => {
  sites = await startSites({
    [APP]: passOn(() => product.web),
    [HOME]: partner,
    [ONE]: partner,
    [TWO]: partner,
    [FOREIGN]: partner,
    [TRACKER]: tracker,
  })
  const hosts = [HOME, ONE, TWO].map(sites.origin).join(',')
  product = await startProduct({ args: ['--public-url', sites.origin(APP), '--host-origins', hosts] })
  // The one without windows has no settings of cookies to block them by.
  browser = await launch({ whole: true, args: [...TO_SITES, '--test-third-party-cookie-phaseout'] })
  table = await findTable(product)
})
after(async () => {
  await browser?.close()
  await product?.stop()
  sites?.close()
})

const around = (site, address) =>
  `${sites.origin(site)}/?src=${encodeURIComponent(sites.origin(APP) + address)}`

/** The product in the frame of a page that is open. */
async function inside(page) {
  const frame = await (await page.locator('iframe').elementHandle()).contentFrame()
  await hydrated(frame)
  return frame
}

async function framed(page, site, address = table.qr) {
  await page.goto(around(site, address))
  return inside(page)
}

/** All cookies of the browser with what they are kept for, as Chromium itself tells. */
async function cookies(context, page) {
  const cdp = await context.newCDPSession(page)
  const { cookies: all } = await cdp.send('Network.getAllCookies')
  await cdp.detach()
  return all
}

const count = async (frame) => (await cartOf(frame))?.count ?? 0

test('a cart put together in a frame of another site is there after the frame, the page and the tab were loaded anew', async () => {
  const { page, context } = await openPage(browser, product)
  const frame = await framed(page, ONE, `${table.qr}&lang=ru`)
  await addPlain(frame, table.plain[0])
  await untilTrue(async () => (await count(frame)) === 1)

  await Promise.all([frame.waitForNavigation(), frame.evaluate(() => location.reload())])
  await hydrated(frame)
  assert.equal(await count(frame), 1)
  // A page inside of the frame, which no page of the partner leads to.
  await Promise.all([frame.waitForNavigation(), frame.evaluate(() => location.assign('/cart'))])
  await hydrated(frame)
  assert.equal(await count(frame), 1)
  await page.reload()
  assert.equal(await count(await inside(page)), 1)
  const tab = await context.newPage()
  assert.equal(await count(await framed(tab, ONE, '/cart')), 1)

  const kept = await cookies(context, page)
  const ours = kept.filter(({ domain }) => domain === APP)
  assert.ok(ours.some(({ name }) => name === SESSION))
  assert.ok(ours.some(({ name }) => name === 'lang'))
  for (const one of ours) {
    assert.deepEqual(
      [one.sameSite, one.secure, one.partitionKey?.topLevelSite],
      ['None', true, `https://${ONE}`],
      one.name,
    )
  }
  const session = ours.find(({ name }) => name === SESSION)
  assert.deepEqual([session.httpOnly, session.path, session.domain], [true, '/', APP])
  await context.close()
})

test('a cookie of a third party that is not partitioned is blocked in that browser', async () => {
  const { page, context } = await openPage(browser, product)
  await page.goto(`${sites.origin(ONE)}/?src=${encodeURIComponent(`${sites.origin(TRACKER)}/`)}`)
  await untilTrue(() => page.frames().some((one) => one.url().startsWith(sites.origin(TRACKER))))
  await page.frames()[1].waitForLoadState()
  const kept = await cookies(context, page)
  assert.deepEqual(
    kept.filter(({ domain }) => domain === TRACKER),
    [],
  )
  // On its own page it is not third-party.
  await page.goto(sites.origin(TRACKER))
  assert.equal((await cookies(context, page)).filter(({ domain }) => domain === TRACKER).length, 1)
  await context.close()
})

test('two sites around ours have two guests, and a tab of our own has a third', async () => {
  const { page, context } = await openPage(browser, product)
  const first = await framed(page, ONE)
  await addPlain(first, table.plain[0])
  await untilTrue(async () => (await count(first)) === 1)

  const other = await context.newPage()
  const second = await framed(other, TWO)
  assert.equal(await count(second), 0)
  await addPlain(second, table.plain[1])
  await addPlain(second, table.plain[2])
  await untilTrue(async () => (await count(second)) === 2)

  const tab = await context.newPage()
  await openHydrated(tab, sites.origin(APP) + table.qr)
  assert.equal(await count(tab), 0)
  // Nor does one that is there come into a frame.
  await addPlain(tab, table.plain[3])
  await untilTrue(async () => (await count(tab)) === 1)
  assert.equal(await count(await framed(page, ONE, '/cart')), 1)
  assert.equal(await count(await framed(other, TWO, '/cart')), 2)

  const kept = await cookies(context, page)
  const sessions = kept.filter(({ name }) => name === SESSION || name === '__Host-dk')
  assert.deepEqual(sessions.map(({ name, partitionKey }) => [name, partitionKey?.topLevelSite]).sort(), [
    ['__Host-dk', undefined],
    [SESSION, `https://${ONE}`],
    [SESSION, `https://${TWO}`],
  ])
  assert.equal(new Set(sessions.map(({ value }) => value)).size, 3)
  assert.equal(sessions.find(({ name }) => name === '__Host-dk').sameSite, 'Lax')
  await context.close()
})

for (const first of ['tab', 'frame']) {
  test(`a frame of our own domain has the guest of a tab, which has lost nothing (the ${first} first)`, async () => {
    const { page, context } = await openPage(browser, product)
    const tab = await context.newPage()
    const inTab = async () => {
      await openHydrated(tab, sites.origin(APP) + table.qr)
      return tab
    }
    const inFrame = () => framed(page, HOME)
    const [one, other] = first === 'tab' ? [inTab, inFrame] : [inFrame, inTab]
    await addPlain(await one(), table.plain[0])
    const there = await other()
    assert.equal(await count(there), 1)
    await addPlain(there, table.plain[1])
    await untilTrue(async () => (await count(there)) === 2)
    assert.equal(await count(await one()), 2)

    const sessions = (await cookies(context, page)).filter(({ name }) => name.startsWith('__Host-dk'))
    assert.deepEqual(
      sessions.map(({ name }) => name),
      ['__Host-dk'],
    )
    await context.close()
  })
}

test('a site that the settings do not name has no page of ours in its frame', async () => {
  const { page, context } = await openPage(browser, product)
  const blocked = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
  await page.goto(around(FOREIGN, table.qr))
  await blocked
  await context.close()
})
