/**
 * The scanner with the camera of a test: all eight formats and codes of tables, everything that keeps a camera away, and
 * that it is released while the page is hidden (BC-01, BC-07, BC-09 to BC-12, FL-18, FL-19, HB-05, HB-19, AX-14).
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { film } from './codes.mjs'
import {
  atUrl,
  findTable,
  inLang,
  launch,
  openHydrated,
  openPage,
  startProduct,
  text,
  untilTrue,
} from './harness.mjs'

const FRIDGE = 1201
const SCANNER = `/filials/${FRIDGE}/barcode-scanner`
const MANUAL = `/filials/${FRIDGE}/barcode-manual`
const CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

let product, browser, folder, good, table, partner

before(async () => {
  partner = await partnerPage()
  product = await startProduct({ args: ['--host-origins', partner.origin] })
  browser = await launch()
  folder = await mkdtemp(path.join(tmpdir(), 'codes-'))
  const found = await product.sandboxApi.upstream(
    `/menu/v3/search/products?query=${encodeURIComponent('сэндвич')}&kind=good`,
  )
  good = found.data.find((one) => one.location.filial_id === FRIDGE).product
  table = await findTable(product)
})

after(async () => {
  await browser?.close()
  await product?.stop()
  partner?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A page of a partner, which may have ours in a frame: it is what `shows` says. */
async function partnerPage() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(own.shows)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = {
    origin: `http://127.0.0.1:${server.address().port}`,
    shows: '',
    close: () => server.close(),
  }
  return own
}

/** A browser whose camera shows a film of these codes, and its page of the scanner; `prepare` goes before that is opened. */
async function scanning(name, codes, run, prepare = () => {}) {
  const file = path.join(folder, `${name}.y4m`)
  await film(file, codes)
  const own = await launch({ args: [...CAMERA, `--use-file-for-fake-video-capture=${file}`] })
  try {
    const opened = await openPage(own, product)
    await opened.context.grantPermissions(['camera'])
    await opened.page.addInitScript(watchTracks)
    await prepare(opened)
    await openHydrated(opened.page, inLang(SCANNER, 'kk'))
    await run(opened)
  } finally {
    await own.close()
  }
}

/** Runs in the page: every track that it was ever given. */
function watchTracks() {
  window.__tracks = []
  const { mediaDevices } = navigator
  const real = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (wishes) => {
    window.__asked = wishes
    const stream = await real(wishes)
    window.__tracks.push(...stream.getTracks())
    return stream
  }
}

const liveTracks = (page) =>
  page.evaluate(() => window.__tracks.filter((track) => track.readyState === 'live').length)

/** What the page has been told of codes: the sheet's heading and the code under it. */
async function nextSheet(page) {
  const heading = page.locator('#scanned')
  await heading.waitFor()
  await page.waitForFunction(
    (looking) => {
      const now = document.getElementById('scanned')?.textContent
      return now && now !== looking
    },
    text('kk', 'scan.looking'),
  )
  const code = page.locator('.scanned > .num')
  return {
    heading: await heading.textContent(),
    code: (await code.count()) ? await code.textContent() : '',
  }
}

test('all eight formats are read from the camera, each as the barcode that it means', async () => {
  const none = text('kk', 'barcode.notFound')
  const films = [
    [good.barcode.length === 13 ? 'ean13' : 'ean8', good.barcode, good.barcode, text('kk', 'barcode.found')],
    ['ean8', '96385074', '96385074', none],
    ['upca', '036000291452', '0036000291452', none],
    ['upce', '01234565', '0012345000065', none],
    ['code128', '4006381333931', '4006381333931', none],
    ['code39', 'ABC-1234', 'ABC-1234', text('kk', 'barcode.wrong')],
    ['code93', '12345670', '12345670', none],
    ['interleaved2of5', '73513537', '73513537', none],
  ]
  for (const [symbology, printed, code, heading] of films) {
    await scanning(symbology, [[symbology, printed]], async ({ page, problems, requests }) => {
      assert.deepEqual(await nextSheet(page), { heading, code }, symbology)
      // While the sheet is open the camera is released.
      assert.equal(await liveTracks(page), 0)
      if (code === good.barcode) {
        assert.equal(await page.locator('.scanned .dish h3').textContent(), good.product_name)
      }
      // The reader is ours, and fetched once.
      const readers = requests.filter((one) => one.url().endsWith('.wasm'))
      assert.equal(readers.length, 1)
      assert.ok(readers[0].url().startsWith(`${product.web}/assets/`))
      assert.deepEqual(problems, [])
    })
  }
})

