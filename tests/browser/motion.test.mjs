/** What moves from one page to the next once a page rests, unless motion is reduced. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payInCash, pressOrder } from './flows.mjs'
import {
  addPlain,
  atUrl,
  begun,
  cartOf,
  dataOf,
  fillCart,
  hydrated,
  inLang,
  openHydrated,
  openPage,
  PATIENCE,
  pageData,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'
import { withFilm } from './states.mjs'

const lang = 'ru'
setStage()

/** Notes which parts each transition names in the page before it and after it, and what hears a press meanwhile. */
const noteMotion = (page) =>
  page.addInitScript(() => {
    window.__motion = []
    const named = () =>
      [...document.querySelectorAll('[style*="view-transition-name"]')].map((one) => ({
        name: one.style.viewTransitionName,
        tag: one.localName,
        inSheet: one.closest('dialog') !== null,
      }))
    const start = Document.prototype.startViewTransition
    Document.prototype.startViewTransition = function (change) {
      const noted = { before: named(), ended: false }
      window.__motion.push(noted)
      const transition = start.call(this, async () => {
        await change()
        noted.after = named()
      })
      const hear = () => {
        noted.hears = document.elementFromPoint(innerWidth / 2, 8).localName
      }
      // One that is skipped is no error of the page.
      transition.ready.then(hear, () => {})
      transition.finished.finally(() => {
        noted.ended = true
      })
      return transition
    }
  })

const motion = (page) => page.evaluate(() => window.__motion)
const ended = (page, count) =>
  untilTrue(
    async () => (await motion(page)).filter((one) => one.ended).length === count,
    PATIENCE,
    `${count} transitions have ended`,
  )

test('the photo of a dish goes into its sheet and back, and the page can be pressed meanwhile', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await noteMotion(page)
  await openHydrated(page, inLang(table.qr, lang))
  await begun(page, 'motion-')
  const link = page.locator('.dish:has(img) h3 > a').first()
  await link.scrollIntoViewIfNeeded()
  await link.click()
  await page.locator('dialog.sheet[open]').waitFor()
  await ended(page, 1)
  const [into] = await motion(page)
  assert.deepEqual(into.before, [{ name: 'photo', tag: 'img', inSheet: false }])
  assert.deepEqual(into.after, [{ name: 'photo', tag: 'img', inSheet: true }])
  assert.equal(into.hears, 'dialog', 'beside the sheet it can be closed')
  await page.keyboard.press('Escape')
  await page.locator('dialog.sheet').waitFor({ state: 'detached' })
  await ended(page, 2)
  const [, back] = await motion(page)
  assert.deepEqual(back.before, [{ name: 'photo', tag: 'img', inSheet: true }])
  assert.deepEqual(back.after, [{ name: 'photo', tag: 'img', inSheet: false }])
  // Nothing of it stays.
  assert.equal(await page.locator('[style*="view-transition-name: photo"]').count(), 0)
  const layer = () => getComputedStyle(document.documentElement, '::view-transition').pointerEvents
  assert.equal(await page.evaluate(layer), 'none')
  assert.deepEqual(problems, [])
  await context.close()
})

