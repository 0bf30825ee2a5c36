/** An order that does not go: why is told at its button, in view, and it is asked again; what is sent stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillRow, payInCash, pressOrder } from './flows.mjs'
import {
  atUrl,
  DESKTOP,
  fillCart,
  hydrated,
  inLang,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  pause,
  plainSpaces,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'kk'
setStage({ args: ['--catalogue-fresh-ms', '1', '--page-fresh-ms', '0'] })

const SILENT = { path: '*', kind: 'status', status: 503 }
const CHECK = { path: '/menu/v2/stop_list', kind: 'status', status: 503 }
const ORDER = { path: '/takeaway/v1/express/order', method: 'POST', kind: 'status', status: 503 }
const trouble = (page) => page.locator('form[action="/orders"] .order [role="alert"]')

/** A cart of two dishes, ready to be ordered. */
async function readyCart(options) {
  const opened = await openPage(browser, product, options)
  await fillCart(opened, table, table.plain.slice(0, 2))
  await (options?.javaScriptEnabled === false ? open : openHydrated)(opened.page, inLang('/cart', lang))
  return opened
}

/** The reason stands in the view, uncovered, and has the focus. */
async function isTold(page, words) {
  await trouble(page).waitFor()
  await untilTrue(
    async () => plainSpaces(await trouble(page).innerText()).includes(plainSpaces(words)),
    PATIENCE,
    words,
  )
  await untilTrue(
    () => trouble(page).evaluate((element) => element === document.activeElement),
    PATIENCE,
    'the reason has the focus',
  )
  const seen = await trouble(page).evaluate((element) => {
    const { top, bottom, left, width } = element.getBoundingClientRect()
    const at = document.elementFromPoint(left + width / 2, top + 8)
    return { top, bottom, height: innerHeight, uncovered: element.contains(at) }
  })
  assert.ok(seen.top >= 0 && seen.bottom <= seen.height && seen.uncovered, JSON.stringify(seen))
}