test('what is scanned goes into the cart without leaving the scanner', async () => {
  const codes = [[good.barcode.length === 13 ? 'ean13' : 'ean8', good.barcode]]
  await scanning('good', codes, async ({ page, problems }) => {
    await nextSheet(page)
    await page.locator('.scanned .plus').click()
    await page.locator('.scanned .minus').waitFor()
    assert.equal(new URL(page.url()).pathname, SCANNER)
    await page.keyboard.press('Escape')
    await page.locator('.scanner[data-phase="live"]').waitFor()
    await page.locator('.bar').waitFor()
    const wishes = await page.evaluate(() => window.__asked)
    assert.equal(wishes.video.facingMode.ideal, 'environment')
    assert.equal(wishes.audio, false)
    const video = page.locator('.finder video')
    assert.deepEqual(await video.evaluate((one) => [one.playsInline, one.muted, one.autoplay]), [
      true,
      true,
      true,
    ])
    // The code is still in view, and does not come up again by itself.
    assert.equal(await page.locator('#scanned').count(), 0)
    assert.deepEqual(problems, [])
  })
})

test('the camera is released when the page is hidden or left, and comes back with the guest', async () => {
  await scanning('paper', [[]], async ({ page }) => {
    await page.locator('.scanner[data-phase="live"]').waitFor()
    assert.equal(await liveTracks(page), 1)
    await look(page, 'hidden')
    await page.locator('.scanner[data-phase="paused"]').waitFor()
    assert.equal(await liveTracks(page), 0)
    await look(page, 'visible')
    await page.locator('.scanner[data-phase="live"]').waitFor()
    assert.equal(await liveTracks(page), 1)
    // Somebody else takes it.
    await page.evaluate(() => {
      const [track] = window.__tracks.filter(({ readyState }) => readyState === 'live')
      track.dispatchEvent(new Event('ended'))
    })
    await page.locator('.scanner[data-phase="ended"]').waitFor()
    assert.equal(await liveTracks(page), 0)
    await page.getByRole('button', { name: text('kk', 'scan.start') }).click()
    await page.locator('.scanner[data-phase="live"]').waitFor()
    // Back is a navigation inside the app: the page goes, its document stays.
    await page.locator('.back').click()
    await atUrl(page, new RegExp(`/filials/${FRIDGE}/fridge`))
    await untilTrue(async () => (await liveTracks(page)) === 0)
  })
})

