/**
 * The methods of a host app: what each is told, and what it may answer. Whatever has another shape is no answer (SC-10).
 */

import type { Permission } from '../browser/position.ts'

export type Params = {
  /** Signs in: by OAuth's code flow, or `silent`, which shows the guest nothing and answers a track. */
  authorize:
    | { silent: true }
    | { url: string; clientId: string; redirectUri: string; state: string; codeChallenge: string }
  pay: { url: string }
  /** The text of a QR code, and the barcode of a good: two methods (BC-08). */
  scanText: None
  scanBarcode: None
  geoPermission: None
  cameraPermission: None
  notificationPermission: None
  /** Whether the device tells places at all. */
  locationEnabled: None
  position: None
  /** Whether the app wants the hardware's Back for the page that is shown. */
  backHandler: { on: boolean }
  clearCache: None
  haptic: { kind: 'light' }
  /** An event for the analytics of the host. */
  log: { name: string; params?: Readonly<Record<string, string | number | boolean>> }
  /** Back to the app that has ours in it. */
  close: None
  copy: { text: string }
  /** The guest reads this language. */
  language: { language: string }
  /** Who has signed in; null: no guest has (HB-20). */
  userId: { id: string | null }
  /** What pushes are sent to. */
  pushToken: None
}

type None = undefined

export type Method = keyof Params

const TEXT = 4096

/** What a value is, or undefined if it is nothing that the method answers. */
export const ANSWERS = {
  authorize(value) {
    const { outcome, code, state, trackId } = fields(value)
    if (outcome === 'dismissed' || outcome === 'error') return { outcome }
    if (outcome !== 'success') return
    if (isText(trackId)) return { outcome, trackId }
    return isText(code) && isText(state) ? { outcome, code, state } : undefined
  },
  pay(value) {
    const { outcome } = fields(value)
    return outcome === 'success' || outcome === 'closed' ? outcome : undefined
  },
  scanText: scanned,
  scanBarcode: scanned,
  geoPermission: permission,
  cameraPermission: permission,
  notificationPermission: permission,
  locationEnabled: (value) => (typeof value === 'boolean' ? value : undefined),
  position(value) {
    const { latitude, longitude, accuracy } = fields(value)
    if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return
    return { latitude, longitude, accuracy: isWithin(accuracy, Infinity) ? accuracy : undefined }
  },
  backHandler: done,
  clearCache: done,
  haptic: done,
  log: done,
  close: done,
  copy: done,
  language: done,
  userId: done,
  pushToken(value) {
    const { token, analyticDeviceID } = fields(value)
    if (!isText(token)) return
    return { token, analyticDeviceID: isText(analyticDeviceID) ? analyticDeviceID : undefined }
  },
} satisfies { [M in Method]: (value: unknown) => unknown }

/** What a method answers; undefined: nothing came that counts. */
export type Answer<M extends Method> = ReturnType<(typeof ANSWERS)[M]>

function scanned(value: unknown) {
  const { outcome, text, format } = fields(value)
  if (outcome === 'closed') return { outcome } as const
  if (outcome !== 'success' || !isText(text)) return
  return { outcome, text, format: isText(format) ? format : undefined } as const
}

function permission(value: unknown): Permission | undefined {
  return value === 'granted' || value === 'denied' || value === 'notDetermined' ? value : undefined
}

/** There is nothing to tell but that it was done. */
function done(value: unknown): true | undefined {
  return value === undefined || value === null || value === true ? true : undefined
}

export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= TEXT
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}
