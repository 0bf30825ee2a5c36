/** Menus of hundreds of dishes: what is tapped does not wait for the rest, and nothing is drawn for nothing. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { longMenus } from '../bench/long_menus.mjs'
import {
  atUrl,
  cartOf,
  findTable,
  hydrated,
  launch,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  startProduct,
  startServe,
  untilTrue,
} from './harness.mjs'

const DISHES = 600

let folder, product, front, server, browser, address

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dastarkhan-long-'))
  product = await startProduct()
  const table = await findTable(product)
  front = await longMenus(product.sandbox, new Map([[String(table.filial_id), DISHES]]))
  server = await startServe(`http://127.0.0.1:${front.address().port}`, folder)
  browser = await launch()
  address = `/filials/${table.filial_id}`
})
after(async () => {
  await browser?.close()
  server?.child.kill('SIGKILL')
  front?.close()
  await product?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/**
 * In the page: calls `act` when what stands around the dishes is hydrated, which is when the app takes the early taps over,
 * and tells whether a dish was not. `window.__rows` are the rows as the document brought them.
 */
function amidHydration(act) {
  const isOwned = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'))
  let early
  Object.defineProperty(window, '_early', {
    get: () => early,
    set(taps) {
      early = taps
      if (taps) return
      window.__rows = [...document.querySelectorAll('.dish')]
      setTimeout(() => {
        window.__amid = !isOwned(window.__rows.at(-1))
        act()
      })
    },
  })
}
const amid = (page, act) => page.addInitScript(`(${amidHydration})(${act})`)

/** No row was taken out or made anew. */
const stayed = (page) =>
  page.evaluate(() => {
    const now = [...document.querySelectorAll('.dish')]
    return now.length === window.__rows.length && now.every((row, at) => row === window.__rows[at])
  })

/** Tells how many seconds of script there were in the page since then. */
async function countScript(page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration').value
  }
}

const sheet = (page) => page.locator('dialog[open] h2').first()

test('a dish that is tapped amid hydration opens with little more work than at rest, and every row stays', async () => {
  const calm = await openPage(browser, server)
  const ofCalm = await countScript(calm.page)
  await openHydrated(calm.page, address)
  await calm.page.locator('.dishes .dish h3 a').first().click()
  await sheet(calm.page).waitFor()
  const usual = await ofCalm()
  await calm.context.close()

  const { page, context, problems } = await openPage(browser, server)
  const scripted = await countScript(page)
  await amid(page, () => document.querySelector('.dishes .dish h3 a').click())
  await open(page, address)
  await sheet(page).waitFor()
  const early = await scripted()
  assert.equal(await page.evaluate(() => window.__amid), true, 'it was tapped amid hydration')
  // Begun anew with each section it would be many times as much, whatever the machine.
  assert.ok(early < 4 * usual, `${early} s of script, ${usual} s for the same at rest`)
  assert.equal(await stayed(page), true)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a plus that is tapped amid hydration counts once, in a section that is not hydrated yet', async () => {
  const { page, context, problems } = await openPage(browser, server)
  await amid(page, () => {
    const forms = [...document.querySelectorAll('.dishes form.step')]
    window.__form = forms.at(-1)
    window.__amid &&= !Object.keys(window.__form).some((key) => key.startsWith('__reactProps$'))
    window.__form.querySelector('.plus').click()
  })
  await open(page, address)
  await hydrated(page)
  assert.equal(await page.evaluate(() => window.__amid), true, 'it was tapped amid hydration')
  await untilTrue(() => page.evaluate(() => window.__form.querySelector('b').textContent === '1'))
  await untilTrue(async () => (await cartOf(page))?.lines.length === 1)
  assert.equal((await cartOf(page)).lines[0].qty, 1)
  assert.equal(await stayed(page), true)
  assert.deepEqual(problems, [])
  await context.close()
})

