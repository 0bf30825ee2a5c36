/** Pictures of every screen in both sizes, both themes, in Kazakh and Georgian, in target/screenshots. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { DESKTOP, findTable, launch, openPage, PHONE, root, startProduct } from './harness.mjs'
import { countryOf, inLanguage, venuesFor } from './states.mjs'

const folder = path.join(root, 'target/screenshots')
let product, browser
const venues = {}

before(async () => {
  await mkdir(folder, { recursive: true })
  product = await startProduct()
  browser = await launch()
  for (const country of ['kz', 'ge']) venues[country] = await venuesFor(product, country, findTable)
})
after(async () => {
  await browser?.close()
  await product?.stop()
})

for (const lang of ['kk', 'ka']) {
  for (const state of inLanguage(lang)) {
    test(`${state.name} in ${lang}`, async () => {
      const opened = await openPage(browser, product, { viewport: PHONE })
      const { page, context } = opened
      await state.open({ product, opened, lang, ...venues[countryOf(lang)] })
      for (const viewport of [PHONE, DESKTOP]) {
        await page.setViewportSize(viewport)
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          const name = `${state.name}-${lang}-${viewport.width}-${colorScheme}.png`
          await page.screenshot({ path: path.join(folder, name) })
        }
      }
      await context.close()
    })
  }
}
