/** The panel of developers in a page that has ours in a frame: what it shows, copies and hides, and that it can be read. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { violations } from './axe.mjs'
import { hydrated, PATIENCE, plainSpaces, text, untilTrue } from './harness.mjs'
import { browser, product, setStage } from './stage.mjs'
import { framing } from './webview.mjs'

const lang = 'ru'
const say = (key, values) => text(lang, `debug.${key}`, values)
/** What must not be read: a phone, a token and a code of the signed-in guest. */
const SECRETS = ['77010000031', 'secret-of-the-test', '4821']

const partner = await framing()
setStage({ args: ['--host-origins', partner.origin], withTable: false })
after(() => partner.close())

/** Our page in the partner's frame, with the panel open. */
async function openPanel(options) {
  const { page, context, frame } = await openFrame(options)
  await frame.locator('.debug-open').click()
  return { page, context, frame, panel: frame.locator('.debug') }
}

/** A page of ours in the partner's frame. */
async function openFrame({ width = 360, path = '/faq', ...options } = {}) {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: Math.max(width + 40, 400), height: 800 },
    ...options,
  })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  const src = encodeURIComponent(`${product.web}${path}?lang=${lang}`)
  await page.goto(`${partner.origin}/?width=${width}&src=${src}`)
  const frame = await (await page.locator('iframe').elementHandle()).contentFrame()
  await hydrated(frame)
  await frame.locator('.debug-open').waitFor()
  return { page, context, frame }
}

/** Buttons that are in sight, but under the panel or the button that opens it. */
const covered = (frame) =>
  frame.evaluate(() =>
    [...document.querySelectorAll('button, .button, .bar, .plus, .minus')]
      .filter((one) => !one.closest('.debug, .debug-open') && one.checkVisibility())
      .filter((one) => {
        const { left, top, width, height } = one.getBoundingClientRect()
        const there = document.elementFromPoint(left + width / 2, top + height / 2)
        return there?.closest('.debug, .debug-open')
      })
      .map((one) => one.outerHTML.slice(0, 200)),
  )

test('no button is under that of the panel, wherever the page stands, nor the bar under the panel', async () => {
  const { context, frame } = await openFrame({ path: '/filials/1013' })
  await frame.locator('.dish .plus:is(button)').first().click()
  const bar = frame.locator('.bar')
  await bar.waitFor()
  const walk = async (name) => {
    const most = await frame.evaluate(() => document.documentElement.scrollHeight - innerHeight)
    for (let y = 0; y <= Math.min(most, 3000); y += 60) {
      await frame.evaluate((y) => scrollTo(0, y), y)
      assert.deepEqual(await covered(frame), [], `${name} at ${y}`)
    }
  }
  await walk('menu')
  await frame.locator('.debug-open').click()
  await frame.locator('.debug').waitFor()
  const under = await covered(frame)
  assert.ok(!under.some((one) => one.includes('class="bar"')), `${under}`)
  await frame.locator('.debug header').getByRole('button').last().click()
  await bar.click()
  await frame.locator('.checkout').waitFor()
  await walk('cart')
  await context.close()
})

/** A request of the app with headers and a body, of which some must not be read. */
const ask = (frame) =>
  frame.evaluate(() =>
    fetch('/_data/faq?b=0&phone=77010000031', {
      method: 'POST',
      headers: { authorization: 'Bearer secret-of-the-test', 'x-note': 'to-be-read' },
      body: JSON.stringify({ phone: '+77010000031', code: '4821', count: 2 }),
    }),
  )

test('a request unfolds to its headers and its body, and is copied whole as JSON, without what is of the guest', async () => {
  const { page, context, frame, panel } = await openPanel()
  await frame.locator('#debug-network').click()
  await ask(frame)
  const row = panel.locator('li', { hasText: 'POST' })
  const unfold = async (key) => {
    const part = row.locator('details', { has: frame.locator('summary', { hasText: say(key) }) })
    assert.equal(await part.locator('pre').isVisible(), false)
    await part.locator('summary').click()
    await part.locator('pre').waitFor()
    return JSON.parse(await part.locator('pre').innerText())
  }
  const headers = await unfold('headers')
  assert.equal(headers['x-note'], 'to-be-read')
  assert.equal((await unfold('body')).count, 2)
  await row.and(frame.locator('[data-status="error"]')).waitFor()

  await row.getByRole('button', { name: say('copy') }).click()
  await row.getByRole('button', { name: say('copied') }).waitFor()
  // A document reads the clipboard only while it has the focus.
  await page.mouse.click(395, 790)
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const record = JSON.parse(copied)
  assert.equal(record.method, 'POST')
  assert.equal(record.url, '/_data/faq')
  assert.equal(record.params.b, '0')
  assert.equal(record.headers['x-note'], 'to-be-read')
  assert.equal(record.body.count, 2)
  assert.ok(record.statusCode >= 400, `${record.statusCode}`)
  assert.ok(Date.parse(record.endDate) >= Date.parse(record.startDate))
  const shown = await row.evaluate((one) => one.textContent)
  for (const secret of SECRETS) assert.ok(!copied.includes(secret) && !shown.includes(secret), secret)
  await context.close()
})