test('a dish opens and closes over a long menu without its rows being drawn anew', async () => {
  const { page, context, problems } = await openPage(browser, server)
  await openHydrated(page, address)
  await page.evaluate(() => {
    const propsOf = (row) => row[Object.keys(row).find((key) => key.startsWith('__reactProps$'))]
    // Short lists are few.
    const rows = [...document.querySelectorAll('.dishes > .dish')].map((row) => [row, propsOf(row)])
    window.__drawn = () => rows.filter(([row, props]) => propsOf(row) !== props).length
  })
  const answered = page.waitForResponse((answer) => /\/_data\/.*item=/.test(answer.url()))
  await page.locator('.dishes .dish h3 a').first().click()
  await sheet(page).waitFor()
  await (await answered).finished()
  await page.waitForFunction(() => !document.querySelector('main')?.ariaBusy)
  await page.goBack()
  await sheet(page).waitFor({ state: 'detached' })
  assert.equal(await page.evaluate(() => window.__drawn()), 0)
  assert.deepEqual(problems, [])
  await context.close()
})

test('what is far away is reached: by its chip, the keyboard, the search of the browser, and Back', async () => {
  const { page, context, problems } = await openPage(browser, server)
  await openHydrated(page, address)
  const sections = await page.locator('.menu [data-rows]').evaluateAll((all) => all.map(({ id }) => id))
  assert.ok(sections.length > 20, `${sections.length} sections`)
  const last = sections.at(-3)
  const topOf = (id) => page.evaluate((one) => document.getElementById(one).getBoundingClientRect().top, id)
  await page.locator(`.rail > div > [href="#${last}"]`).evaluate((link) => link.click())
  await untilTrue(async () => Math.abs((await topOf(last)) - 120) < 60, PATIENCE, 'the chip leads there')

  const isSeen = (selector) =>
    page.evaluate((one) => {
      const { top, bottom } = document.querySelector(one)?.getBoundingClientRect() ?? {}
      return bottom > 0 && top < innerHeight
    }, selector)
  const middle = `#${sections[Math.floor(sections.length / 2)]}`
  // On a busy machine the app may follow the chip only now, which leads away once more.
  await untilTrue(
    async () => {
      // The last link of the section before it.
      await page.evaluate((one) => {
        scrollTo(0, 0)
        const links = document.querySelector(one).previousElementSibling.querySelectorAll('a, button')
        links[links.length - 1].focus({ preventScroll: true })
      }, middle)
      await page.keyboard.press('Tab')
      return isSeen(`${middle} h3 a:focus`)
    },
    PATIENCE,
    'Tab leads into it',
  )

  await page.evaluate(() => scrollTo(0, 0))
  const name = `Far ${Date.now()}`
  await page.evaluate(
    ([one, words]) => {
      document.querySelector(`${one} h3 a`).firstChild.data = words
    },
    [middle, name],
  )
  assert.equal(await page.evaluate((words) => window.find(words), name), true)
  await untilTrue(() => isSeen(`${middle} h3 a`), PATIENCE, 'it is found')

  /** The first row in sight and where it stands; `leave`: at the press that leaves it, whatever is still being laid out. */
  const seen = (leave) =>
    page.evaluate((leaves) => {
      const row = [...document.querySelectorAll('.dish')].find(
        (one) => one.getBoundingClientRect().bottom > 0,
      )
      const { top } = row?.getBoundingClientRect() ?? {}
      if (leaves) document.querySelector('.rail .look').click()
      return { href: row?.querySelector('a').href, top }
    }, leave)
  const left = await seen(true)
  await atUrl(page, /\/search$/)
  await page.goBack()
  await untilTrue(
    async () => {
      const now = await seen(false)
      return now.href === left.href && Math.abs(now.top - left.top) < 2
    },
    PATIENCE,
    'Back leads to where it was left',
  )
  assert.deepEqual(problems, [])
  await context.close()
})
