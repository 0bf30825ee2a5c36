/** What a host does for the app beside showing it: takes events, brings the token of its pushes, has caches cleared. */

import { allowInsight } from '../insight/allowed.ts'
import { clearCached } from '../offline/cached.ts'
import type { PageData } from '../page-data.ts'
import { registerPush } from '../push/push.ts'
import type { Navigation } from '../router/navigation.ts'
import type { Host } from './begin.ts'
import { ANSWERS, type Answer, type Params } from './methods.ts'

type Shown = { readonly current: PageData }

/** Events go to the analytics of the host, by the names that the server has for them (AN-04). */
export function logEvents(host: Host, shown: Shown, navigation: Navigation): void {
  const look = () => {
    // A partner's app asks its guest first (HB-14); of a page that has ours in a frame nothing is asked.
    if (shown.current.shell.host?.agreed === false) return
    allowInsight(host.isThere() ? ({ name, ...params }) => host.log(named(name), details(params)) : null)
  }
  look()
  navigation.subscribe(look)
}

/** `menuOpened` is `menu_opened`. */
function named(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function details(params: Record<string, unknown>): Params['log']['params'] {
  const plain = Object.entries(params).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  )
  return plain.length > 0 ? (Object.fromEntries(plain) as Params['log']['params']) : undefined
}

/**
 * Where the guest has signed in, the server learns by which token the host's device is told things (PU-05, PU-06). Some
 * hosts are asked for it, others say it themselves, again when it changes. Whether it may be used is between them and the
 * guest (PU-07).
 */
export function registerDevice(host: Host, shown: Shown, navigation: Navigation): void {
  type Device = NonNullable<Answer<'pushToken'>>
  let device: Device | undefined
  /** Of whom the device is, and by which token. */
  let registered: string | undefined
  let asked = false

  const user = () => shown.current.shell.host?.user ?? undefined
  const look = async () => {
    const own = user()
    if (own === undefined || !host.isThere()) return
    if (!device && !asked) {
      asked = true
      const permission = await host.call('notificationPermission')
      if (permission !== 'denied' && permission !== 'notDetermined') device ??= await host.pushToken()
    }
    const name = `${own} ${device?.token}`
    // The guest may have signed out while the host was asked.
    if (!device || registered === name || user() !== own) return
    registered = name
    // Nothing waits for it: the server's log says why it failed (PU-04).
    await registerPush(device.token, device.analyticDeviceID).catch(() => {})
  }
  host.hear((message) => {
    const pushed = message.type === 'pushToken' ? ANSWERS.pushToken(message) : undefined
    if (!pushed) return
    device = pushed
    void look()
  })
  void look()
  navigation.subscribe(() => void look())
}

/** "Clear cache" in the host: what is shown is made anew. The session keeps the way to an open order (ST-14). */
export function clearCaches(host: Host, navigation: Navigation): void {
  host.hear(({ type }) => {
    if (type === 'clearCache') void clearCached('all').then(() => navigation.revalidate())
  })
}
