/**
 * The app inside of a host: a partner's webview, or a page that has ours in a frame. A script of its own, fetched only
 * there. Every method of the host has a second way, so nothing here is waited for longer than the bridge's limit (HB-02).
 */

import type { Permission } from '../browser/position.ts'
import { mutationId } from '../mutations/mutation-id.ts'
import type { PageData } from '../page-data.ts'
import { type Bridge, createBridge } from './bridge.ts'
import { type Channel, openChannel } from './channel.ts'
import type { Answer, Params } from './methods.ts'

/** A code that the host has read; `closed`: the guest has put its scanner away. */
type Scanned = { text: string; format: string | undefined } | 'closed'

export type Host = {
  /** What the host says without being asked. */
  hear: Channel['hear']
  call: Bridge['call']
  /** There is a host to be told. */
  isThere: () => boolean
  /** Of a good or, with `text`, of a QR code. */
  scan: (what: 'barcode' | 'text') => Promise<Scanned | undefined>
  geoPermission: () => Promise<Permission | undefined>
  cameraPermission: () => Promise<Permission | undefined>
  position: () => Promise<Answer<'position'> | 'denied'>
  /** Whether it is on the clipboard. */
  copy: (text: string) => Promise<boolean>
  /** An event for the analytics of the host (AN-04). */
  log: (name: string, params?: Params['log']['params']) => void
  /** What pushes are sent to, for who has agreed to them. */
  pushToken: () => Promise<Answer<'pushToken'>>
}

let made: Host | undefined

/** One for the document. */
export function theHost(): Host {
  made ??= createHost(openChannel(hostsOf()))
  return made
}

function createHost(channel: Channel): Host {
  const { call } = createBridge({
    send: channel.send,
    hear: channel.hear,
    newId: mutationId,
    after(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  return {
    hear: channel.hear,
    call,
    isThere: channel.isOpen,
    async scan(what) {
      const read = await call(what === 'text' ? 'scanText' : 'scanBarcode')
      return read?.outcome === 'closed' ? 'closed' : read
    },
    geoPermission: () => call('geoPermission'),
    cameraPermission: () => call('cameraPermission'),
    async position() {
      // All at once: one after another could take three times the limit.
      const [enabled, permission, position] = await Promise.all([
        call('locationEnabled'),
        call('geoPermission'),
        call('position'),
      ])
      return enabled === false || permission === 'denied' ? 'denied' : position
    },
    copy: async (text) => (await call('copy', { text })) === true,
    log: (name, params) => void call('log', params ? { name, params } : { name }),
    pushToken: () => call('pushToken'),
  }
}

/** The origins that the settings name, as the document tells them. */
function hostsOf(): readonly string[] {
  try {
    const data: PageData = JSON.parse(document.getElementById('data')?.textContent ?? '')
    return data.shell.hosts ?? []
  } catch {
    return []
  }
}
