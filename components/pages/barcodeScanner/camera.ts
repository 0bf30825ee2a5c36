/** The camera: how it is asked for, why it does not come, what it can do (BC-07, HB-05, HB-19). */

import { host, isHosted } from '../../lib/browser/host-app.ts'
import type { CameraTrouble } from '../../lib/page-data.ts'

/** How long a browser or webview may take to answer, milliseconds. */
const TIMEOUT = 15_000

/** More than the types of the browser know of a camera. */
type Abilities = MediaTrackCapabilities & { torch?: boolean; zoom?: { min: number; max: number } }
type Wishes = MediaTrackConstraintSet & { torch?: boolean; zoom?: number }

/** Whether the guest has agreed before, without asking. Where that can't be known it is not determined (HB-05). */
export async function cameraPermission(): Promise<'granted' | 'denied' | 'notDetermined'> {
  const permission = isHosted() ? await (await host())?.cameraPermission() : undefined
  if (permission) return permission
  try {
    // Not every browser knows the name.
    const { state } = await navigator.permissions.query({ name: 'camera' as PermissionName })
    return state === 'prompt' ? 'notDetermined' : state
  } catch {
    return 'notDetermined'
  }
}

/** The page around ours has not passed the camera on. */
export function isFramedOff(): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature: (name: string) => boolean } }
  return window !== window.top && featurePolicy?.allowsFeature('camera') === false
}

/** The camera at the back, or the one that is named. */
export async function openCamera(deviceId: string | null): Promise<MediaStream | CameraTrouble> {
  // Pages without TLS have no cameras at all.
  if (!navigator.mediaDevices?.getUserMedia) return 'missing'
  if (isFramedOff()) return 'framed'
  const which = deviceId ? { deviceId: { exact: deviceId } } : { facingMode: { ideal: 'environment' } }
  const request = navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { ...which, width: { ideal: 1280 }, height: { ideal: 720 } },
  })
  return new Promise((resolve) => {
    let late = false
    const watchdog = setTimeout(() => {
      late = true
      resolve('silent')
    }, TIMEOUT)
    request.then(
      (stream) => {
        clearTimeout(watchdog)
        // The page has given up waiting.
        if (late) release(stream)
        else resolve(stream)
      },
      (error: unknown) => {
        clearTimeout(watchdog)
        resolve(troubleOf(error))
      },
    )
  })
}

export function release(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

/** Older browsers have other names for the same. */
export function troubleOf(error: unknown): CameraTrouble {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
    case 'SecurityError':
      return isFramedOff() ? 'framed' : 'refused'
    case 'NotFoundError':
    case 'DevicesNotFoundError':
    case 'OverconstrainedError':
      return 'missing'
    case 'NotReadableError':
    case 'TrackStartError':
    case 'AbortError':
      return 'busy'
    default:
      return 'silent'
  }
}

/** What the camera has beside a picture. */
export function abilitiesOf(track: MediaStreamTrack): { torch: boolean; zoom: number | null } {
  const { torch, zoom } = (track.getCapabilities?.() ?? {}) as Abilities
  const closer = zoom ? Math.min(Math.max(1.5, zoom.min), zoom.max) : 1
  return { torch: torch === true, zoom: closer > 1 ? closer : null }
}

/** A camera that does not do it goes on as it was. */
export async function wish(track: MediaStreamTrack, wishes: Wishes): Promise<boolean> {
  try {
    await track.applyConstraints({ advanced: [wishes] })
    return true
  } catch {
    return false
  }
}

/** Whether the device surely has no camera: browsers tell that there is one before they say which. */
export async function hasNoCamera(): Promise<boolean> {
  if (!navigator.mediaDevices) return true
  try {
    const devices = await navigator.mediaDevices.enumerateDevices()
    return devices.every(({ kind }) => kind !== 'videoinput')
  } catch {
    return false
  }
}

/** The cameras of the device, by their ids; the browser names them once the guest has agreed. */
export async function camerasOf(): Promise<string[]> {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices()
    return devices.flatMap(({ kind, deviceId }) => (kind === 'videoinput' && deviceId ? [deviceId] : []))
  } catch {
    return []
  }
}
