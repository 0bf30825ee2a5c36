/** Times without a network, notifications, and what browsers tell (PW-01 to PW-05, PU-03, PU-07, AN-02 to AN-05, HT-11). */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { violations } from './axe.mjs'
import { buy, payInCash, signIn } from './flows.mjs'
import { openFront } from './front.mjs'
import {
  addPlain,
  atRest,
  atUrl,
  LANGS,
  launch,
  open,
  openHydrated,
  openPage,
  pageData,
  plainSpaces,
  startProduct,
  text,
  untilTrue,
} from './harness.mjs'
import { browser, product, setStage, table } from './stage.mjs'

const lang = 'ru'
/** A point of the curve that belongs to no service. */
const KEY = 'BNbxGYNMhEIi9zrneh7mqV4oUanjLUK3m-mYZBc62frMKrEoMk88r3Lk596T0ck9xlT-aok0fO1KXBLV4-XqxYM'
const DAY = 24 * 60 * 60 * 1000
const fronts = []
let off
setStage({
  args: ['--service-worker', 'on', '--push-key', KEY],
  prepare: async () => {
    off = await startProduct({ args: ['--service-worker', 'off'] })
  },
})
after(async () => {
  for (const front of fronts) front.close()
  await off?.stop()
})

/** A guest behind a front that can be cut, in a browser that may have service workers. */
async function guest({ chromium = browser, ...options } = {}) {
  const front = await openFront(product.web)
  fronts.push(front)
  const opened = await openPage(chromium, { web: front.web }, { serviceWorkers: 'allow', ...options })
  return { ...opened, front, qr: front.web + table.qr }
}

/** The record of an order as the release before has stored it. */
const moveToOldAddress = (page) =>
  page.evaluate(async () => {
    const cache = await caches.open('records')
    await cache.put('/.kept/order', await cache.match('/.cached/order'))
    await cache.delete('/.cached/order')
  })

const registered = (page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)

/** All that the browser has cached, by address. */
const cached = (page) =>
  page.evaluate(async () => {
    const all = {}
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        // What the page clears meanwhile is not there any more.
        const found = await cache.match(request)
        if (found) all[new URL(request.url).pathname] = await found.text()
      }
    }
    return all
  })

