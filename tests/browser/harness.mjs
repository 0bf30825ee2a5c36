/**
 * What every browser test stands on: the product started anew with a state of its own, Chromium, and the watch
 * over everything that must never happen on a page (console errors, policy violations, foreign requests).
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
export const PHONE = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 800 }
export const LANGS = ['kk', 'ru', 'en', 'ka']
/** How long a test waits for what has to come; a busy machine needs many times what a quiet one does. */
export const PATIENCE = 60_000

const BINARY = process.env.DASTARKHAN_BINARY ?? path.join(root, 'target/release/dastarkhan')
export const CHROMIUM_FLAGS = [
  '--disable-gpu',
  // Each page is seen once: what the engine would make faster for later takes time that the next one needs.
  '--js-flags=--single-threaded --no-opt --no-maglev',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-features=OptimizationHints,MediaRouter,Translate,SpareRendererForSitePerProcess',
]

/** Tests say themselves how far an order is: one that moves by itself is further on a slow machine. */
const STILL = { SANDBOX_SPEED: '0.001' }

/** Everything has to work without a service worker (PW-02): `worker.test.mjs` alone switches it on. */
const WITHOUT_WORKER = { SERVICE_WORKER: 'off' }

/** All guests of a test come from one address. */
const ROOM = Object.fromEntries(
  ['MUTATIONS_PER_MINUTE', 'ORDERS_PER_MINUTE', 'SESSIONS_PER_MINUTE', 'LOOKUPS_PER_MINUTE', 'STREAMS'].map(
    (name) => [`ADDRESS_${name}`, '100000'],
  ),
)

/**
 * Starts `dastarkhan demo` on free ports, or `at` others, with an empty state folder. Renders may take their time here: on a machine
 * that also runs browsers, an isolate's thread can wait for a core for longer than a guest should.
 */
