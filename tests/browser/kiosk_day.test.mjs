/**
 * A tablet through its day, by a clock that is speeded up: guests come, order something and go, between them it rests and
 * begins anew. What the page holds must not grow (beyond.md, 12). `KIOSK_HOURS` is how long: `make soak` takes a whole day.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPlain, cartOf, dataOf, hydrated, openPage, text, untilTrue } from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'

const HOURS = Number(process.env.KIOSK_HOURS ?? 3)
const REST = '/kiosk/filials/1043?source=TABLET'
const [MINUTE, IDLE, WARNING, PULSE] = [60_000, 90_000, 20_000, 15_000]
const GUESTS_AN_HOUR = 3
/** What is at most added from the first hour to the last. */
const MOST = 1.1

setStage({ withTable: false })

test('through a day of guests its page holds no more at the end than after the first hour', async () => {
  const { page, context, problems } = await openPage(browser, product, {
    viewport: { width: 1280, height: 800 },
  })
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.clock.install()
  await page.goto(REST)
  await hydrated(page)
  const veil = page.locator('dialog.veil')
  await veil.waitFor()
  const now = () => page.evaluate(() => Date.now())
  const began = await now()
  await page.clock.pauseAt(began + MINUTE)

  /** The document that is open, to see when another one has come. */
  const mark = () => page.evaluate(() => Object.assign(window, { before: true }))
  const renewed = async () => {
    await untilTrue(() => page.evaluate(() => !window.before).catch(() => false))
    await hydrated(page)
    await veil.waitFor()
  }
  async function guest() {
    await page.locator('dialog.veil .wake').click()
    await veil.waitFor({ state: 'detached' })
    const { page: menu } = await dataOf(page)
    const dish = menu.data.categories.flatMap((one) => one.products).find((one) => !one.options && !one.out)
    await addPlain(page, dish)
    await untilTrue(async () => (await cartOf(page))?.count === 1)
    await mark()
    await page.clock.fastForward(IDLE + 1000)
    await page.getByRole('dialog', { name: text('kk', 'kiosk.stillHere') }).waitFor()
    await page.clock.fastForward(WARNING)
    await renewed()
    assert.equal(await cartOf(page), null)
  }
  /** Rests until it begins anew. */
  async function rest() {
    await mark()
    // One look at the clock for each: a look goes to the server before it leads on.
    await untilTrue(async () => {
      await page.clock.fastForward(10 * MINUTE + PULSE)
      return page.evaluate(() => !window.before).catch(() => true)
    })
    await renewed()
  }
  async function held() {
    await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (name) => metrics.find((one) => one.name === name).value
    return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') }
  }

  const hours = []
  while (hours.length < HOURS) {
    const end = began + (hours.length + 1) * 60 * MINUTE
    for (let guests = 0; guests < GUESTS_AN_HOUR; guests += 1) await guest()
    while ((await now()) < end) await rest()
    hours.push(await held())
    if (process.env.KIOSK_HOURS) console.log(JSON.stringify({ hour: hours.length, ...hours.at(-1) }))
  }
  const [first, last] = [hours[0], hours.at(-1)]
  for (const name of Object.keys(first))
    assert.ok(last[name] <= first[name] * MOST, `${name}: ${hours.map((one) => one[name]).join(' ')}`)
  assert.deepEqual(problems, [])
  await context.close()
})
