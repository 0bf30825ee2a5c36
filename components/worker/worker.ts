/**
 * The service worker (PW-02 to PW-05): a bonus that nothing depends on. Files with a hash in their name come from here,
 * a page without a network is the one about that, and notifications are shown. It keeps no page.
 */

import { texts } from 'build:worker-texts'
import { clearCached, FILES, readFresh, writeCached } from '../lib/offline/cached.ts'
import type { Lang } from '../lib/page-data.ts'
import { offlinePage } from './offline-page.ts'
import { opened, shown } from './push.ts'
import { type Fetches, scope } from './scope.ts'

/** How many files are kept: those of some builds. */
const MOST = 150
/** How long a menu may take before the kept one is shown, milliseconds. */
const TIMEOUT = 3000

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => {
  event.waitUntil(scope.registration.navigationPreload?.enable() ?? Promise.resolve())
})
// A page that is at rest, without an order under way, lets the new one in (PW-05).
scope.addEventListener('message', ({ data }) => {
  if (data === 'takeOver') void scope.skipWaiting()
})
scope.addEventListener('push', (event) => event.waitUntil(shown(event)))
scope.addEventListener('notificationclick', (event) => event.waitUntil(opened(event)))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  // At once: the next guest of this device may be without a network before a page comes to rest (S-16).
  if (pathname.endsWith('/session/sign-out')) event.waitUntil(clearCached('order'))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(navigate(event))
  else if (pathname.startsWith('/assets/') || pathname === STYLE) event.respondWith(file(request))
})

const STYLE = '/static/offline.css'

async function install(): Promise<void> {
  const cache = await caches.open(FILES)
  await cache.add(STYLE)
}

/** The page, as it comes; without a network, what is known without one. */
async function navigate(event: Fetches): Promise<Response> {
  const { request } = event
  const page = (async () => (await event.preloadResponse) ?? (await fetch(request)))()
  // The page would say it some seconds later.
  const lang = new URL(request.url).searchParams.get('lang') ?? ''
  if (Object.hasOwn(texts, lang)) await writeCached('lang', lang as Lang)
  const menu = await menuOf(request)
  try {
    if (!menu) return await page
    const late = new Promise<null>((resolve) => setTimeout(resolve, TIMEOUT, null))
    const soon = await Promise.race([page, late])
    if (soon) return soon
    // The page has given up waiting.
    page.catch(() => {})
    return offlinePage(request.url, { late: true })
  } catch {
    return offlinePage(request.url, { late: false })
  }
}

/** The kept menu, if this is an address of it that binds no table and was not asked for once more. */
async function menuOf({ url, cache }: Request) {
  const { pathname, searchParams } = new URL(url)
  const wanted = /^\/filials\/(\d+)$/.exec(pathname)?.[1]
  if (!wanted || cache !== 'default' || searchParams.has('table_id') || searchParams.has('again')) return null
  const menu = await readFresh('menu')
  return menu?.id === Number(wanted) ? menu : null
}

/** Named by its content, so what is here is right. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(FILES)
  const known = await cache.match(request)
  if (known) return known
  const answer = await fetch(request)
  if (answer.status === 200) await put(cache, request, answer.clone())
  return answer
}

async function put(cache: Cache, request: Request, answer: Response): Promise<void> {
  try {
    await cache.put(request, answer)
    const all = await cache.keys()
    // The oldest first, but never the style of the page about the network.
    const old = all.filter(({ url }) => !url.endsWith(STYLE)).slice(0, Math.max(0, all.length - MOST))
    await Promise.all(old.map((one) => cache.delete(one)))
  } catch {
    // A full disk: it comes from the network again.
  }
}
