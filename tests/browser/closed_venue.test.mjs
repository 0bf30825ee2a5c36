/** A venue that is closed: its menu can be read, and the way to others is shown; an open one fetches nothing of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payInCash, signIn } from './flows.mjs'
import {
  fillCart,
  hydrated,
  inLang,
  LANGS,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'ru'
const address = (of = lang) => inLang(`/filials/${table.filial_id}`, of)
/** Closes it or not; the next page says so: one that was kept may be shown once more while it is made anew. */
async function set(closed) {
  await product.sandboxApi.set('opening', { filial_id: table.filial_id, closed })
  for (const each of LANGS) {
    const isClosed = async () =>
      (await (await fetch(product.web + address(each))).text()).includes('class="shut')
    await untilTrue(async () => (await isClosed()) === closed, PATIENCE, `the ${each} page is as it was set`)
  }
}

// What the sandbox changes is seen at once.
setStage({ args: ['--catalogue-fresh-ms', '1', '--page-fresh-ms', '0'] })

test('an open menu has and fetches nothing of it before it rests', async () => {
  const { page, context, requests } = await openPage(browser, product)
  await page.clock.install()
  await openHydrated(page, address())
  assert.equal(await page.locator('.shut').count(), 0)
  assert.deepEqual(
    requests.map((one) => one.url()).filter((url) => /\/assets\/closed-/.test(url)),
    [],
  )
  await context.close()
})

test('a closed venue has a drawing, says what can be done and leads to others, without scripts too', async () => {
  await set(true)
  try {
    for (const javaScriptEnabled of [true, false]) {
      const { page, context, problems } = await openPage(browser, product, { javaScriptEnabled })
      await open(page, address())
      if (javaScriptEnabled) await hydrated(page)
      const card = page.locator('.shut')
      assert.equal(await card.getByRole('heading').innerText(), text(lang, 'closed.title'))
      const scene = card.locator('.scene')
      const { width, height } = await scene.evaluate((one) => one.getBoundingClientRect().toJSON())
      assert.ok(width < 140 && height < 100, `${width} × ${height}: its styles came with the document`)
      assert.equal(await scene.getAttribute('aria-hidden'), 'true')
      // It is told once.
      assert.equal(await page.getByText(text(lang, 'banner.closed')).count(), 0)
      await card.getByRole('link').click()
      await page.waitForURL(/\/filials(\?|$)/)
      assert.deepEqual(problems, [])
      await context.close()
    }
  } finally {
    await set(false)
  }
})

test('who sits at a table of a closed venue is sent nowhere', async () => {
  await set(true)
  try {
    const { page, context } = await openPage(browser, product)
    await open(page, inLang(table.qr, lang))
    assert.ok(await page.locator('.shut').isVisible())
    assert.equal(await page.locator('.shut a').count(), 0)
    await context.close()
  } finally {
    await set(false)
  }
})

test('the cart of a closed venue says so twice at most, and its button leads on', async () => {
  for (const [seated, path] of [
    [true, `/filials/${table.filial_id}`],
    [false, '/filials'],
  ]) {
    const opened = await openPage(browser, product)
    const { page, context } = opened
    await signIn(opened)
    await fillCart(opened, table, table.plain.slice(0, 1))
    await openHydrated(page, inLang('/cart', lang))
    if (!seated) {
      await page.getByRole('button', { name: text(lang, 'table.leave', { number: table.number }) }).click()
      await page.getByRole('button', { name: text(lang, 'service.takeaway'), exact: true }).click()
    }
    await page.locator('.order > button').waitFor()
    await payInCash(page)
    try {
      await set(true)
      // The press is refused, or the page has heard of it and there is nothing to press any more.
      const press = page.locator('.order > button').click()
      const on = page.locator('.order > a')
      await Promise.race([press.catch(() => {}), on.waitFor()])
      await on.waitFor()
      for (const when of ['as it closes', 'later']) {
        const said = (await page.locator('main').innerText()).match(/закрыт/gi)
        assert.ok(said.length >= 1 && said.length <= 2, `${when}: ${said.length} times`)
        await page.reload({ waitUntil: 'domcontentloaded' })
        await hydrated(page)
      }
      await on.click()
      await page.waitForURL((url) => url.pathname === path, { waitUntil: 'commit' })
    } finally {
      await set(false)
    }
    await context.close()
  }
})

test('a closed menu is as wide as the narrowest phone in all languages, and nothing that is seen moves', async () => {
  await set(true)
  try {
    for (const each of LANGS.filter((one) => one !== 'ka')) {
      const { page, context } = await openPage(browser, product, { viewport: { width: 320, height: 640 } })
      await page.addInitScript(() => {
        window.__moved = 0
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) window.__moved += value
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await openHydrated(page, address(each))
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320)
      assert.ok((await page.evaluate(() => window.__moved)) < 0.01)
      await context.close()
    }
  } finally {
    await set(false)
  }
})