const look = (page, state) =>
  page.evaluate((to) => {
    Object.defineProperty(document, 'visibilityState', { value: to, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

test('the code of a table leads to its menu, and a foreign code nowhere', async () => {
  const own = `${product.web}${table.qr}`
  await scanning('table', [['qrcode', own]], async ({ page }) => {
    await atUrl(page, (url) => url.pathname === `/filials/${table.filial_id}`)
    await page.locator('.table').waitFor()
  })
  await scanning(
    'a foreign code',
    [['qrcode', 'https://evil.example/filials/1013?table_id=t7']],
    async (opened) => {
      const { heading } = await nextSheet(opened.page)
      assert.equal(heading, text('kk', 'scan.foreign'))
      assert.equal(new URL(opened.page.url()).pathname, SCANNER)
      assert.deepEqual(opened.problems, [])
    },
  )
  const unknown = own.replace(/table_id=[^&]+/, 'table_id=t999')
  await scanning('unknown', [['qrcode', unknown]], async ({ page }) => {
    await atUrl(page, (url) => url.pathname === `/filials/${table.filial_id}`)
    // Another message than that of an unknown code.
    await page.getByText(text('kk', 'flash.tableUnknown')).waitFor()
  })
})

test('the code of a table that is read without a network leaves the scanner, which leads to the menu once there is one', async () => {
  // White paper between: a code counts again when it has been out of sight.
  const codes = [['qrcode', `${product.web}${table.qr}`], [null]]
  const lose = ({ page }) => page.route('**/robots.txt', (route) => route.abort('internetdisconnected'))
  await scanning(
    'lost',
    codes,
    async ({ page }) => {
      await page.locator('.connection').getByText(text('kk', 'app.lost')).waitFor()
      await page.locator('.scanner[data-phase="live"]').waitFor()
      assert.equal(new URL(page.url()).pathname, SCANNER)
      await page.unroute('**/robots.txt')
      await atUrl(page, (url) => url.pathname === `/filials/${table.filial_id}`)
      await page.locator('.table').waitFor()
    },
    lose,
  )
})

/** Opens the scanner with a camera that does what `stub` says. */
async function stubbed(stub, run, { press = true } = {}) {
  const opened = await openPage(browser, product)
  await opened.page.addInitScript(stub)
  await openHydrated(opened.page, inLang(SCANNER, 'kk'))
  if (press) await opened.page.getByRole('button', { name: text('kk', 'scan.start') }).click()
  await run(opened)
  await opened.context.close()
}

async function typedInstead({ page }, reason) {
  await atUrl(page, (url) => url.pathname === MANUAL && url.searchParams.get('camera') === reason)
  await page.getByText(text('kk', `camera.${reason}`)).waitFor()
  await page.locator('input[name="code"]').waitFor()
}

test('the camera is not requested before it is said what for, and typing is always at hand', async () => {
  const opened = await openPage(browser, product)
  await opened.page.addInitScript(() => {
    window.__asked = 0
    navigator.mediaDevices.getUserMedia = () => {
      window.__asked += 1
      return new Promise(() => {})
    }
  })
  await openHydrated(opened.page, inLang(SCANNER, 'kk'))
  await opened.page.getByText(text('kk', 'scan.idle')).waitFor()
  assert.equal(await opened.page.evaluate(() => window.__asked), 0)
  await opened.page.getByRole('button', { name: text('kk', 'scan.start') }).click()
  assert.equal(await opened.page.evaluate(() => window.__asked), 1)
  await opened.page.getByRole('link', { name: text('kk', 'barcode.type') }).click()
  await atUrl(opened.page, (url) => url.pathname === MANUAL)
  await opened.context.close()
})

const failing = (name) => `
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', '${name}'))`

for (const [name, reason] of [
  ['NotAllowedError', 'refused'],
  ['NotReadableError', 'busy'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['UnknownError', 'silent'],
]) {
  test(`${name} leads to typing: ${reason}`, async () => {
    await stubbed(failing(name), (opened) => typedInstead(opened, reason))
  })
}

test('a browser without cameras leads to typing', async () => {
  await stubbed(
    () => {
      Object.defineProperty(navigator, 'mediaDevices', { value: undefined })
    },
    (opened) => typedInstead(opened, 'missing'),
  )
})

test('who has refused before is not asked again', async () => {
  await stubbed(
    () => {
      navigator.permissions.query = async () => ({ state: 'denied' })
      navigator.mediaDevices.getUserMedia = () => {
        throw new Error('it was asked for')
      }
    },
    async (opened) => {
      await typedInstead(opened, 'refused')
      assert.deepEqual(opened.problems, [])
    },
    { press: false },
  )
})

/** The camera of a webview that shows a canvas. */
const painted = (paint) => `
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 320
    canvas.height = 240
    const context = canvas.getContext('2d')
    const draw = () => { ${paint}; requestAnimationFrame(draw) }
    draw()
    const stream = canvas.captureStream(10)
    window.__tracks = stream.getTracks()
    return stream
  }`

test('a picture that stays black leads to typing, and the camera is released', async () => {
  await stubbed(painted("context.fillStyle = '#000'; context.fillRect(0, 0, 320, 240)"), async (opened) => {
    await typedInstead(opened, 'black')
    assert.equal(await liveTracks(opened.page), 0)
  })
})

test('a camera that has shown something is not told to be black when it starts again in the dark', async () => {
  const paint = "context.fillStyle = window.isDark ? '#000' : '#fff'; context.fillRect(0, 0, 320, 240)"
  const looks = `
    window.looks = 0
    const { getImageData } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.getImageData = function (...of) {
      window.looks += 1
      return getImageData.apply(this, of)
    }`
  await stubbed(`${painted(paint)};${looks}`, async ({ page }) => {
    const looked = async () => {
      await page.evaluate(() => {
        window.looks = 0
      })
      await page.waitForFunction(() => window.looks > 2)
    }
    await looked()
    await page.evaluate(() => {
      window.isDark = true
      dispatchEvent(new Event('pagehide'))
    })
    await page.locator('.scanner[data-phase="paused"]').waitFor()
    await page.locator('.scanner form button').click()
    await page.locator('.scanner[data-phase="live"]').waitFor()
    await looked()
    await page.evaluate(() => {
      const now = performance.now.bind(performance)
      performance.now = () => now() + 60_000
    })
    await looked()
    assert.equal(await page.locator('.scanner[data-phase="live"]').count(), 1)
  })
})

test("the browser's own reader comes first; one that can't read is replaced", async () => {
  const paint = "context.fillStyle = '#fff'; context.fillRect(0, 0, 320, 240)"
  const detector = (detect) => `
    window.BarcodeDetector = class {
      static async getSupportedFormats() {
        return ['ean_13','ean_8','code_128','code_39','code_93','itf','upc_a','upc_e','qr_code']
      }
      async detect() { ${detect} }
    }`
  const reads = `return [{ rawValue: '${good.barcode}', format: 'ean_13' }]`
  await stubbed(`${painted(paint)};${detector(reads)}`, async ({ page, requests }) => {
    assert.equal((await nextSheet(page)).code, good.barcode)
    assert.ok(!requests.some((one) => one.url().endsWith('.wasm')))
  })
  const broken = "throw new DOMException('no service', 'NotSupportedError')"
  await stubbed(`${painted(paint)};${detector(broken)}`, async ({ page, requests }) => {
    await untilTrue(() => requests.some((one) => one.url().endsWith('.wasm')))
    await page.locator('.scanner[data-phase="live"]').waitFor()
  })
})

test('a reader that does not come leads to typing', async () => {
  const opened = await openPage(browser, product)
  await opened.page.addInitScript(painted("context.fillStyle = '#fff'; context.fillRect(0, 0, 320, 240)"))
  await opened.page.route(/\.wasm$/, (route) => route.abort())
  await openHydrated(opened.page, inLang(SCANNER, 'kk'))
  await opened.page.getByRole('button', { name: text('kk', 'scan.start') }).click()
  await typedInstead(opened, 'unread')
  await opened.context.close()
})

test('torch and zoom are offered where the camera has them', async () => {
  const able = `
    MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true, zoom: { min: 1, max: 4 } })
    MediaStreamTrack.prototype.applyConstraints = async ({ advanced }) => {
      window.__wishes = [...(window.__wishes ?? []), ...advanced]
    }`
  const paint = "context.fillStyle = '#fff'; context.fillRect(0, 0, 320, 240)"
  await stubbed(`${painted(paint)};${able}`, async ({ page }) => {
    const torch = page.getByRole('button', { name: text('kk', 'scan.torch') })
    await torch.click()
    await page.getByRole('button', { name: text('kk', 'scan.torch'), pressed: true }).waitFor()
    await page.getByRole('button', { name: text('kk', 'scan.zoom') }).click()
    await page.getByRole('button', { name: text('kk', 'scan.zoom'), pressed: true }).waitFor()
    assert.deepEqual(await page.evaluate(() => window.__wishes), [{ torch: true }, { zoom: 1.5 }])
  })
})

test('another camera is asked for by its own name, and the one before it is released', async () => {
  const paint = "context.fillStyle = '#fff'; context.fillRect(0, 0, 320, 240)"
  const cameras = `
    window.__asked = []
    window.__given = []
    const one = navigator.mediaDevices.getUserMedia
    navigator.mediaDevices.getUserMedia = async ({ video }) => {
      window.__asked.push(video.deviceId?.exact ?? null)
      // Like a phone's: without a name it is the first.
      const id = video.deviceId?.exact ?? 'back'
      window.__live = window.__given.filter(({ readyState }) => readyState === 'live').length
      const stream = await one()
      const [track] = stream.getTracks()
      track.getSettings = () => ({ deviceId: id })
      window.__given.push(track)
      return stream
    }
    navigator.mediaDevices.enumerateDevices = async () => [
      { kind: 'audioinput', deviceId: 'ear' },
      ...['back', 'front'].map((deviceId) => ({ kind: 'videoinput', deviceId })),
    ]`
  await stubbed(`${painted(paint)};${cameras}`, async ({ page }) => {
    const states = () => page.evaluate(() => window.__given.map(({ readyState }) => readyState))
    const other = page.getByRole('button', { name: text('kk', 'scan.other') })
    await other.click()
    await untilTrue(async () => (await states()).length === 2)
    await page.locator('.scanner[data-phase="live"]').waitFor()
    assert.deepEqual(await page.evaluate(() => window.__asked), [null, 'front'])
    assert.deepEqual(await states(), ['ended', 'live'])
    // Many phones give no second camera while the first is held.
    assert.equal(await page.evaluate(() => window.__live), 0)
    // After the last comes the first.
    await other.click()
    await untilTrue(async () => (await states()).length === 3)
    await page.locator('.scanner[data-phase="live"]').waitFor()
    assert.deepEqual(await page.evaluate(() => window.__asked), [null, 'front', 'back'])
    assert.deepEqual(await states(), ['ended', 'ended', 'live'])
  })
  // One camera leaves nothing to choose.
  const alone = `navigator.mediaDevices.enumerateDevices = async () => {
    window.__told = true
    return [{ kind: 'videoinput', deviceId: 'back' }]
  }`
  await stubbed(`${painted(paint)};${alone}`, async ({ page }) => {
    await page.locator('.scanner[data-phase="live"]').waitFor()
    await page.waitForFunction(() => window.__told)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    assert.equal(await page.getByRole('button', { name: text('kk', 'scan.other') }).count(), 0)
  })
})

test('a page around ours that keeps the camera to itself leads to typing, and says so', async () => {
  const src = `${product.web}${inLang(SCANNER, 'kk')}`
  for (const [allow, reason, asked] of [
    ['', 'framed', 0],
    // Where it passes the camera on, the guest is asked, who refuses here.
    ['camera', 'refused', 1],
  ]) {
    partner.shows = `<!doctype html><title>host</title><iframe src="${src}" allow="${allow}"
      width="360" height="700"></iframe><script>
      // A host without a scanner says so at once.
      addEventListener('message', ({ data, source, origin }) =>
        source.postMessage({ type: 'answer', id: data.id, value: 42 }, origin))
      </script>`
    const { page, context } = await openPage(browser, product)
    await page.addInitScript(() => {
      window.__asked = 0
      navigator.mediaDevices.getUserMedia = () => {
        window.__asked += 1
        return Promise.reject(new DOMException('no', 'NotAllowedError'))
      }
    })
    await page.goto(partner.origin)
    const framed = page.frameLocator('iframe')
    await framed.getByRole('button', { name: text('kk', 'scan.start') }).click()
    await framed.getByText(text('kk', `camera.${reason}`)).waitFor()
    await framed.locator('input[name="code"]').waitFor()
    const [, ours] = page.frames()
    const there = new URL(ours.url())
    assert.deepEqual([there.pathname, there.searchParams.get('camera')], [MANUAL, reason])
    assert.equal(await ours.evaluate(() => window.__asked), asked)
    await context.close()
  }
})

test('the search of a fridge has a way to the scanner, that of a restaurant none', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled })
    const ways = page.locator('main a[href$="/barcode-scanner"]')
    const search = async (filial) => {
      await page.goto(inLang(`/filials/${filial}/search`, 'kk'), { waitUntil: 'domcontentloaded' })
      // What it has found stands under the way.
      await page.locator('main input[name="q"]').waitFor()
      await page.locator('main .said').waitFor({ state: 'attached' })
    }
    await search(table.filial_id)
    assert.equal(await ways.count(), 0)
    await search(FRIDGE)
    assert.equal((await ways.innerText()).trim(), text('kk', 'barcode.scan'))
    await ways.click()
    await atUrl(page, (url) => url.pathname === SCANNER)
    await page.locator('.scanner').waitFor()
    await context.close()
  }
})

test('a lookup that gets no answer says so and is asked again on a tap', async () => {
  const codes = [[good.barcode.length === 13 ? 'ean13' : 'ean8', good.barcode]]
  const file = path.join(folder, 'offline.y4m')
  await film(file, codes)
  const own = await launch({ args: [...CAMERA, `--use-file-for-fake-video-capture=${file}`] })
  try {
    const { page, context } = await openPage(own, product)
    await context.grantPermissions(['camera'])
    await page.route(/_data.*barcode-manual/, (route) => route.abort())
    await openHydrated(page, inLang(SCANNER, 'kk'))
    assert.equal((await nextSheet(page)).heading, text('kk', 'barcode.unknown'))
    await page.unroute(/_data.*barcode-manual/)
    await page
      .locator('.scanned')
      .getByRole('button', { name: text('kk', 'app.retry') })
      .click()
    await page.locator('.scanned .dish').waitFor()
    await context.close()
  } finally {
    await own.close()
  }
})

test('the scanner that is reached inside of another document is loaded anew', async () => {
  const { page, context } = await openPage(browser, product)
  await openHydrated(page, inLang(MANUAL, 'kk'))
  const loaded = page.waitForResponse(
    (one) => new URL(one.url()).pathname === SCANNER && one.request().isNavigationRequest(),
  )
  // As the history leads there when its document is gone.
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    history.pushState({}, '', '/faq')
    history.back()
  }, SCANNER)
  assert.match((await loaded).headers()['permissions-policy'], /camera=\(self\)/)
  await page.getByRole('button', { name: text('kk', 'scan.start') }).waitFor()
  await context.close()
})

for (const javaScriptEnabled of [true, false])
  test(`a typed code that is empty or wrong gets its reason and the focus, scripts ${javaScriptEnabled}`, async () => {
    const { page, context } = await openPage(browser, product, { javaScriptEnabled })
    if (javaScriptEnabled) await openHydrated(page, inLang(MANUAL, 'kk'))
    else await page.goto(inLang(MANUAL, 'kk'))
    const find = page.locator('.barcode form button')
    const error = page.locator('.barcode .field .error')
    await find.press('Enter')
    await error.filter({ hasText: text('kk', 'errors.required') }).waitFor()
    await page.locator('input[name="code"]:focus').waitFor()
    await page.locator('input[name="code"]').fill('4870001000012')
    await find.press('Enter')
    await error.filter({ hasText: text('kk', 'barcode.wrong') }).waitFor()
    await page.locator('input[name="code"]:focus').waitFor()
    await context.close()
  })