test('an order that the restaurant does not answer says so at its button, and that it answers again', async () => {
  const { page, context } = await readyCart()
  await fillRow(page, 'comment', 'Тез')
  await payInCash(page)
  await product.sandboxApi.set('faults', SILENT)
  await page.evaluate(() => window.scrollTo(0, 0))
  try {
    await pressOrder(page)
    await isTold(page, text(lang, 'errors.unavailable'))
  } finally {
    await product.sandboxApi.clear('faults')
  }
  // It is asked again, by itself; the reason makes way when there is an answer.
  await page.getByText(text(lang, 'cart.answers')).waitFor()
  assert.equal(await page.locator('textarea[name="comment"]').inputValue(), 'Тез')
  await pressOrder(page)
  await atUrl(page, /\/filials\/\d+\/order\//)
  await context.close()
})

test('a cart that was opened while the restaurant is silent becomes orderable by itself', async () => {
  const opened = await openPage(browser, product)
  const { page, context } = opened
  await fillCart(opened, table, table.plain.slice(0, 1))
  await product.sandboxApi.set('faults', SILENT)
  try {
    await openHydrated(page, inLang('/cart', lang))
    await pressOrder(page)
    await isTold(page, text(lang, 'block.checkFailed'))
  } finally {
    await product.sandboxApi.clear('faults')
  }
  await page.getByText(text(lang, 'cart.answers')).waitFor()
  await payInCash(page)
  await pressOrder(page)
  await atUrl(page, /\/filials\/\d+\/order\//)
  await context.close()
})

test('a page that did not come is shown by itself once the restaurant answers', async () => {
  const { page, context } = await openPage(browser, product)
  for (const [path, fault] of [
    ['/filials/1011', SILENT],
    ['/filials/2033', { ...SILENT, path: '/menu/v2/category' }],
  ]) {
    await product.sandboxApi.set('faults', fault)
    try {
      await openHydrated(page, inLang(path, lang))
      await page.locator('.empty').waitFor()
    } finally {
      await product.sandboxApi.clear('faults')
    }
    await page.locator('form[data-early] button').first().waitFor()
  }
  await context.close()
})

test('an order that came to nothing while it was checked leads back to its button with the reason', async () => {
  const { page, context } = await readyCart()
  await payInCash(page)
  await product.sandboxApi.set('faults', ORDER)
  try {
    await pressOrder(page)
    await atUrl(page, /\/orders\/checking\//)
    // When the restaurant answers again it is closed.
    await product.sandboxApi.set('opening', { filial_id: table.filial_id, closed: true })
    await product.sandboxApi.clear('faults')
    await atUrl(page, /\/cart#order$/)
    await isTold(page, text(lang, 'errors.notPlaced'))
  } finally {
    await product.sandboxApi.clear('faults')
    await product.sandboxApi.set('opening', { filial_id: table.filial_id, closed: false })
  }
  assert.equal(await page.locator('.lines .line').count(), 2, 'the cart is kept')
  await context.close()
})

test('a cart that another window has changed says so at the button and leads to what has changed', async () => {
  const { page, context } = await readyCart({ viewport: { width: 360, height: 740 } })
  await payInCash(page)
  await page.evaluate(
    ([filial, dish]) =>
      fetch('/cart/lines', {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ filial, product: dish, delta: 1 }),
      }),
    [table.filial_id, table.plain[2].id],
  )
  await page.evaluate(() => window.scrollTo(0, 0))
  await pressOrder(page)
  await isTold(page, text(lang, 'errors.versionChanged'))
  await untilTrue(async () => (await page.locator('.lines .line').count()) === 3, PATIENCE, 'three lines')
  await trouble(page)
    .getByRole('link', { name: text(lang, 'cart.look') })
    .click()
  await untilTrue(
    () => page.locator('#lines').evaluate((element) => element.getBoundingClientRect().top >= 0),
    PATIENCE,
    'the lines are in view',
  )
  await context.close()
})

test('that a dish is gone is told at the button until it is removed, or there again', async () => {
  for (const end of ['removed', 'there']) {
    const { page, context } = await readyCart()
    await payInCash(page)
    // The page does not hear of it before the order does.
    await context.route(/\/events/, (route) => route.abort())
    await page.reload()
    await hydrated(page)
    await payInCash(page)
    const stock = (available) =>
      product.sandboxApi.set('stock', {
        filial_id: table.filial_id,
        product_id: table.plain[0].id,
        available,
      })
    await stock(false)
    try {
      await pressOrder(page)
      await isTold(page, text(lang, 'errors.gone'))
      await page.locator('#block-problems').waitFor()
      assert.equal(await trouble(page).count(), 1, end)
      if (end === 'removed') await page.locator('#block-problems button').click()
      else {
        await stock(true)
        await context.unroute(/\/events/)
      }
      await page.locator('#block-problems').waitFor({ state: 'detached' })
      await trouble(page).waitFor({ state: 'detached' })
    } finally {
      await stock(true)
    }
    await pressOrder(page)
    await atUrl(page, /\/filials\/\d+\/order\//)
    await context.close()
  }
})

for (const viewport of [{ width: 360, height: 740 }, DESKTOP]) {
  test(`without scripts the reason stands at the button, ${viewport.width} px`, async () => {
    const { page, context } = await readyCart({ javaScriptEnabled: false, viewport })
    await payInCash(page)
    await fillRow(page, 'comment', 'Тез')
    await product.sandboxApi.set('faults', CHECK)
    try {
      await pressOrder(page)
      await atUrl(page, /\/cart#order$/)
      await isTold(page, text(lang, 'errors.unavailable'))
    } finally {
      await product.sandboxApi.clear('faults')
    }
    assert.equal(await page.locator('textarea[name="comment"]').inputValue(), 'Тез')
    assert.equal(await page.getByRole('alert').filter({ hasText: /\S/ }).count(), 1, 'it is told once')
    await pressOrder(page)
    await atUrl(page, /\/filials\/\d+\/order\//)
    await context.close()
  })
}

test('what is being sent stays until the page of the order is there', async () => {
  const { page, context } = await readyCart()
  await payInCash(page)
  const names = await page.locator('.lines .line').count()
  await page.evaluate(
    (empty) => {
      window.seen = []
      const look = () => {
        const lines = document.querySelectorAll('.lines .line').length
        const busy = document.querySelector('.order .button')?.getAttribute('aria-busy') === 'true'
        const order = /\/order\//.test(location.pathname)
        if (document.querySelector('main').textContent.includes(empty)) window.seen.push('empty')
        else if (!order) window.seen.push(`${lines} ${busy}`)
      }
      document.querySelector('form[action="/orders"]').addEventListener('submit', () => {
        setTimeout(() => {
          look()
          new MutationObserver(look).observe(document.body, {
            childList: true,
            subtree: true,
            attributes: true,
          })
        })
      })
    },
    text(lang, 'cart.empty'),
  )
  // The page of the order is long on its way.
  await page.route(/\/_data\/filials\/\d+\/order\//, async (route) => {
    await pause(2500)
    await route.continue()
  })
  await pressOrder(page)
  await atUrl(page, /\/filials\/\d+\/order\//)
  const seen = await page.evaluate(() => window.seen)
  assert.ok(seen.length > 0)
  assert.deepEqual([...new Set(seen)], [`${names} true`])
  await context.close()
})
