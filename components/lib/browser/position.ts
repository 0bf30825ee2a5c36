/**
 * Where the guest is, once they have agreed to tell it. Known on the page that asked for it and nowhere else. A host app is
 * asked first, then the browser; without both it is the town's centre.
 */

import { host, isHosted } from './host-app.ts'
import { keepPosition, type Position } from './known-position.ts'

/** Why the guest's position is not known. */
export type Unknown = 'denied' | 'notFound'

export type Permission = 'granted' | 'denied' | 'notDetermined'

const TIMEOUT = 5000

/** No browser counts how long its own question is read. */
const READING = TIMEOUT

let accuracy: number | undefined

/** How exact the last position was, in metres: some phones tell only the quarter (DG-18). */
export function lastAccuracy(): number | undefined {
  return accuracy
}

/** Whether the guest has agreed before, without asking. Where that can't be known it is not determined (HB-05). */
export async function permission(): Promise<Permission> {
  return (isHosted() ? await (await host())?.geoPermission() : undefined) ?? browserPermission()
}

async function browserPermission(): Promise<Permission> {
  if (!navigator.geolocation) return 'denied'
  const state = await permissionState()
  return state === undefined || state === 'prompt' ? 'notDetermined' : state
}

/** Undefined: the browser does not tell. */
async function permissionState(): Promise<PermissionState | undefined> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state
  } catch {
    return undefined
  }
}

/** Asks the host app, and the browser where that says nothing. */
export function locate(): Promise<Position | Unknown> {
  return isHosted() ? locateInHost() : locateInBrowser()
}

async function locateInHost(): Promise<Position | Unknown> {
  const found = await (await host())?.position()
  if (found === undefined) return locateInBrowser()
  return found === 'denied' ? found : note(found)
}

/** Asks the device: precisely, for five seconds, and for nothing old (HB-06). */
function locateInBrowser(): Promise<Position | Unknown> {
  return new Promise((resolve) => {
    if (!navigator.geolocation) {
      resolve('denied')
      return
    }
    // Some webviews keep to no timeout.
    let watchdog = setTimeout(resolve, TIMEOUT, 'notFound')
    void permissionState().then((state) => {
      if (state !== 'prompt') return
      clearTimeout(watchdog)
      watchdog = setTimeout(resolve, TIMEOUT + READING, 'notFound')
    })
    const answer = (found: Position | Unknown) => {
      clearTimeout(watchdog)
      resolve(found)
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => answer(note(coords)),
      ({ code }) => answer(code === 1 ? 'denied' : 'notFound'),
      { enableHighAccuracy: true, timeout: TIMEOUT, maximumAge: 0 },
    )
  })
}

function note(found: { latitude: number; longitude: number; accuracy?: number | undefined }): Position {
  const position: Position = [found.latitude, found.longitude]
  keepPosition(position)
  accuracy = found.accuracy
  return position
}
