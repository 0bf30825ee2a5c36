/**
 * Readies a browser for times without a network (PW-02 to PW-05). Fetched after an order, or where that was done before:
 * who just looks gets nothing installed, and no first visit is another one than before. Never on a tablet, in a frame or
 * inside of a host app. Everything works without it.
 */

import { isHosted } from '../browser/host-app.ts'
import { readStored } from '../browser/storage.ts'
import { clientSettings } from '../insight/settings.ts'
import type { PageId, PageRest } from '../page/pages.ts'
import type { PageData } from '../page-data.ts'
import { clearCached } from './cached.ts'
import { keepShown } from './records.ts'
import { registerWorker } from './register.ts'

let worker: Promise<ServiceWorkerRegistration | null> | undefined
let hasAsked = false
let shownNow: [shown: PageData, rest: PageRest<PageId>] | undefined

/** A page that is shown, with what it says of itself. */
export async function look(shown: PageData, rest: PageRest<PageId> = {}): Promise<void> {
  if (!shownNow) document.addEventListener('visibilitychange', () => shownNow && look(...shownNow))
  shownNow = [shown, rest]
  worker ??= begin()
  const registration = await worker
  if (!registration) return
  const [{ shell }, { isAtStake, order }] = shownNow
  await keepShown(shownNow[0], order)
  if (shell.activeOrder || order) void notifyAgain()
  // A new one waits until nothing is at stake: no order under way or in the making (PW-05).
  if (registration.waiting && !isAtStake && !shell.activeOrder && !shell.cart)
    registration.waiting.postMessage('takeOver')
}

/** Who has agreed to notifications is told of an order after another sign-in, too. That comes with another document. */
async function notifyAgain(): Promise<void> {
  if (hasAsked || readStored('push') === undefined) return
  hasAsked = true
  await import('../push/push.ts').then(({ pushState }) => pushState()).catch(() => {})
}

/** Registers the worker, or takes it away where it is not wanted any more. */
async function begin(): Promise<ServiceWorkerRegistration | null> {
  if (isHosted()) return null
  const settings = await clientSettings()
  try {
    if (settings?.worker) return await registerWorker()
    const known = await navigator.serviceWorker.getRegistration()
    // Without an answer it stays as it is.
    if (!settings || !known) return settings ? null : (known ?? null)
    await known.unregister()
    await clearCached('all')
  } catch {
    // Blocked, or no place for it.
  }
  return null
}
