/** Pictures that do not come: no torn sign of the browser's stands in their place, with scripts and without. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, openHydrated, openPage } from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

setStage()

/** How many colours the place of a picture shows. A torn sign and its frame have some besides the placeholder's. */
async function coloursOf(page, picture) {
  const png = (await picture.screenshot({ animations: 'disabled' })).toString('base64')
  return page.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), {
      width: image.width,
      height: image.height,
    })
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    // Corners are round, and what is behind them shows.
    const edge = 6
    const { data: bytes } = context.getImageData(edge, edge, image.width - 2 * edge, image.height - 2 * edge)
    const colours = new Set()
    for (let at = 0; at < bytes.length; at += 4) colours.add(bytes.slice(at, at + 3).join())
    return [...colours]
  }, png)
}

for (const javaScriptEnabled of [true, false]) {
  test(`a picture that fails leaves a quiet place, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    for (const colorScheme of ['light', 'dark']) {
      const { page, context } = await openPage(browser, product, { javaScriptEnabled, colorScheme })
      await page.route(/\/img\//, (route) => route.abort())
      const menu = `/filials/${table.filial_id}`
      await (javaScriptEnabled ? openHydrated(page, menu) : open(page, menu))
      await page.waitForLoadState('load')
      const picture = page.locator('.about img')
      assert.equal(
        (await coloursOf(page, picture)).length,
        1,
        `${colorScheme}: ${await coloursOf(page, picture)}`,
      )
      await context.close()
    }
  })
}
