/** Makes the picture of the README anew from the running product: `node tests/readme/pictures.mjs`. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { payInCash, pressOrder } from '../browser/flows.mjs'
import {
  atUrl,
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
} from '../browser/harness.mjs'

const LANG = 'en'
/** Between two phones, and how strongly the picture is packed. */
const GAP = 24
const QUALITY = 0.82

// Orders of tests stand still; the time that this page tells should be one that a guest sees.
const product = await startProduct({ env: { SANDBOX_SPEED: '1' } })
const browser = await launch()
try {
  const table = await findTable(product)
  const light = await shots(table, 'light')
  const dark = await shots(table, 'dark')
  const picture = await joined([light.menu, light.dish, dark.cart, dark.order])
  await writeFile(path.join(root, 'tests/readme/menu.webp'), picture)
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
  const shot = async () => {
    await page.evaluate(() => {
      // The ring around what has the focus is for who uses the keyboard.
      document.activeElement?.blur()
      return Promise.all(
        [...document.images].filter((one) => one.loading !== 'lazy').map((one) => one.decode()),
      )
    })
    return (await page.screenshot()).toString('base64')
  }
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

/** One picture with the phones side by side, on nothing: the page that shows it may be light or dark. */
async function joined(phones) {
  const { page, context } = await openPage(browser, product)
  const data = await page.evaluate(
    async ({ phones, size, gap, quality }) => {
      const canvas = document.createElement('canvas')
      canvas.width = phones.length * (size.width + gap) - gap
      canvas.height = size.height
      const context = canvas.getContext('2d')
      for (const [at, phone] of phones.entries()) {
        const image = new Image()
        image.src = `data:image/png;base64,${phone}`
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
    { phones, size: PHONE, gap: GAP, quality: QUALITY },
  )
  await context.close()
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
}
