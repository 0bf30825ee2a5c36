/** Makes the pictures of the README anew from the running product: `node tests/readme/pictures.mjs`. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { payInCash, pressOrder } from '../browser/flows.mjs'
import {
  atUrl,
  DESKTOP,
  fillCart,
  findTable,
  hydrated,
  inLang,
  launch,
  openHydrated,
  openPage,
  PHONE,
  root,
  startProduct,
  text,
} from '../browser/harness.mjs'

const LANG = 'en'
/** Between two screens, and how strongly the picture is packed. */
const GAP = 24
const QUALITY = 0.82

// Orders of tests stand still; the time that this page tells should be one that a guest sees.
const product = await startProduct({ env: { SANDBOX_SPEED: '1' } })
const browser = await launch()
try {
  const table = await findTable(product)
  const light = await shots(table, 'light')
  const dark = await shots(table, 'dark')
  await write('menu', [light.menu, light.dish, dark.cart, dark.order], PHONE)
  await write('wide', [await desktop(table), await tablet()], DESKTOP)
} finally {
  await browser.close()
  await product.stop()
}

/** The way of a guest at a table, a picture of each screen. */
async function shots(table, colorScheme) {
  const { page, context, web } = await openPage(browser, product, {
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'Asia/Almaty',
    reducedMotion: 'reduce',
  })
  const shot = () => shotOf(page)
  const at = (address) => openHydrated(page, inLang(address, LANG))
  const made = {}
  await fillCart({ page }, table, table.plain.slice(0, 3))
  await at(table.qr)
  made.menu = await shot()
  await at(`/filials/${table.filial_id}?item=${table.withGroup.id}`)
  made.dish = await shot()
  await at('/cart')
  made.cart = await shot()
  await payInCash(page)
  await pressOrder(page)
  await atUrl(page, /\/filials\/\d+\/order\//)
  await hydrated(page)
  const order = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1))
  await product.sandboxApi.set('order/status', { order_id: order, status: 'cooking' })
  await at(page.url().slice(web.length))
  made.order = await shot()
  await context.close()
  return made
}

async function shotOf(page) {
  await page.evaluate(() => {
    // The ring around what has the focus is for who uses the keyboard.
    document.activeElement?.blur()
    return Promise.all(
      [...document.images].filter((one) => one.loading !== 'lazy').map((one) => one.decode()),
    )
  })
  return (await page.screenshot()).toString('base64')
}

/** A menu on a desktop, with a cart beside it. */
async function desktop(table) {
  const { page, context } = await openPage(browser, product, { viewport: DESKTOP, reducedMotion: 'reduce' })
  await fillCart({ page }, table, table.plain.slice(0, 3))
  await openHydrated(page, inLang(`/filials/${table.filial_id}`, LANG))
  const made = await shotOf(page)
  await context.close()
  return made
}

/** A tablet that somebody has begun to order at. */
async function tablet() {
  const { page, context } = await openPage(browser, product, { viewport: DESKTOP, reducedMotion: 'reduce' })
  await openHydrated(page, inLang('/kiosk/filials/1043?source=TABLET', LANG))
  await page.getByRole('button', { name: text(LANG, 'kiosk.start') }).click()
  await page.locator('dialog.veil').waitFor({ state: 'detached' })
  const made = await shotOf(page)
  await context.close()
  return made
}

async function write(name, screens, size) {
  await writeFile(path.join(root, `tests/readme/${name}.webp`), await joined(screens, size))
}

/** One picture with the screens side by side, on nothing: the page that shows it may be light or dark. */
async function joined(screens, size) {
  const { page, context } = await openPage(browser, product)
  const data = await page.evaluate(
    async ({ screens, size, gap, quality }) => {
      const canvas = document.createElement('canvas')
      canvas.width = screens.length * (size.width + gap) - gap
      canvas.height = size.height
      const context = canvas.getContext('2d')
      for (const [at, screen] of screens.entries()) {
        const image = new Image()
        image.src = `data:image/png;base64,${screen}`
        await image.decode()
        context.save()
        context.beginPath()
        context.roundRect(at * (size.width + gap), 0, size.width, size.height, gap)
        context.clip()
        context.drawImage(image, at * (size.width + gap), 0)
        context.restore()
      }
      return canvas.toDataURL('image/webp', quality)
    },
    { screens, size, gap: GAP, quality: QUALITY },
  )
  await context.close()
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
}