test('the details of a request wait for its answer, and tell how long it took', async () => {
  assert.equal(text('en', 'debug.pending'), 'Pending details...')
  const { context, frame, panel } = await openPanel()
  let release
  const free = new Promise((resolve) => {
    release = resolve
  })
  await context.route('**/_data/faq?held=1', async (route) => {
    await free
    await route.fulfill({ json: { answer: 42 } })
  })
  await frame.locator('#debug-network').click()
  await frame.evaluate(() => {
    void fetch('/_data/faq?held=1')
  })
  const row = panel.locator('li', { hasText: 'held=1' })
  const details = row.locator('details', { has: frame.locator('summary', { hasText: say('details') }) })
  await details.locator('summary').click()
  await details.getByText(say('pending')).waitFor()
  assert.equal(await details.locator('pre').count(), 0)
  const seen = Date.now()
  // The panel counts by the browser's clock, which may be a little coarser.
  const held = () => Date.now() - seen
  await untilTrue(() => held() > 100)
  const least = held() - 10
  release()
  await details.locator('pre').waitFor()
  assert.equal(await details.getByText(say('pending')).count(), 0)
  assert.equal(JSON.parse(await details.locator('pre').innerText()).answer, 42)
  const took = Number(/^(\d+) мс$/.exec(plainSpaces(await details.locator('p').innerText()))?.[1])
  assert.ok(took >= least, `${took} ms of at least ${least}`)
  await context.close()
})

test('where nothing was said or asked the panel says so', async () => {
  const { context, frame, panel } = await openPanel()
  const empty = (key) => panel.locator('[role="tabpanel"] > p', { hasText: say(key) })
  await empty('noLogs').waitFor()
  await frame.locator('#debug-network').click()
  await ask(frame)
  await panel.locator('li').first().waitFor()
  assert.equal(await empty('noRequests').count(), 0)
  await frame.getByRole('button', { name: say('clear') }).click()
  await empty('noRequests').waitFor()
  // What is said comes where nothing was.
  await frame.locator('#debug-console').click()
  await frame.evaluate(() => console.log('first'))
  await panel.locator('li', { hasText: 'first' }).waitFor()
  assert.equal(await empty('noLogs').count(), 0)
  await context.close()
})

/** Nothing of the page or of the panel is wider than the frame. */
async function isNarrow(frame) {
  const wide = await frame.evaluate(() => {
    const panel = document.querySelector('.debug')
    const over = [...panel.querySelectorAll('*')].filter(
      (one) => one.getBoundingClientRect().right > innerWidth || one.getBoundingClientRect().left < 0,
    )
    const side = document.documentElement.scrollWidth - innerWidth
    return { side, inside: panel.scrollWidth - panel.clientWidth, over: over.map((one) => one.outerHTML) }
  })
  assert.ok(wide.side <= 0 && wide.inside <= 0 && wide.over.length === 0, JSON.stringify(wide))
}

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing in the open panel, and it fits 320 pixels (${colorScheme})`, async () => {
    const { context, frame, panel } = await openPanel({ width: 320, colorScheme })
    assert.deepEqual(await violations(frame), [], 'empty')
    await frame.evaluate(() => {
      console.log('x'.repeat(600))
      console.warn('careful')
      console.error(new Error('wrong'))
    })
    await panel.locator('li[data-status="error"]').waitFor()
    await isNarrow(frame)
    assert.deepEqual(await violations(frame), [], 'console')
    await frame.locator('#debug-network').click()
    await ask(frame)
    await frame.evaluate(() => fetch(`/_data/faq?long=${'y-'.repeat(200)}`))
    await panel.locator('li[data-status="error"]').waitFor()
    await panel.locator('li[data-status="success"]').first().waitFor()
    for (const key of ['headers', 'body'])
      for (const summary of await panel.locator('summary', { hasText: say(key) }).all()) await summary.click()
    await isNarrow(frame)
    assert.deepEqual(await violations(frame), [], 'network')
    await context.close()
  })
}
