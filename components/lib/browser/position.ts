/** Where the guest is, once they have agreed to tell it. Known on the page that asked for it and nowhere else. */

export type Position = [latitude: number, longitude: number]

/** Why nobody knows where the guest is. */
export type Unknown = 'denied' | 'notFound'

const PATIENCE = 5000

/** Some webviews keep to no timeout. Twice as long, as browsers do not count how long their own question is read. */
const WATCHDOG = 2 * PATIENCE

let known: Position | undefined
let accuracy: number | undefined

/** How exact the last position was, in metres: some phones tell only the quarter (DG-18). */
export function lastAccuracy(): number | undefined {
  return accuracy
}

/** Whether the guest has agreed before, without asking. What nobody can tell is not determined (HB-05). */
export async function permission(): Promise<'granted' | 'denied' | 'notDetermined'> {
  if (!navigator.geolocation) return 'denied'
  try {
    const { state } = await navigator.permissions.query({ name: 'geolocation' })
    return state === 'prompt' ? 'notDetermined' : state
  } catch {
    return 'notDetermined'
  }
}

/** Asks the device: precisely, for five seconds, and for nothing old (HB-06). */
export function locate(): Promise<Position | Unknown> {
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
      ({ coords }) => {
        known = [coords.latitude, coords.longitude]
        accuracy = coords.accuracy
        answer(known)
      },
      ({ code }) => answer(code === 1 ? 'denied' : 'notFound'),
      { enableHighAccuracy: true, timeout: PATIENCE, maximumAge: 0 },
    )
  })
}

/** The position for the request that leads to another page; no later one has it (ZZ-27). */
export function takePosition(): Position | undefined {
  const taken = known
  known = undefined
  return taken
}