export async function startProduct({ args = [], env = {}, stateDir, at = {} } = {}) {
  const state = stateDir ?? (await mkdtemp(path.join(tmpdir(), 'dastarkhan-')))
  if (!stateDir) await shareImages(state)
  const any = '127.0.0.1:0'
  const { web = any, sandbox = any } = at
  const child = spawn(
    BINARY,
    [
      'demo',
      '--listen',
      web,
      '--sandbox-listen',
      sandbox,
      '--admin-listen',
      any,
      '--state-dir',
      state,
      ...args,
    ],
    {
      cwd: state,
      env: {
        ...process.env,
        ...ROOM,
        ...STILL,
        ...WITHOUT_WORKER,
        RENDER_WAIT_MS: '10000',
        RENDER_LIMIT_MS: '5000',
        WARM_ISOLATES: 'off',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const output = []
  const exited = new Promise((resolve) => child.once('exit', resolve))
  process.once('exit', () => child.kill('SIGKILL'))
  const addresses = await boundAddresses(child, output, exited)
  const product = {
    ...addresses,
    pid: child.pid,
    stateDir: state,
    output,
    /** Lines of JSON that the product logged. */
    logs: () => output.flatMap((line) => parsed(line) ?? []),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      const code = await exited
      clearTimeout(late)
      if (!stateDir) await rm(state, { recursive: true, force: true })
      return code
    },
  }
  await untilTrue(() => answers(`${product.web}/livez`).then((ok) => ok || answers(`${product.admin}/livez`)))
  return { ...product, sandboxApi: sandboxApi(product), product }
}

/** Starts `dastarkhan serve` in front of another upstream; on one `core` alone, where one is named. */
export async function startServe(upstream, state, env = {}, core = null) {
  const any = '127.0.0.1:0'
  const args = ['serve', '--listen', any, '--admin-listen', any, '--state-dir', state]
  const command = [
    ...(core === null ? [] : ['taskset', '-c', core]),
    BINARY,
    ...args,
    '--upstream-url',
    upstream,
  ]
  const child = spawn(command[0], command.slice(1), {
    env: { ...process.env, RENDER_WAIT_MS: '10000', RENDER_LIMIT_MS: '5000', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  const address = (name) => new RegExp(`listening ${name} (http\\S+)`).exec(said)?.[1]
  await untilTrue(() => address('web') && address('admin'))
  return { child, web: address('web'), admin: address('admin') }
}

async function boundAddresses(child, output, exited) {
  const found = {}
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no addresses:\n${output.join('\n')}`)), PATIENCE)
    child.once('error', reject)
    exited.then((code) => reject(new Error(`the product ended with ${code}:\n${output.join('\n')}`)))
    let rest = ''
    const read = (chunk) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        output.push(line)
        const match = /^(?:listening (web|sandbox|admin)|(table)) (http:\/\/\S+)$/.exec(line.trim())
        if (match) found[match[1] ?? match[2]] = match[3]
      }
      if (found.web && found.sandbox && found.admin) {
        clearTimeout(timer)
        resolve(found)
      }
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', (chunk) => output.push(...chunk.trimEnd().split('\n')))
  })
}

/** Sandboxes that share their pictures have them resized once, too. */
async function shareImages(state) {
  const { SANDBOX_PICTURES_DIR: pictures } = process.env
  if (!pictures) return
  const resized = `${pictures}-resized`
  await mkdir(resized, { recursive: true })
  await symlink(resized, path.join(state, 'images'))
}

function parsed(line) {
  try {
    return [JSON.parse(line)]
  } catch {
    return null
  }
}

async function answers(url) {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

/** Asks again until `check` is true. */
export async function untilTrue(check, timeout = PATIENCE, what = String(check)) {
  const end = Date.now() + timeout
  for (;;) {
    if (await check()) return
    if (Date.now() > end) throw new Error(`still not so after ${timeout} ms: ${what}`)
    await pause(50)
  }
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The sandbox's controls and its own calls, as people use them on `/_sandbox`. */
function sandboxApi({ sandbox }) {
  const ask = async (method, name, body) => {
    const answer = await fetch(`${sandbox}/_sandbox/api/${name}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} /_sandbox/api/${name}: ${answer.status} ${text}`)
    return text ? JSON.parse(text) : null
  }
  return {
    set: (name, body) => ask('POST', name, body),
    get: (name) => ask('GET', name),
    clear: (name) => ask('DELETE', name),
    tables: () => ask('GET', 'tables'),
    orders: () => ask('GET', 'orders'),
    log: async () => (await fetch(`${sandbox}/_sandbox/log`)).json(),
    async upstream(address) {
      const answer = await fetch(`${sandbox}${address}`, { headers: { 'X-Language': 'kk' } })
      return answer.json()
    },
  }
}

/** The path of a table's QR link; the loopback address does not tell the country as a real host name does. */
export function qrPath(table) {
  const query = new URLSearchParams({
    filial_id: table.filial_id,
    table_id: table.table_id,
    main_terminal_id: table.main_terminal_id,
  })
  if (table.country !== 'kz') query.set('country', table.country)
  return `/filials/${table.filial_id}?${query}`
}

export function inLang(address, lang) {
  const url = new URL(address, 'http://x')
  url.searchParams.set('lang', lang)
  if (lang === 'ka') url.searchParams.set('country', 'ge')
  return url.pathname + url.search
}

/** Page data as `/_data` answers it to a visitor who has done nothing. */
export async function pageData(web, address) {
  const answer = await fetch(`${web}/_data${address}`, { headers: { accept: 'application/json' } })
  return answer.json()
}

/**
 * A table of a venue that is open now, around the clock if there is such a one, so that it is the same at each hour.
 * It has what most tests need: plain products in stock, and `withGroup`, one whose choices can be made wrong: `group`
 * needs a choice that is not made yet, or can be chosen too much of. The sandbox's Georgian venues have no such dish:
 * there `wrong` is null.
 */
export async function findTable({ web, sandboxApi }, { country = 'kz', minProducts = 6 } = {}) {
  const lang = country === 'ge' ? 'ka' : 'kk'
  const reasons = []
  const tables = (await sandboxApi.tables()).filter((one) => one.country === country)
  const venues = []
  for (const table of new Map(tables.map((one) => [one.filial_id, one])).values()) {
    const { page } = await pageData(web, inLang(qrPath(table), lang))
    if (page?.route === 'menu' && page.data.venue.open.open) venues.push({ table, page })
    else reasons.push(`${table.filial_id}: ${page?.route}, open: ${page?.data.venue?.open.open}`)
  }
  const isAlways = ({ page }) => Number(page.data.venue.open.always)
  venues.sort((one, other) => isAlways(other) - isAlways(one))
  for (const wrong of country === 'ge' ? [tooFew, tooMany, anyGroup] : [tooFew]) {
    for (const { table, page } of venues) {
      const products = uniqueById(page.data.categories.flatMap((one) => one.products)).filter(
        (one) => !one.out,
      )
      const plain = products.filter((one) => !one.options)
      const withGroup = await firstWrongable(web, table, products, lang, wrong)
      if (plain.length >= minProducts && withGroup) {
        return { ...table, lang, qr: qrPath(table), data: page.data, plain, withGroup }
      }
      reasons.push(`${table.filial_id}: ${plain.length} plain, wrong choice: ${Boolean(withGroup)}`)
    }
  }
  throw new Error(`no open table with plain and configured products:\n${reasons.join('\n')}`)
}

/** The menu lists a dish in several categories: popular ones come twice. */
const uniqueById = (products) => [...new Map(products.map((one) => [one.id, one])).values()]

const tooFew = (sheet) =>
  sheet.groups.find((one) => one.min > 0 && !one.options.some((option) => sheet.selected[option.id]))

const tooMany = (sheet) =>
  sheet.groups.find((one) => one.max > 1 && one.options.filter(({ out }) => !out).length > one.max)

const anyGroup = (sheet) => sheet.groups[0]
const ERRORS = new Map([
  [tooFew, 'min'],
  [tooMany, 'max'],
])

async function firstWrongable(web, table, products, lang, wrong) {
  for (const product of products.filter((one) => one.options).slice(0, 12)) {
    const { page } = await pageData(web, inLang(`/filials/${table.filial_id}?item=${product.id}`, lang))
    const { dish: sheet } = page.data
    const group = sheet && wrong(sheet)
    if (group) return { ...product, sheet, group, wrong: ERRORS.get(wrong) ?? null }
  }
  return null
}

/** Chromium without windows, as Debian ships it: the whole one opens a window with an interface for each context. */
export const CHROMIUM_SHELL =
  process.env.CHROMIUM_SHELL ?? process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'

/** Chromium without a connection of its own; the `whole` one for what that without windows cannot do. */
export async function launch({ whole = false, ...options } = {}) {
  return chromium.launch({
    ...options,
    executablePath: whole ? (process.env.CHROMIUM ?? '/usr/bin/chromium') : CHROMIUM_SHELL,
    headless: true,
    chromiumSandbox: false,
    args: [...CHROMIUM_FLAGS, ...(options.args ?? [])],
  })
}

/**
 * A page in a context of its own, watched: `problems` collects console errors and warnings, uncaught errors,
 * policy violations and requests to foreign hosts; `requests` all requests.
 */
export async function openPage(browser, { web }, options = {}) {
  const context = await browser.newContext({
    baseURL: web,
    viewport: PHONE,
    // It reads what pages speak at first: a browser of another language is offered that.
    locale: 'kk-KZ',
    serviceWorkers: 'block',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE)
  const close = context.close.bind(context)
  // Playwright waits without end for requests that were held for a route as their page went away.
  context.close = async () => {
    await Promise.all(context.pages().map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })))
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await close()
  }
  const page = await context.newPage()
  return { context, page, web, ...watch(page, web) }
}

/** Watches a page that is there already. */
export function watch(page, web) {
  const problems = []
  const requests = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      problems.push(`console.${message.type()}: ${message.text()} (${message.location().url})`)
    }
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    requests.push(request)
    if (!request.url().startsWith(web) && !/^(data|blob|about):/.test(request.url())) {
      problems.push(`foreign request: ${request.url()}`)
    }
  })
  page.on('response', (response) => {
    const asked = response.request()
    const main = asked.isNavigationRequest() && asked.frame() === page.mainFrame()
    if (response.status() >= 400 && !main) problems.push(`${response.status()} ${response.url()}`)
  })
  return { problems, requests }
}

/** Without the browser's own line about the status of a document that is meant to have it. */
export function unexpected(problems, { status, problem } = {}) {
  return problems.filter((one) => !(status && one.includes(`status of ${status}`)) && !problem?.test(one))
}

/** Waits until a page has fetched what it does only at rest. */
export async function atRest(page) {
  await begun(page, 'at-rest-')
}

/** Waits until a script that comes after the app has begun: what it listens for it hears from then on. */
export async function begun(page, name) {
  const url = await page.waitForFunction(
    (part) =>
      performance
        .getEntriesByType('resource')
        .find(
          (one) => one.name.includes(`/assets/${part}`) && one.name.endsWith('.js') && one.responseEnd > 0,
        )?.name,
    name,
  )
  // After the app's own import of it, which goes on once the script has run.
  await page.evaluate((script) => import(script), await url.jsonValue())
}

/** A webview's object: what tells our page that it is in a host app. */
export const inWebview = (page) =>
  page.addInitScript(() => {
    window.ReactNativeWebView = { postMessage() {} }
  })
/** Waits until a page in a host app hears what the app says. */
export const listensToHost = (page) => page.waitForSelector('html[data-hosted]')

/** Waits until React has taken over every control of the page. */
export async function hydrated(page) {
  await page.waitForFunction(() => {
    const app = document.getElementById('app')
    const controls = [...(app?.querySelectorAll('button, form, a[href^="/"]') ?? [])]
    const owned = (element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'))
    return (
      // Takes it over in pieces: the last thing that it does is to take the early taps.
      !window._early &&
      controls.length > 0 &&
      controls.every((element) => owned(element) || element.closest('[data-static]'))
    )
  })
}

/** Goes to an address and waits for the document; photos may still be on their way. */
export const open = (page, address) => page.goto(address, { waitUntil: 'domcontentloaded' })

/** Waits until the address is such; photos of the page before may still be on their way. */
export const atUrl = (page, address) => page.waitForURL(address, { waitUntil: 'commit' })

export async function openHydrated(page, address) {
  const answer = await open(page, address)
  await hydrated(page)
  return answer
}

/** The data that the document carries. */
export async function dataOf(page) {
  await page.waitForLoadState('domcontentloaded')
  return JSON.parse(await page.locator('script#data').textContent())
}

/** The server's word on the visitor's cart, asked by the open page. */
export const cartOf = (page) =>
  page.evaluate(async () => {
    const answer = await fetch('/_data/cart', { headers: { accept: 'application/json' } })
    return (await answer.json()).shell.cart
  })

const { catalogues } = compileTexts(readTexts(path.join(root, 'components')).texts)
const { formatMessage } = await importSource('components/lib/text/message.ts')

/** A text of the catalogues as the product writes it, for finding things as a guest does. */
export function text(lang, key, values = {}) {
  const message = catalogues[lang][key]
  assert.ok(message !== undefined, `no text ${key} in ${lang}`)
  return formatMessage(message, values, lang)
}

/** Imports a TypeScript module of the product. */
export async function importSource(file) {
  const bundled = await build({
    entryPoints: [path.join(root, file)],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    logLevel: 'silent',
  })
  return import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString('base64')}`)
}

/** Lets all white space count as one space: no-break spaces and line breaks are not what a test is about. */
export const plainSpaces = (value) => value.replace(/\s+/g, ' ').trim()

/** Adds one piece of a plain product from the menu. */
export const addPlain = (page, product) =>
  page.locator(`form:has(input[name="product"][value="${product.id}"]) button[value="1"]`).first().click()

/** A cart with plain products, made by plain posts after the table's QR link was opened. */
export async function fillCart({ page }, table, products, count = 1) {
  await open(page, table.qr)
  for (const product of products) {
    const body = { filial: table.filial_id, product: product.id, delta: count, back: '/cart' }
    const [status, refusal] = await page.evaluate(
      (fields) =>
        fetch('/cart/lines', {
          method: 'POST',
          headers: { accept: 'application/json' },
          body: new URLSearchParams(fields),
        }).then(async (answer) => [answer.status, answer.ok ? '' : await answer.text()]),
      body,
    )
    assert.equal(status, 200, `adding ${product.name}: ${refusal.slice(0, 300)}`)
  }
}

/** Holds back the scripts until `release` is called. */
export async function holdScripts(page) {
  let release
  const free = new Promise((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await free
    await route.continue().catch(() => {})
  })
  return release
}

/** Keeps a toast that goes by itself: a slow machine gets to it too late. */
export async function keepToast(toast) {
  await toast.waitFor({ state: 'attached' })
  await toast.evaluate((one) => {
    for (const animation of one.getAnimations()) animation.cancel()
  })
}

/** Puts off what the pages to come would do after these milliseconds: a slow machine must not reach it. */
export const putOff = (page, waits) =>
  page.addInitScript((late) => {
    const real = window.setTimeout
    window.setTimeout = (run, wait, ...rest) => real(run, late.includes(wait) ? 600_000 : wait, ...rest)
  }, waits)