/** Looks at a menu and orders from it, without a load between the two: then the menu is known, too. */
async function order({ page, qr }) {
  await openHydrated(page, `${qr}&lang=${lang}`)
  await atRest(page)
  await addPlain(page, table.plain[0])
  await page.locator('a[href="/cart"]:not(.skip):visible').last().click()
  await atUrl(page, /\/cart$/)
  await payInCash(page)
  await page.locator('form[action="/orders"] button[type="submit"]').first().click()
  await atUrl(page, /\/filials\/\d+\/order\//)
  await page.locator('.ticket').waitFor()
}

/** One who has signed in, on the page of thanks. */
async function signedIn() {
  const opened = await guest()
  const phone = '+77010007701'
  // Cookies are those of a host, whatever the port; the sign-in page knows the product's own address alone.
  await signIn({ ...opened, web: product.web }, { phone })
  const { id } = await buy(product, phone, 'takeaway')
  await open(opened.page, `/typ/1021/order/${id}?lang=${lang}`)
  return opened
}

async function readied(opened) {
  const { page } = opened
  await order(opened)
  await untilTrue(async () => '/.cached/order' in (await cached(page)))
  await page.evaluate(() => navigator.serviceWorker.ready)
}

test('who just looks gets no worker; after an order files, menu and status are there without a network', async () => {
  const opened = await guest()
  const { page, front, context, requests } = opened
  await openHydrated(page, `/?lang=${lang}`)
  await atRest(page)
  assert.equal(await registered(page), 0)
  await order(opened)
  const number = await page.locator('.ticket').innerText()
  const status = await page.locator('.now [role="status"]').innerText()
  await untilTrue(async () => '/.cached/order' in (await cached(page)))
  await page.evaluate(() => navigator.serviceWorker.ready)
  assert.equal(
    requests.filter((one) => new URL(one.url()).pathname === '/worker.js' && one.isNavigationRequest())
      .length,
    0,
  )

  // From now on the files come from the worker.
  const address = page.url()
  await open(page, address)
  await untilTrue(async () => Object.keys(await cached(page)).some((path) => path.startsWith('/assets/')))
  const all = await cached(page)
  for (const [path, body] of Object.entries(all)) {
    assert.match(path, /^\/(assets\/|\.cached\/(lang|order|menu)$|static\/offline\.css$)/)
    if (path.startsWith('/.cached/'))
      for (const secret of [table.table_id, new URL(address).pathname.split('/').at(-1), 'main_terminal_id'])
        assert.ok(!body.includes(`"${secret}"`), `${path} holds ${secret}`)
    assert.ok(!body.startsWith('<!doctype'), path)
  }

  front.target = null
  for (const path of [address, `${front.web}/filials/${table.filial_id}`, `${front.web}/orders`]) {
    const answer = await open(page, path)
    assert.equal(answer.status(), 503)
    const said = plainSpaces(await page.locator('main').innerText())
    for (const words of [text(lang, 'offline.title'), number, status, text(lang, 'offline.noOrder')])
      assert.ok(said.includes(plainSpaces(words)), `${words}: ${said}`)
    assert.match(said, new RegExp(text(lang, 'offline.saved', { time: '\\d\\d:\\d\\d' })))
    assert.match(said, new RegExp(text(lang, 'offline.asOf', { time: '\\d\\d:\\d\\d' })))
  }
  const button = page.getByRole('button', { name: text(lang, 'offline.orderButton') })
  assert.equal(await button.isDisabled(), true)
  assert.equal(await button.getAttribute('aria-describedby'), 'why')
  await page.locator('summary').click()
  assert.ok((await page.locator('details li .price').count()) > 5)
  assert.equal(await page.locator('form').count(), 0)

  // In each language, light and dark, narrow and wide.
  for (const [at, one] of LANGS.entries()) {
    await page.evaluate(
      async (code) => (await caches.open('records')).put('/.cached/lang', Response.json(code)),
      one,
    )
    const [colorScheme, width] = [at % 2 ? 'dark' : 'light', [320, 360, 1280, 320][at]]
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 740 })
    await open(page, address)
    assert.equal(await page.locator('html').getAttribute('lang'), one)
    assert.equal(await page.locator('h1').innerText(), text(one, 'offline.title'))
    const stroke = await page.locator('svg.scene').evaluate((one) => getComputedStyle(one).stroke)
    assert.notEqual(stroke, 'none', 'the drawing is in the colours of the page')
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    assert.deepEqual(await violations(page), [])
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/${one}-${colorScheme}-${width}.png` })
  }
  // The network is back: the link on the page leads on.
  front.target = product.web
  await page.locator('a.button').click()
  await page.locator('.ticket').waitFor()
  assert.equal(await page.locator('.ticket').innerText(), number)
  await context.close()
})

test('in another language the page about the network speaks it at once, and tells the order in it, too', async () => {
  const opened = await guest()
  const { page, front, context } = opened
  await readied(opened)
  // The worker answers from the next document on.
  await open(page, `${front.web}/faq`)
  await open(page, `${front.web}/faq?lang=kk`)
  assert.equal((await cached(page))['/.cached/lang'], '"kk"')
  await openHydrated(page, `${front.web}/`)
  await untilTrue(async () => JSON.parse((await cached(page))['/.cached/order'] ?? '{}').lang === 'kk')
  const strip = plainSpaces(await page.locator('.strip').innerText())
  await moveToOldAddress(page)
  front.target = null
  await open(page, `${front.web}/orders`)
  const status = page.locator('.status')
  assert.deepEqual([plainSpaces(await status.innerText()), await status.getAttribute('lang')], [strip, 'kk'])
  await context.close()
})

test('without a network the order has the time of the server, whatever the phone says that it is', async () => {
  const opened = await guest()
  const { page, front, context } = opened
  const { shell } = await pageData(product.web, table.qr)
  // The worker's clock is not set wrong with the page's: to it the order is five hours older or newer, of the same day.
  const hours = Number(new Date(Date.now() + shell.utcOffset * 60_000).toISOString().slice(11, 13))
  await page.addInitScript(
    (wrong) => {
      const now = Date.now
      Date.now = () => now() + wrong
    },
    (hours < 12 ? -5 : 5) * 60 * 60 * 1000,
  )
  const times = []
  const clock = (at) => new Date(at + shell.utcOffset * 60_000).toISOString().slice(11, 16)
  const begun = Date.now()
  await readied(opened)
  const address = page.url()
  for (let at = begun; at < Date.now() + 60_000; at += 60_000) times.push(clock(at))
  front.target = null
  // The worker answers from the next document on, once its files are there.
  await open(page, address)
  const words = times.map((time) => text(lang, 'offline.asOf', { time }))
  const said = plainSpaces(await page.locator('main').innerText())
  assert.ok(
    words.some((one) => said.includes(plainSpaces(one))),
    `${words}: ${said}`,
  )
  await context.close()
})

test('a kept menu stands in, with its time, for one that does not come within three seconds', async () => {
  const opened = await guest()
  const { page, front, context } = opened
  await readied(opened)
  await open(page, '/faq')
  const path = `/filials/${table.filial_id}`
  front.held = path
  const answer = await open(page, path)
  assert.equal(answer.status(), 503)
  assert.equal(await page.locator('h1').innerText(), text(lang, 'offline.late'))
  assert.equal(await page.title(), text(lang, 'offline.late'))
  const said = await page.locator('main').innerText()
  for (const words of ['offline.lateText', 'offline.lateNoOrder'])
    assert.ok(plainSpaces(said).includes(plainSpaces(text(lang, words))), said)
  assert.match(said, new RegExp(text(lang, 'offline.saved', { time: '\\d\\d:\\d\\d' })))
  // The button waits for the menu as long as it takes.
  await page.locator('a.button').click()
  await page.locator('.dishes .dish').first().waitFor()
  await context.close()
})

test('a menu of another day is told with its day without a network, and one of more than a week ago is none', async () => {
  const opened = await guest()
  const { page, front, context } = opened
  await readied(opened)
  await open(page, '/faq')
  const ago = (days) =>
    page.evaluate(async (ms) => {
      const cache = await caches.open('records')
      const menu = await (await cache.match('/.cached/menu')).json()
      const older = { ...menu, at: Date.now() - ms, readAt: Date.now() - ms }
      await cache.put('/.cached/menu', Response.json(older))
      return older.utcOffset
    }, days * DAY)
  const offset = await ago(2)
  front.target = null
  await open(page, '/orders')
  const day = new Date(Date.now() - 2 * DAY + offset * 60_000).getUTCDate()
  const date = `${day} \\p{L}+, \\d\\d:\\d\\d`
  assert.match(
    plainSpaces(await page.locator('main').innerText()),
    new RegExp(text(lang, 'offline.savedOn', { date }), 'u'),
  )
  await ago(8)
  await open(page, '/orders')
  assert.equal(await page.locator('#menu').count(), 0)
  assert.equal(await page.locator('#order').count(), 1)
  await context.close()
})

test('a switch takes the worker away with all that was kept, and pages go on as without it', async () => {
  const opened = await guest()
  const { page, front, context } = opened
  await readied(opened)
  front.target = off.web
  // Another upstream's: nothing of the order is there, but any page will do.
  await openHydrated(page, '/faq')
  await page.evaluate(async () => {
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.update()
  })
  await untilTrue(async () => (await registered(page)) === 0)
  await untilTrue(async () => Object.keys(await cached(page)).length === 0)
  await openHydrated(page, '/faq')
  await atRest(page)
  assert.equal(await registered(page), 0)
  await context.close()
})

test('a new worker waits while an order is under way, and takes over when nothing is at stake', async () => {
  const opened = await guest()
  const { page, front, context } = opened
  await readied(opened)
  front.worker = '\n// another build'
  const waiting = () =>
    page.evaluate(async () => {
      const one = await navigator.serviceWorker.getRegistration()
      await one.update()
      return Boolean(one.waiting)
    })
  await openHydrated(page, page.url())
  await untilTrue(waiting)
  await atRest(page)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  assert.equal(await waiting(), true, 'an order is under way')
  const [, id] = /\/order\/([^/?#]+)/.exec(page.url())
  await product.sandboxApi.set('order/status', { order_id: id, status: 'completed' })
  // For some seconds a page has the status that was asked for before.
  await untilTrue(async () => {
    await openHydrated(page, '/faq')
    await atRest(page)
    return !(await waiting())
  })
  await context.close()
})

test('a notification is shown in the guest’s language, its tap opens the order and is told to the server', async (t) => {
  // Without windows it shows none.
  const chromium = await launch({ whole: true })
  t.after(() => chromium.close())
  const opened = await guest({ chromium })
  const { page, context, front } = opened
  await context.grantPermissions(['notifications'], { origin: front.web })
  await readied(opened)
  const path = new URL(page.url()).pathname
  const cdp = await context.newCDPSession(page)
  await cdp.send('ServiceWorker.enable')
  const registrations = []
  cdp.on('ServiceWorker.workerRegistrationUpdated', (event) => registrations.push(...event.registrations))
  await untilTrue(async () => {
    await cdp.send('ServiceWorker.enable')
    return registrations.length > 0
  })
  // What is pushed to a worker that is not active yet is dropped.
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated')
  const push = (data) =>
    cdp.send('ServiceWorker.deliverPushMessage', {
      origin: front.web,
      registrationId: registrations.at(-1).registrationId,
      data,
    })
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready
      return (await worker.getNotifications()).map(({ title, body, lang, data, renotify }) => ({
        title,
        body,
        lang,
        data,
        renotify,
      }))
    })
  await push(
    JSON.stringify({
      id: 'note-1',
      title: { kk: 'Дайын', ru: 'Заказ готов', en: 'Ready', ka: 'მზადაა' },
      body: 'Лагман',
      path,
    }),
  )
  await untilTrue(async () => (await shown()).length === 1)
  assert.deepEqual(await shown(), [
    { title: 'Заказ готов', body: 'Лагман', lang, data: { id: 'note-1', path }, renotify: true },
  ])
  // An unreadable push is shown nevertheless, and none leads to another site.
  await push('nonsense')
  await untilTrue(async () => (await shown()).length === 2)
  assert.ok((await shown()).some(({ title }) => title === text(lang, 'offline.push')))
  await push(JSON.stringify({ id: 'note-2', title: 'x', path: 'https://evil.example/' }))
  await untilTrue(async () => (await shown()).some(({ data }) => data.id === 'note-2'))
  assert.ok((await shown()).every(({ data }) => data.path.startsWith('/') && !data.path.startsWith('//')))

  const [worker] = context.serviceWorkers()
  const told = context.waitForEvent('request', (one) => one.url().endsWith('/session/push/opened'))
  await worker.evaluate(async () => {
    const [notification] = (await self.registration.getNotifications()).filter(
      (one) => one.data.id === 'note-1',
    )
    self.dispatchEvent(new globalThis.NotificationEvent('notificationclick', { notification }))
  })
  const request = await told
  assert.equal(request.method(), 'POST')
  assert.equal(request.postData(), 'id=note-1')
  await untilTrue(async () => !(await shown()).some(({ data }) => data.id === 'note-1'))
  await context.close()
})

test('permission is not requested before a tap; after it the token goes to the server, and what was refused is said', async () => {
  const { page, context, front } = await signedIn()
  await page.addInitScript(() => {
    window.asked = 0
    const token = { endpoint: 'https://push.example/x', keys: { p256dh: 'k', auth: 'a' } }
    let subscription = null
    PushManager.prototype.getSubscription = async () => subscription
    PushManager.prototype.subscribe = async (options) => {
      window.options = options
      subscription = { toJSON: () => token }
      return subscription
    }
    const state = { value: 'default' }
    Object.defineProperty(Notification, 'permission', { get: () => state.value })
    Notification.requestPermission = async () => {
      window.asked += 1
      state.value = window.answer ?? 'granted'
      return state.value
    }
  })
  const button = page.getByRole('button', { name: text(lang, 'thanks.notify') })
  await openHydrated(page, page.url())
  await button.waitFor()
  assert.equal(await page.evaluate(() => window.asked), 0)
  await page.evaluate(() => navigator.serviceWorker.ready)
  const sent = page.waitForRequest((one) => one.url() === `${front.web}/session/push`)
  await button.click()
  const body = new URLSearchParams((await sent).postData())
  assert.equal(JSON.parse(body.get('token')).endpoint, 'https://push.example/x')
  await page.getByText(text(lang, 'thanks.notifyOn')).waitFor()
  assert.equal(await page.evaluate(() => window.options.applicationServerKey), KEY)
  assert.equal(await page.evaluate(() => window.asked), 1)

  await openHydrated(page, page.url())
  await button.waitFor()
  await page.evaluate(() => {
    window.answer = 'denied'
  })
  await button.click()
  await page.getByText(text(lang, 'thanks.notifyDenied')).waitFor()
  assert.equal(await button.count(), 0)
  await context.close()
})

test('notifications are said to be on once the server knows whose they are: not when it could not be told, and again after another sign-in', async () => {
  const opened = await signedIn()
  const { page, context, front } = opened
  // A browser keeps its subscription whoever is signed in.
  await page.addInitScript(() => {
    const own = { toJSON: () => ({ endpoint: 'https://push.example/again' }) }
    PushManager.prototype.getSubscription = async () => (localStorage.getItem('test') ? own : null)
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem('test', 'subscribed')
      return own
    }
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
  })
  const thanks = page.url()
  const button = page.getByRole('button', { name: text(lang, 'thanks.notify') })
  const isOn = page.getByText(text(lang, 'thanks.notifyOn'))
  const registration = () => page.waitForRequest((one) => one.url() === `${front.web}/session/push`)
  await page.route('**/session/push', (route) => route.abort())
  await openHydrated(page, thanks)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await button.click()
  await page.getByText(text(lang, 'thanks.notifyFailed')).waitFor()
  await openHydrated(page, thanks)
  await button.waitFor()
  assert.equal(await isOn.count(), 0)
  await page.unroute('**/session/push')
  // Nor where the upstream has not taken it.
  await product.sandboxApi.set('faults', { path: '/api/v2/push-gateway/token', kind: 'status', status: 500 })
  await openHydrated(page, thanks)
  await button.click()
  await page.getByText(text(lang, 'thanks.notifyFailed')).waitFor()
  assert.equal(await isOn.count(), 0)
  await product.sandboxApi.clear('faults')
  await openHydrated(page, thanks)
  await isOn.waitFor()

  await openHydrated(page, `/profile?lang=${lang}`)
  await page.locator('form[action="/session/sign-out"] button').first().click()
  await atUrl(page, (url) => url.pathname !== '/profile')
  await signIn({ ...opened, web: product.web }, { phone: '+77010007701' })
  // The order under way is the guest's again, and so are its notifications, before they ask for anything.
  const again = registration()
  await openHydrated(page, new URL(thanks).pathname.replace('/typ/', '/filials/'))
  assert.match((await again).postData(), /push\.example/)
  await openHydrated(page, thanks)
  await isOn.waitFor()
  await context.close()
})

test('a worker that could not be registered is registered by the press for notifications, and what fails is said', async () => {
  const { page, context, front } = await signedIn()
  await page.evaluate(async () => {
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister()
  })
  await page.addInitScript(() => {
    const { register } = ServiceWorkerContainer.prototype
    window.blocked = true
    ServiceWorkerContainer.prototype.register = function (...of) {
      return window.blocked ? Promise.reject(new Error('no network')) : register.apply(this, of)
    }
    PushManager.prototype.getSubscription = async () => null
    PushManager.prototype.subscribe = async () => ({
      toJSON: () => ({ endpoint: 'https://push.example/late' }),
    })
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
  })
  const button = page.getByRole('button', { name: text(lang, 'thanks.notify') })
  await openHydrated(page, page.url())
  await button.click()
  await page.getByText(text(lang, 'thanks.notifyFailed')).waitFor()
  assert.equal(await registered(page), 0)
  await page.evaluate(() => {
    window.blocked = false
  })
  const told = page.waitForRequest((one) => one.url() === `${front.web}/session/push`)
  await button.click()
  await told
  await page.getByText(text(lang, 'thanks.notifyOn')).waitFor()
  await context.close()
})

test('a page of the last guest that is still open in another tab keeps nothing of their order after the sign-out', async () => {
  const opened = await guest()
  const { page, context } = opened
  await readied(opened)
  const [device] = (await context.cookies()).filter(({ name }) => name === 'deviceId')
  await context.addCookies([{ ...device, value: '00000000-0000-4000-8000-000000000000' }])
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await untilTrue(async () => !('/.cached/order' in (await cached(page))))
  await context.close()
})

test('a sign-out takes the order from the device at once, before any page is at rest', async () => {
  const opened = await guest()
  const { page, context } = opened
  await readied(opened)
  await openHydrated(page, `/faq?lang=${lang}`)
  await atRest(page)
  assert.ok('/.cached/order' in (await cached(page)))
  await moveToOldAddress(page)
  await page.evaluate(() =>
    fetch('/session/sign-out', {
      method: 'POST',
      body: new URLSearchParams({ back: '/' }),
      redirect: 'manual',
    }),
  )
  await untilTrue(async () => !Object.keys(await cached(page)).some((path) => path.endsWith('/order')))
  await context.close()
})

test('events of a visit leave the page when it hides, in one batch, without anything of the guest', async () => {
  const opened = await guest({ serviceWorkers: 'block' })
  const { page, context, requests, problems } = opened
  await openHydrated(page, `${opened.qr}&lang=${lang}`)
  const sent = () => requests.filter((one) => new URL(one.url()).pathname === '/events')
  assert.deepEqual(sent(), [], 'nothing before the page is at rest')
  await page.waitForFunction(() => localStorage.getItem('analyticsSession') !== null)
  await page.evaluate(() => setTimeout(() => Promise.reject(new Error('of the test')), 0))
  await page.evaluate(() => Promise.resolve())
  // Firefox and Safari on phones tell nothing later than this.
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await untilTrue(() => sent().some((one) => one.postData()?.includes('of the test')))
  const batches = sent().map((one) => JSON.parse(one.postData()))
  const events = batches.flatMap((one) => one.events)
  assert.deepEqual(events.map(({ name }) => name).sort(), ['appOpened', 'menuOpened', 'venueSelected'])
  assert.equal(new Set(batches.map(({ session }) => session)).size, 1)
  const [fault] = batches.flatMap((one) => one.faults)
  assert.equal(fault.kind, 'rejection')
  assert.equal(fault.page, 'menu')
  const whole = JSON.stringify(batches)
  assert.ok(!whole.includes('table_id') && !whole.includes('main_terminal_id'), whole)
  assert.deepEqual(
    problems.filter((one) => !one.includes('of the test')),
    [],
  )
  await context.close()
})

test('where the intake is blocked or switched off nothing is missed', async () => {
  const blocked = await guest({ serviceWorkers: 'block' })
  await blocked.page.route(/\/(events|client-settings)$/, (route) => route.abort())
  await openHydrated(blocked.page, blocked.qr)
  await atRest(blocked.page)
  await addPlain(blocked.page, table.plain[0])
  await blocked.page.locator('a[href="/cart"]:not(.skip):visible').last().click()
  await atUrl(blocked.page, /\/cart$/)
  await blocked.context.close()

  const silent = await startProduct({ args: ['--analytics', 'off'] })
  const { page, context, requests } = await openPage(browser, silent)
  await openHydrated(page, '/')
  await page.waitForResponse((one) => one.url().endsWith('/client-settings'))
  await page.getByRole('combobox').fill('плов')
  await page.getByRole('combobox').press('Enter')
  await atUrl(page, (url) => url.pathname === '/search')
  await openHydrated(page, '/faq')
  const told = requests.filter((one) => new URL(one.url()).pathname === '/events')
  assert.deepEqual(
    told.flatMap((one) => JSON.parse(one.postData()).events),
    [],
  )
  assert.equal(await page.evaluate(() => localStorage.getItem('analyticsSession')), null)
  await context.close()
  await silent.stop()
})
