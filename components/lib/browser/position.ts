/**
 * Where the guest is, once they have agreed to tell it. Known on the page that asked for it and nowhere else. A host app is
 * asked first, then the browser; without both it is the town's centre.
 */

import { host, isHosted } from './around.ts'
import { keepPosition, type Position } from './known-position.ts'

/** Why nobody knows where the guest is. */
export type Unknown = 'denied' | 'notFound'

export type Permission = 'granted' | 'denied' | 'notDetermined'

const PATIENCE = 5000

/** Some webviews keep to no timeout. Twice as long, as browsers do not count how long their own question is read. */
const WATCHDOG = 2 * PATIENCE

let accuracy: number | undefined

/** How exact the last position was, in metres: some phones tell only the quarter (DG-18). */
export function lastAccuracy(): number | undefined {
  return accuracy
}

/** Whether the guest has agreed before, without asking. What nobody can tell is not determined (HB-05). */
export async function permission(): Promise<Permission> {
  return (isHosted() ? await (await host())?.geoPermission() : undefined) ?? browserPermission()
}

async function browserPermission(): Promise<Permission> {
  if (!navigator.geolocation) return 'denied'
  try {
    const { state } = await navigator.permissions.query({ name: 'geolocation' })
    return state === 'prompt' ? 'notDetermined' : state
  } catch {
    return 'notDetermined'
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
    const watchdog = setTimeout(resolve, WATCHDOG, 'notFound')
    const answer = (found: Position | Unknown) => {
      clearTimeout(watchdog)
      resolve(found)
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => answer(note(coords)),
      ({ code }) => answer(code === 1 ? 'denied' : 'notFound'),
      { enableHighAccuracy: true, timeout: PATIENCE, maximumAge: 0 },
    )
  })
}

function note(found: { latitude: number; longitude: number; accuracy?: number | undefined }): Position {
  const position: Position = [found.latitude, found.longitude]
  keepPosition(position)
  accuracy = found.accuracy
  return position
}
