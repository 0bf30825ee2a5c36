/** The app itself failed. Fetched when that has happened. */

import { actions } from '../../paths.ts'
import { whenAllowed } from './allowed.ts'
import { faultOf } from './fault.ts'

export async function failed(kind: 'hydration' | 'start', error: unknown): Promise<void> {
  // What was rendered anew goes on, and tells it with all else. Without a start nothing else is there to tell it.
  if (kind === 'hydration') return (await import('../browser/background.ts')).noteFault(kind, error)
  await whenAllowed()
  const { build } = document.documentElement.dataset
  const fault = faultOf(kind, error)
  if (fault) navigator.sendBeacon?.(actions.events(), JSON.stringify({ faults: [{ ...fault, build }] }))
}
