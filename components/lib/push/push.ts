/**
 * Notifications in browsers (PU-01, PU-06, PU-07). The browser asks only after a tap on a button that guests get who have
 * ordered. Host apps have tokens of their own, which their bridge registers at the same address.
 */

import { actions } from '../../paths.ts'
import { isHosted } from '../browser/host-app.ts'
import { dropStored, readCookie, readStored, writeStored } from '../browser/storage.ts'
import { clientSettings } from '../insight/settings.ts'
import { registerWorker } from '../offline/register.ts'

/** How long the worker may take to be ready, milliseconds. */
const TIMEOUT = 15_000

/** `none`: they are not offered here. */
export type PushState = 'none' | 'askable' | 'denied' | 'on'

export async function pushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'none'
  const settings = await clientSettings()
  if (!settings?.push || !settings.worker || isHosted()) return 'none'
  if (Notification.permission === 'denied') return 'denied'
  const worker = await navigator.serviceWorker.getRegistration()
  const known = await worker?.pushManager.getSubscription()
  if (!known || Notification.permission !== 'granted') return 'askable'
  return register(known).catch(() => 'askable' as const)
}

/** After a tap: asks, subscribes and tells the server. */
export async function turnOn(): Promise<PushState> {
  const settings = await clientSettings()
  if (!settings?.push) return 'none'
  if ((await Notification.requestPermission()) !== 'granted') return pushState()
  // What could not be registered when the page began may be by now; else it would never be ready.
  await registerWorker()
  const worker = await Promise.race([navigator.serviceWorker.ready, late()])
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: settings.push,
  })
  dropStored('push')
  return register(subscription)
}

const late = () =>
  new Promise<never>((_, fail) => setTimeout(fail, TIMEOUT, new Error('the worker is not ready')))

/** A sign-out has detached the subscription from its guest, and made this another device: it is told once for each. */
async function register(subscription: PushSubscription): Promise<'on'> {
  const device = readCookie('deviceId') ?? ''
  if (readStored('push') !== device) {
    await registerPush(JSON.stringify(subscription))
    writeStored('push', device)
  }
  return 'on'
}

/**
 * Tells the server by which token this device is told things, and what it is called in analytics: for the bridge of a host
 * too (PU-06).
 */
export async function registerPush(token: string, device = readCookie('deviceId')): Promise<void> {
  const answer = await fetch(actions.registerPush(), {
    method: 'POST',
    body: new URLSearchParams({ token, analyticDeviceID: device ?? '' }),
    headers: { accept: 'application/json' },
  })
  if (!answer.ok) throw new Error(`the token was answered with ${answer.status}`)
}
