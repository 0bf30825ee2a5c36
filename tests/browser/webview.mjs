/** Host apps for tests: a webview's object in our page, and a page of a partner that has ours in a frame. */
import { createServer } from 'node:http'
import { openPage, untilTrue } from './harness.mjs'
import { browser, product } from './stage.mjs'

/** The barcode that a good host reads. */
export const CODE = '4870001234560'
/** Where it says that the guest is. */
export const HOST_PLACE = { latitude: 43.24, longitude: 76.95, accuracy: 20 }

/** A page of a partner that has ours in a frame, and notes what it is told; `src` and `width` say which one. */
export async function framing() {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url, 'http://x')
    const [src, width] = [searchParams.get('src') ?? '', searchParams.get('width') ?? 360]
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>host</title><iframe src="${src}" width=${width} height=700></iframe>
<script>window.calls = []; window.says = {}; addEventListener('message', ({ data, source, origin }) => {
  calls.push({ ...data, origin })
  const value = says[data.method]
  if (value !== undefined) source.postMessage({ type: 'answer', id: data.id, value }, origin)
})</script>`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

/** Runs in the page: a webview's object that does with each call what `how` says; `good` answers by method. */
function stub({ how, good }) {
  window.__calls = []
  const say = (data, origin = location.origin) => dispatchEvent(new MessageEvent('message', { data, origin }))
  const answers = {
    good: (id, value) => say({ type: 'answer', id, value }),
    silent() {},
    throws() {
      throw new Error('no such method')
    },
    late: (id, value) => setTimeout(() => say({ type: 'answer', id, value }), 16_000),
    twice(id, value) {
      say({ type: 'answer', id, value })
      say({ type: 'answer', id, value: { outcome: 'success', text: '0000000000000' } })
    },
    wrong: (id) => say({ type: 'answer', id, value: 42 }),
    foreign: (id, value) => say({ type: 'answer', id, value }, 'https://evil.example'),
  }
  window.ReactNativeWebView = {
    postMessage(text) {
      const { id, method, params } = JSON.parse(text)
      window.__calls.push({ method, params, id })
      // What has nothing to answer is done.
      answers[how](id, method in good ? good[method] : true)
    },
  }
  const { geolocation } = navigator
  const real = geolocation.getCurrentPosition.bind(geolocation)
  window.__located = 0
  geolocation.getCurrentPosition = (...asked) => {
    window.__located += 1
    real(...asked)
  }
}

const GOOD = {
  scanBarcode: { outcome: 'success', text: CODE, format: 'ean_13' },
  geoPermission: 'granted',
  cameraPermission: 'notDetermined',
  locationEnabled: true,
  position: HOST_PLACE,
  authorize: { outcome: 'dismissed' },
  pay: { outcome: 'closed' },
}

/** Such a host; `good` are answers of its own. The browser's own position is elsewhere. */
export async function inWebview(how, { good = {}, ...options } = {}) {
  const opened = await openPage(browser, product, {
    permissions: ['geolocation'],
    geolocation: { latitude: 43.2, longitude: 76.9 },
    ...options,
  })
  await opened.page.clock.install()
  await opened.page.addInitScript(stub, { how, good: { ...GOOD, ...good } })
  return opened
}

export const calls = (page, method) =>
  page.evaluate((name) => window.__calls.filter((one) => one.method === name), method)
export const called = (page, method) => untilTrue(async () => (await calls(page, method)).length > 0)
/** The host's word on the last call of a method, as late as the test wants it. */
export const answer = (page, method, value) =>
  page.evaluate(
    ([name, told]) => {
      const { id } = window.__calls.findLast((one) => one.method === name)
      const data = { type: 'answer', id, value: told }
      dispatchEvent(new MessageEvent('message', { data, origin: location.origin }))
    },
    [method, value],
  )
/** Lets the limit pass once the host has been asked. */
export async function overLimit(page, method) {
  await called(page, method)
  await page.clock.fastForward(16_000)
}
/** The host is known, so that what follows asks it. */
export const known = (page) => page.waitForSelector('html[data-hosted]')
