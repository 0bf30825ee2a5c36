/**
 * What browsers meet comes to the server's numbers out of a real page: a page that was another than the server's, a part
 * of the app that was gone, and how pages feel (HT-11, AN-05, AN-06).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPlain, begun, hydrated, open, openHydrated, openPage, PATIENCE, untilTrue } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

setStage()

/** A number of the server by its name and its labels, added up; 0 where nothing was counted. */
async function counted(name, ...labels) {
  const text = await (await fetch(`${product.admin}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
const faults = (kind) => counted('browser_faults_total', `kind="${kind}"`)
const vitals = (name) => counted('browser_vitals_total', `name="${name}"`)

/** The script that tells has begun: what it was told before, and what happens from now on, goes when the page does. */
const tells = (page) => page.waitForFunction(() => localStorage.getItem('analyticsSession') !== null)

/** The page goes away, as guests leave: another one is opened in its place. */
const leave = (page) => page.goto('/faq', { waitUntil: 'domcontentloaded' })

test('a page that is another in the browser than on the server is drawn anew, works, and is counted', async () => {
  const { page, context, problems } = await openPage(browser, product)
  // What some proxies and translators do to a document on its way.
  await page.route('**/faq', async (route) => {
    const answer = await route.fetch()
    const body = await answer.text()
    const changed = body.replace(/(<h1[^>]*>)[^<]+/, '$1changed on its way')
    assert.notEqual(changed, body)
    await route.fulfill({ response: answer, body: changed })
  })
  const before = await faults('hydration')
  await openHydrated(page, '/faq')
  await page.getByText('changed on its way').waitFor({ state: 'detached' })
  await begun(page, 'background-')
  await tells(page)
  await page.unroute('**/faq')
  await leave(page)
  await untilTrue(async () => (await faults('hydration')) === before + 1)
  // The log says where: a file of ours, and the kind of page.
  const fault = () => product.logs().find((one) => one.kind === 'hydration')
  await untilTrue(() => fault() !== undefined)
  assert.equal(fault().page, 'faq')
  assert.match(fault().place, /^[\w-]+\.js:\d+:\d+$/)
  assert.ok(
    problems.every((one) => /hydration|Minified React error/i.test(one)),
    problems.join('\n'),
  )
  await context.close()
})

test('a part of the app that was gone is counted once the page was loaded anew for it', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await openHydrated(page, '/')
  const loaded = new Set(requests.map((one) => one.url()))
  await context.route(/\/assets\/[^/]+\.js$/, (route) =>
    loaded.has(route.request().url()) ? route.continue() : route.abort(),
  )
  const documents = () => requests.filter((one) => one.isNavigationRequest())
  const before = { reload: await faults('reload'), rejection: await faults('rejection') }
  await page.locator('main a[href^="/filials/"]').first().click()
  // The new build is there for the page that is loaded anew.
  await untilTrue(() => documents().length === 2)
  await context.unroute(/\/assets\/[^/]+\.js$/)
  await page.waitForLoadState()
  await openHydrated(page, page.url())
  await tells(page)
  await leave(page)
  await untilTrue(async () => (await faults('reload')) === before.reload + 1)
  // It is told once, and a script that did not come is no fault of the app: what the next page tells is its own error.
  await hydrated(page)
  await begun(page, 'background-')
  await page.evaluate(() => void setTimeout(() => Promise.reject(new Error('of the test'))))
  await begun(page, 'at-rest-')
  await tells(page)
  await open(page, '/')
  await untilTrue(async () => (await faults('rejection')) > before.rejection)
  assert.equal(await faults('rejection'), before.rejection + 1)
  assert.equal(await faults('reload'), before.reload + 1)
  await context.close()
})

test('how a page felt is counted when its guest leaves it: all five vitals', async () => {
  const { page, context } = await openPage(browser, product)
  // The script that measures is fetched eight seconds later: it hears of what was before.
  await page.addInitScript(() => {
    const real = window.setTimeout
    window.setTimeout = (run, wait, ...rest) => real(run, wait === 8000 ? 0 : wait, ...rest)
  })
  const names = ['LCP', 'CLS', 'INP', 'FCP', 'TTFB']
  const all = async () =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await vitals(name)])))
  const before = await all()
  await openHydrated(page, table.qr)
  await begun(page, 'vitals-')
  await addPlain(page, table.plain[0])
  await page.locator('a[href="/cart"]:not(.skip):visible').first().waitFor()
  // How long a tap took is known once what it drew is on the screen, and is counted when nothing else is to be done.
  await page.evaluate(
    () =>
      new Promise((known) => {
        new PerformanceObserver(() => requestIdleCallback(known)).observe({
          type: 'first-input',
          buffered: true,
        })
      }),
  )
  await leave(page)
  await untilTrue(
    async () => {
      const after = await all()
      return names.every((name) => after[name] > before[name])
    },
    PATIENCE,
    'each of the five is counted',
  )
  await context.close()
})