test('the button of the order becomes the card of its page', async () => {
  const opened = await openPage(browser, product)
  const { page, context, problems } = opened
  await noteMotion(page)
  await fillCart(opened, table, table.plain.slice(0, 1))
  await openHydrated(page, inLang('/cart', lang))
  await begun(page, 'motion-')
  await payInCash(page)
  await pressOrder(page)
  await atUrl(page, /\/filials\/\d+\/order\//)
  await hydrated(page)
  await ended(page, 1)
  const [{ before, after }] = await motion(page)
  assert.deepEqual([before[0].name, before[0].tag], ['order', 'button'])
  assert.deepEqual([after[0].name, after[0].tag], ['order', 'section'])
  assert.deepEqual(problems, [])
  await context.close()
})

/** Notes what leaves in place of a sheet: a copy of it that is there for as long as it moves. */
const noteLeaving = (page) =>
  page.evaluate(() => {
    window.__left = []
    new MutationObserver((changes) => {
      for (const one of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (one.className === 'sheet')
          window.__left.push({ tag: one.localName, inert: one.inert, moves: one.getAnimations().length })
    }).observe(document.body, { childList: true })
  })
const left = (page) => page.evaluate(() => window.__left)

/** Asks for the age over a menu and answers it. */
async function askAge(page) {
  const found = await product.sandboxApi.tables()
  for (const { filial_id } of found.filter(({ country }) => country === 'ge')) {
    const { page: menu } = await pageData(product.web, `/filials/${filial_id}?country=ge`)
    if (!menu.data.venue?.open.open) continue
    const dishes = menu.data.categories.flatMap(({ products }) => products)
    const wine = dishes.find(({ age, options, out }) => age === 21 && !options && !out)
    if (!wine) continue
    await openHydrated(page, `/filials/${filial_id}?country=ge`)
    await begun(page, 'motion-')
    await noteLeaving(page)
    await addPlain(page, wine)
    await page.locator('dialog.sheet .age form button').last().click()
    await page.locator('dialog.sheet').waitFor({ state: 'detached' })
    return
  }
  assert.fail('no open venue has wine')
}

test('a sheet that the app takes away leaves by a copy that can be neither pressed nor heard', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await askAge(page)
  await untilTrue(async () => (await left(page)).length === 1, PATIENCE, 'a copy leaves')
  assert.deepEqual(await left(page), [{ tag: 'div', inert: true, moves: 1 }])
  await page.locator('body > .sheet').waitFor({ state: 'detached' })
  // The dish was refused before the guest had answered.
  assert.deepEqual(
    problems.filter((one) => !one.includes('/cart/lines')),
    [],
  )
  await context.close()
})

test('with reduced motion a sheet goes at once', async () => {
  const { page, context } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await askAge(page)
  assert.deepEqual(await left(page), [])
  await context.close()
})

const FRIDGE = 1201

/** Opens a sheet on a page that rests and notes what leaves; each tells how it is closed. */
const SHEETS = {
  async scanner({ page }) {
    await withFilm(page, { rawValue: 'https://elsewhere.example/', format: 'qr_code' })
    await openHydrated(page, inLang(`/filials/${FRIDGE}/barcode-scanner`, lang))
    await begun(page, 'motion-')
    await noteLeaving(page)
    await page.getByRole('button', { name: text(lang, 'scan.start') }).click()
    const sheet = page.locator('dialog.sheet')
    await sheet.getByText(text(lang, 'scan.foreignText')).waitFor()
    return () => sheet.getByRole('button', { name: text(lang, 'app.close') }).click()
  },
  async loader(opened) {
    const { page } = opened
    await fillCart(opened, table, table.plain.slice(0, 1))
    await openHydrated(page, inLang('/cart', lang))
    await begun(page, 'motion-')
    await noteLeaving(page)
    await payInCash(page)
    // It never comes: after eight seconds the guest need not wait for it.
    await page.route(
      ({ pathname }) => pathname === '/orders',
      () => {},
    )
    await page.locator('form[action="/orders"] button[type="submit"]').first().click()
    const stop = page.locator('dialog.sheet .loader').getByRole('button')
    await stop.waitFor()
    return () => stop.click()
  },
  async addresses({ page }) {
    await openHydrated(page, inLang('/addresses?back=/cart', lang))
    await begun(page, 'motion-')
    await noteLeaving(page)
    return () => page.locator('dialog.sheet .close').click()
  },
  async 'kiosk question'({ page }) {
    await page.clock.install()
    // A clock of its own knows no resources, which `begun` asks for.
    const script = page.waitForResponse((answer) => answer.url().includes('/assets/motion-'))
    await openHydrated(page, '/kiosk/filials/1043?source=TABLET')
    const { shell, page: menu } = await dataOf(page)
    await page.getByRole('button', { name: text(shell.lang, 'kiosk.start') }).click()
    await page.locator('dialog.veil').waitFor({ state: 'detached' })
    const dishes = menu.data.categories.flatMap(({ products }) => products)
    await addPlain(
      page,
      dishes.find(({ options, out, age }) => !options && !out && !age),
    )
    await untilTrue(async () => (await cartOf(page))?.count === 1, PATIENCE, 'a dish in the cart')
    await page.clock.runFor(5_000)
    await page.evaluate((url) => import(url), (await script).url())
    await noteLeaving(page)
    await page.clock.runFor(91_000)
    const here = page.getByRole('button', { name: text(shell.lang, 'kiosk.here') })
    await here.waitFor()
    return () => here.click()
  },
}

for (const [name, openSheet] of Object.entries(SHEETS))
  for (const reducedMotion of ['no-preference', 'reduce'])
    test(`the sheet of the ${name} leaves as all do (motion: ${reducedMotion})`, async () => {
      const viewport = name.startsWith('kiosk') ? { width: 1280, height: 800 } : undefined
      const opened = await openPage(browser, product, { reducedMotion, ...(viewport && { viewport }) })
      const close = await openSheet(opened)
      const { page, context } = opened
      await close()
      await page.locator('dialog.sheet').waitFor({ state: 'detached' })
      const wanted = reducedMotion === 'reduce' ? [] : [{ tag: 'div', inert: true, moves: 1 }]
      if (wanted.length > 0) await untilTrue(async () => (await left(page)).length > 0, 5000, 'a copy leaves')
      assert.deepEqual(await left(page), wanted)
      await page.locator('body > .sheet').waitFor({ state: 'detached' })
      await context.close()
    })

test('with reduced motion there is none', async () => {
  const { page, context } = await openPage(browser, product, { reducedMotion: 'reduce' })
  await noteMotion(page)
  await openHydrated(page, inLang(table.qr, lang))
  await begun(page, 'motion-')
  await page.locator('.dish:has(img) h3 > a').first().click()
  await page.locator('dialog.sheet[open]').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog.sheet').waitFor({ state: 'detached' })
  assert.deepEqual(await motion(page), [])
  await context.close()
})
