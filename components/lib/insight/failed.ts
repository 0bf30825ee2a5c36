/** The app could not start: nothing else is there to tell it. Fetched when that has happened. */

import { actions } from '../../paths.ts'
import { whenAllowed } from './allowed.ts'
import { faultOf } from './fault.ts'

export async function failed(error: unknown): Promise<void> {
  await whenAllowed()
  const { build } = document.documentElement.dataset
  const fault = faultOf('start', error)
  if (fault) navigator.sendBeacon?.(actions.events(), JSON.stringify({ faults: [{ ...fault, build }] }))
}
