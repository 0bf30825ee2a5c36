/** Colours of the guest's own, as Windows' contrast themes set them: signs, edges and what is chosen stay in sight (AX-08). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillCart, hydrated, inLang, openHydrated, openPage } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { placeOrder } from './states.mjs'

const lang = 'kk'

setStage()

/** The colours of the window's points, as it is drawn. */
async function coloursAt(page, points) {
  const picture = (await page.screenshot()).toString('base64')
  return page.evaluate(
    async ({ picture, points }) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))
      const drawn = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const canvas = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d')
      canvas.drawImage(drawn, 0, 0)
      return points.map(([x, y]) => [...canvas.getImageData(x, y, 1, 1).data].slice(0, 3).join())
    },
    { picture, points },
  )
}

const boxOf = async (locator) => {
  await locator.scrollIntoViewIfNeeded()
  return locator.evaluate((one) => one.getBoundingClientRect().toJSON())
}

/** The middle of its sign, beside that, and below the arm of a plus. */
async function hasSign(page, locator, what) {
  const { left, top, width, height } = await boxOf(locator)
  const [x, y] = [left + width / 2, top + height / 2]
  const [sign, beside] = await coloursAt(page, [
    [x, y],
    [x, y + 10],
  ])
  assert.notEqual(sign, beside, `${what} has a sign`)
}

/** Told by the colour of the ground before their words. */
async function differ(page, one, other, what, inset = [5, 0]) {
  const points = []
  for (const locator of [one, other]) {
    await boxOf(locator)
    const { left, top, height } = await locator.evaluate((it) => it.getBoundingClientRect().toJSON())
    points.push([left + inset[0], top + height / 2 + inset[1]])
  }
  const [first, second] = await coloursAt(page, points)
  assert.notEqual(first, second, what)
}

const opened = (options) => openPage(browser, product, { forcedColors: 'active', ...options })

for (const colorScheme of ['light', 'dark'])
  test(`with colours of the guest’s own, ${colorScheme}, plus, minus and what closes have signs, buttons an edge, what is chosen differs`, async () => {
    const it = await opened({ colorScheme, viewport: { width: 1280, height: 800 } })
    const { page, context } = it
    await fillCart(it, table, [table.plain[0]])
    await openHydrated(page, inLang(table.qr, lang))
    const panel = page.locator('.beside')
    await hasSign(page, page.locator('.dishes .plus, .tiles .plus').first(), 'the plus over a photo')
    await hasSign(page, panel.locator('.minus'), 'the minus of the cart')
    const button = panel.locator('.button')
    const { left, top, height } = await boxOf(button)
    const [inside, outside] = await coloursAt(page, [
      [left + 8, top + height / 2],
      [left - 8, top + height / 2],
    ])
    assert.notEqual(inside, outside, 'the button of the cart')
    const chips = page.locator('.rail .chip')
    await differ(page, chips.nth(0), chips.nth(1), 'the category that is chosen')
    await openHydrated(page, inLang(`/filials/${table.filial_id}?item=${table.withGroup.id}`, lang))
    const close = page.locator('dialog[open] .close')
    await close.waitFor()
    await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
    const sign = await boxOf(close)
    const [x, y] = [sign.left + sign.width / 2, sign.top + sign.height / 2]
    const [cross, ground] = await coloursAt(page, [
      [x, y],
      [x, y + 10],
    ])
    assert.notEqual(cross, ground, 'what closes a sheet')
    await openHydrated(page, inLang('/cart', lang))
    await hasSign(page, page.locator('.lines .plus').first(), 'the plus of the cart')
    await context.close()
  })

test('with colours of the guest’s own the service, the day and the hour that are chosen differ from the others', async () => {
  const { page, context } = await opened()
  await openHydrated(page, inLang('/', lang))
  await differ(
    page,
    page.locator('.switch [aria-pressed="true"]'),
    page.locator('.switch [aria-pressed="false"]').first(),
    'the service',
    [8, 0],
  )
  const date = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  await openHydrated(page, inLang(`/brands/booking?filial=${table.filial_id}&date=${date}`, lang))
  const days = page.locator('.days > *')
  await differ(page, page.locator('.days > [aria-current]'), days.first(), 'the day')
  const free = page.locator('.slots label:has(input:not([disabled]))')
  await free.first().locator('input').check()
  await differ(page, free.first(), free.nth(1), 'the hour')
  await hasSign(page, page.locator('.party .more'), 'one guest more')
  await context.close()
})

test('with colours of the guest’s own what an order has done differs from what is to come', async () => {
  const it = await opened({ reducedMotion: 'reduce' })
  const { page, context } = it
  const id = await placeOrder({ product, table, lang, opened: it })
  await product.sandboxApi.set('order/status', { order_id: id, status: 'ready' })
  await page.reload({ waitUntil: 'domcontentloaded' })
  await hydrated(page)
  const bar = page.locator('.progress > i')
  await differ(page, bar.first(), bar.last(), 'the bar')
  const steps = page.locator('.steps > li')
  // The midst of the ring before each step.
  await differ(
    page,
    steps.first().locator('span').first(),
    steps.last().locator('span').first(),
    'the steps',
    [-15, 0],
  )
  await context.close()
})
