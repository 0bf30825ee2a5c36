/**
 * Every letter that the product writes has a shape (LC-22; beyond.md, 13): in the fonts of this machine, and on one that
 * has Latin and Russian letters only, by the subsets that come with the product and are fetched for the letters of a
 * page alone.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'
import { signIn } from './flows.mjs'
import {
  atRest,
  CHROMIUM_SHELL,
  findTable,
  inLang,
  LANGS,
  launch,
  open,
  openPage,
  PATIENCE,
  pause,
  root,
  startProduct,
  untilTrue,
} from './harness.mjs'

const SIGNS = '₸₾'
const KAZAKH = 'ӘәҒғҚқҢңӨөҰұҮүҺһІі'
const GEORGIAN = Array.from({ length: 33 }, (_, index) => String.fromCodePoint(0x10d0 + index)).join('')

let product, folder, full, poor

before(async () => {
  product = await startProduct()
  folder = await mkdtemp(path.join(tmpdir(), 'fonts-'))
  full = await launch()
  poor = await launchWithoutLetters()
})
after(async () => {
  await full?.close()
  await poor?.close()
  await product?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Chromium on a machine whose only font has nothing but Latin and Russian letters (a subset of DejaVu Sans). */
async function launchWithoutLetters() {
  const file = path.join(folder, 'fonts.conf')
  const fonts = path.join(root, 'tests/fixtures/russian')
  await writeFile(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><cachedir>${folder}</cachedir></fontconfig>`,
  )
  return chromium.launch({
    executablePath: CHROMIUM_SHELL,
    headless: true,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--no-first-run'],
    env: { ...process.env, FONTCONFIG_FILE: file },
  })
}

/** The letters that come out as the box of a missing one, in the font list of the page itself. */
const boxes = (page, letters, { subsets = false, family } = {}) =>
  page.evaluate(
    async ([all, subsets, family]) => {
      const fontFamily = family ?? getComputedStyle(document.body).fontFamily
      const font = `32px ${fontFamily}`
      // A canvas does not wait for a subset as a page does.
      if (subsets) await document.fonts.load(font, all.join(''))
      const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
      const context = canvas.getContext('2d', { willReadFrequently: true })
      const picture = (letter) => {
        context.clearRect(0, 0, 64, 64)
        context.font = font
        context.fillText(letter, 8, 44)
        return `${context.measureText(letter).width} ${context.getImageData(0, 0, 64, 64).data.join()}`
      }
      // No font has these two; they must look the same, or the test could not tell.
      const box = picture('\u{fdd0}')
      if (box !== picture('\u{10fffe}')) throw new Error('missing letters differ')
      const blank = picture('\u00a0').split(' ')[1]
      return all.filter((letter) => {
        const seen = picture(letter)
        // A word joiner and its like (U+2060): nothing, and no room for it.
        if (/^\p{Default_Ignorable_Code_Point}$/u.test(letter)) return seen !== `0 ${blank}`
        return seen === box || (seen.split(' ')[1] === blank && letter.trim() !== '')
      })
    },
    [letters, subsets, family],
  )

const fontsOf = (requests) =>
  requests
    .filter((one) => one.resourceType() === 'font')
    .map((one) => path.basename(new URL(one.url()).pathname))
    .sort()

test('every code point of the catalogues has a shape in every language', async () => {
  const { texts } = readTexts(path.join(root, 'components'))
  const { catalogues } = compileTexts(texts)
  for (const lang of LANGS) {
    const { page, context, requests } = await openPage(full, product)
    await open(page, inLang('/', lang))
    const written = new Set([...JSON.stringify(catalogues[lang]), ...SIGNS].filter((one) => one >= ' '))
    assert.ok(written.size > 60, `${lang}: ${written.size} letters`)
    const fetched = fontsOf(requests).filter((name) => name !== 'signs.woff2')
    assert.deepEqual(fetched, [], 'this machine has the letters of all languages')
    assert.deepEqual(await boxes(page, [...written], { subsets: true }), [], lang)
    await context.close()
  }
})

test('where the system lacks them, Kazakh and Georgian letters and both signs come with the product', async () => {
  const { page, context } = await openPage(poor, product)
  await open(page, inLang('/faq', 'en'))
  // That the machine is such a one.
  const foreign = [...KAZAKH, ...GEORGIAN, ...SIGNS]
  assert.deepEqual(await boxes(page, ['щ', ...foreign], { family: 'system-ui, sans-serif' }), foreign)
  assert.deepEqual(await boxes(page, [...foreign, '\u2060'], { subsets: true }), [])
  await context.close()
})

/** A sign is as wide as the box of a missing letter until its font is there: no font has the letter beside it. */
const isDrawn = (page) =>
  page.evaluate(() => {
    const [sign, box] = ['sign', 'box'].map((id) => document.getElementById(id).getBoundingClientRect().width)
    return sign !== box
  })

test('a sign that comes late is no box for the whole page', async () => {
  const { page, context } = await openPage(poor, product)
  let late
  const asked = new Promise((resolve) => {
    late = resolve
  })
  await page.route(/signs\.woff2/, async (route) => {
    late()
    // Longer than a browser waits for a font that it may do without.
    await pause(1500)
    await route.continue()
  })
  await open(page, inLang('/faq', 'en'))
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<b id="sign">₾</b><b id="box">\u{fdd0}</b>')
  })
  await asked
  await untilTrue(() => isDrawn(page), PATIENCE, 'the sign is drawn with the font of the product')
  await context.close()
})

test('a sum that was laid out before its sign came has no box in it once the page rests', async () => {
  const { page, context } = await openPage(poor, product)
  await page.route(/signs\.woff2/, async (route) => {
    await pause(500)
    await route.continue()
  })
  await open(page, inLang('/faq', 'en'))
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<p><b id="sign">Остаток 5\u00a0₾ и</b></p><p><b id="box">Остаток 5\u00a0\u{fdd0} и</b></p>',
    )
  })
  await untilTrue(() => isDrawn(page), PATIENCE, 'the sign is drawn')
  await context.close()
})

test('a subset is fetched for the letters of a page and for no other', async () => {
  for (const [lang, expected] of [
    ['ka', ['georgian.woff2']],
    ['kk', ['kazakh-i.woff2', 'kazakh.woff2']],
    ['en', []],
  ]) {
    const { page, context, requests } = await openPage(poor, product)
    await open(page, inLang('/legal/terms', lang))
    await untilTrue(async () => fontsOf(requests).length >= expected.length, PATIENCE, `${lang}: ${expected}`)
    await page.evaluate(() => document.fonts.ready.then(() => {}))
    assert.deepEqual(fontsOf(requests), expected, lang)
    await context.close()
  }
})

/** Runs in the page: whether the lari sign that ends an element is drawn, and no box of a missing letter. */
function endsInSign(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let words
  while (walker.nextNode()) words = walker.currentNode
  const range = document.createRange()
  range.setStart(words, words.length - 1)
  range.setEnd(words, words.length)
  const { width } = range.getBoundingClientRect()
  // What is spaced in its own way is laid out now, out of no memory.
  const sign = Object.assign(document.createElement('span'), { textContent: '₾' })
  sign.style.letterSpacing = '0.001px'
  words.parentElement.append(sign)
  const drawn = sign.getBoundingClientRect().width
  sign.remove()
  return words.data.endsWith('₾') && Math.abs(drawn - width) < 0.1
}

test('a balance that was laid out before its sign came is drawn with it on the next page before that rests', async () => {
  const { filial_id: filial } = await findTable(product, { country: 'ge' })
  const opened = await openPage(full, product)
  const { page, context } = opened
  await signIn(opened, { phone: '+77010000075' })
  await open(page, inLang(`/filials/${filial}`, 'ka'))
  await page.evaluate(() => document.fonts.ready)
  // No page comes to rest (`REST`). A route would have the font fetched anew, and its words laid out.
  await page.addInitScript(() => {
    const later = setTimeout
    window.setTimeout = (what, ms, ...rest) => (ms === 3000 ? 0 : later(what, ms, ...rest))
  })
  await open(page, '/orders')
  const balance = page.locator('.balance')
  await untilTrue(() => balance.evaluate(endsInSign), PATIENCE, 'the sign stands in the header')
  await context.close()
})

test('a sum on a button that was laid out before its sign came is drawn with it', async () => {
  const table = await findTable(product, { country: 'ge' })
  const { data: bill } = await product.sandboxApi.set('bill/open', {
    filial_id: table.filial_id,
    table_id: table.table_id,
  })
  const line = { bill_id: bill.id, product_id: table.plain[0].id, count: 3 }
  await product.sandboxApi.set('bill/add', line)
  const { page, context } = await openPage(full, product)
  await open(page, inLang(`${table.qr.replace('?', '/bill?')}&split=equal&of=3&pay=1`, 'ka'))
  const button = page.locator('.due button[type="submit"]')
  await atRest(page)
  await page.evaluate(() => document.fonts.ready)
  await untilTrue(() => button.evaluate(endsInSign), PATIENCE, 'the sign stands on the button')
  await context.close()
})
