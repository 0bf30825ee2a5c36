/** A section that throws, on the server or in the browser, leaves the others (SR-09). */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { violations } from './axe.mjs'
import {
  cartOf,
  findTable,
  inLang,
  LANGS,
  launch,
  open,
  openHydrated,
  openPage,
  PATIENCE,
  root,
  startProduct,
  text,
  unexpected,
  untilTrue,
} from './harness.mjs'

let folder, product, browser, table

/** The engine gets a dish, a venue and a list that nothing can be drawn from. The browser's copy of the data is whole. */
const SPOILT = `
{
  const render = globalThis.__render
  const spoil = {
    menu: ({ categories }) => { if (categories[0]) categories[0].products[0].name = {} },
    home: ({ rails }) => { if (rails[0]?.venues[0]) rails[0].venues[0].name = {} },
    brands: (data) => { data.brands = null },
  }
  globalThis.__render = (url, json, shared) => {
    const data = JSON.parse(json)
    if (shared) data.page.data.categories = JSON.parse(__fragments.shared())
    spoil[data.page.route]?.(data.page.data)
    return render(url, JSON.stringify(data), 0)
  }
}
`

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dastarkhan-web-'))
  const built = spawnSync(process.execPath, ['components/build/build.mjs', '--out', folder], { cwd: root })
  assert.equal(built.status, 0, String(built.stderr))
  await appendFile(path.join(folder, 'server.js'), SPOILT)
  product = await startProduct({ args: ['--web-dir', folder] })
  browser = await launch()
  table = await findTable(product)
})
after(async () => {
  await browser?.close()
  await product?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const filled = () => table.data.categories.filter(({ products }) => products.length > 0)
const lost = (page) => page.locator('[data-lost]')

/** A dish of a category that is whole, and of no other. */
function goodDish() {
  const [bad, ...good] = filled()
  const known = new Set(bad.products.map(({ id }) => id))
  const dish = good
    .flatMap(({ products }) => products)
    .find(({ id, out, options }) => !known.has(id) && !out && !options)
  assert.ok(dish, 'a dish that can be added')
  return dish
}

/** Gives the browser a document whose data nothing can be drawn from. */
const spoil = (page, pathname, from, to) =>
  page.route(
    (url) => url.pathname === pathname,
    async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replaceAll(from, to)
      assert.ok(body.includes(to), 'spoilt')
      await route.fulfill({ response: answer, body })
    },
  )

const form = (page, dish) => page.locator(`form:has(input[name="product"][value="${dish.id}"])`).first()

test('the page comes with the others, a message in its place, a line in the log, and is not cached', async () => {
  // What is asked for again is kept: the third would be the first to get it.
  for (let time = 1; time <= 3; time++) {
    const answer = await fetch(`${product.web}/filials/${table.filial_id}`)
    assert.equal(answer.status, 200)
    const html = await answer.text()
    const [bad, ...good] = filled()
    assert.deepEqual(
      [...html.matchAll(/data-lost="([^"]*)"/g)]
        .map(([, name]) => name)
        .filter((name) => /^cat-\d/.test(name)),
      [`cat-${bad.id}`],
    )
    for (const { id } of good) assert.ok(html.includes(`id="cat-${id}"`), `category ${id}`)
    const id = answer.headers.get('x-request-id')
    const logLines = () => product.logs().filter((line) => JSON.stringify(line).includes(`cat-${bad.id}`))
    await untilTrue(() => logLines().length >= time)
    assert.ok(id && JSON.stringify(logLines().at(-1)).includes(id), 'the log names the request')
  }
})

test('without scripts the message is read in every language, and the other dishes are added', async () => {
  for (const [index, lang] of LANGS.entries()) {
    const colorScheme = index % 2 ? 'dark' : 'light'
    const { page, context } = await openPage(browser, product, { colorScheme })
    await page.route('**/assets/*.js', (route) => route.abort())
    const country = lang === 'ka' ? '&country=ge' : ''
    await open(page, `${inLang('/', lang)}${country}`)
    await lost(page).getByText(text(lang, 'failure.part')).waitFor()
    assert.ok((await page.locator('section.shelf').count()) > 0, 'the other rails')
    assert.deepEqual(await violations(page), [], lang)
    await context.close()
  }
  const { page, context } = await openPage(browser, product, { javaScriptEnabled: false })
  await open(page, inLang(table.qr, table.lang))
  await lost(page).getByText(text(table.lang, 'failure.part')).first().waitFor()
  const dish = goodDish()
  await form(page, dish).locator('button[value="1"]').click()
  await page.locator('a[href="/cart"]:not(.skip):visible').first().click()
  await page.getByText(dish.name).first().waitFor()
  await context.close()
})

test('the browser draws what the server could not', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, inLang(table.qr, table.lang))
  await lost(page).first().waitFor({ state: 'detached' })
  assert.equal(await lost(page).count(), 0)
  const [bad] = filled()
  await page.locator(`#cat-${bad.id}`).getByText(bad.products[0].name, { exact: true }).first().waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test('what throws in the browser too keeps the message; the rest takes taps', async () => {
  const { page, context, problems } = await openPage(browser, product)
  const [bad] = filled()
  const [burnt] = bad.products
  await spoil(
    page,
    `/filials/${table.filial_id}`,
    `"id":${burnt.id},"name":${JSON.stringify(burnt.name)}`,
    `"id":${burnt.id},"name":{}`,
  )
  await openHydrated(page, inLang(table.qr, table.lang))
  await untilTrue(() => problems.length > 0, PATIENCE, 'React says what was thrown')
  await page.locator(`#cat-${bad.id}`).getByText(text(table.lang, 'failure.part')).waitFor()
  await form(page, goodDish()).locator('button[value="1"]').click()
  await untilTrue(async () => (await cartOf(page))?.count === 1)
  assert.deepEqual(unexpected(problems, { problem: /is not a function|React error #31/ }), [])
  await context.close()
})

test('a screen that throws leaves its header, asks search engines to come later, and is drawn by the browser', async () => {
  const answer = await fetch(`${product.web}/brands`)
  assert.equal(answer.status, 503)
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  const bare = await openPage(browser, product, { javaScriptEnabled: false })
  await open(bare.page, inLang('/brands', 'en'))
  await bare.page.getByRole('heading', { name: text('en', 'failure.title') }).waitFor()
  await bare.page.locator('header.head').waitFor()
  await bare.context.close()
  const { page, context, problems } = await openPage(browser, product)
  await openHydrated(page, inLang('/brands', 'en'))
  await lost(page).waitFor({ state: 'detached' })
  assert.equal(await page.getByText(text('en', 'failure.title')).count(), 0)
  assert.deepEqual(unexpected(problems, { status: 503 }), [])
  await context.close()
})

test('a screen that threw in the browser is tried again by the next navigation', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await spoil(page, '/', '"rails":[', '"rails":null,"none":[')
  await open(page, inLang('/', 'en'))
  await page.getByRole('heading', { name: text('en', 'failure.title') }).waitFor()
  await page.locator('header.head a.logo').click()
  await page.getByRole('heading', { name: text('en', 'home.title') }).waitFor()
  assert.equal(await lost(page).count(), 0)
  assert.ok(problems.length > 0, 'React has said what was thrown')
  await context.close()
})

test('a section that threw in the browser is tried again with other data of the same address', async () => {
  const { page, context, problems } = await openPage(browser, product)
  await spoil(page, '/search', '"found":[', '"found":null,"none":[')
  await open(page, inLang('/search?q=manty', 'en'))
  await lost(page).first().waitFor()
  const field = page.getByRole('combobox')
  await field.fill('lagman')
  await field.press('Enter')
  await page.locator('.found-venue').first().waitFor()
  assert.equal(await lost(page).count(), 0)
  assert.ok(problems.length > 0, 'React has said what was thrown')
  await context.close()
})
