/** How far the venue is, where the guest has agreed to tell where that is. */

import { takePosition } from '../../lib/browser/known-position.ts'
import { locate, permission } from '../../lib/browser/position.ts'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import { paths } from '../../paths.ts'

/** Metres to the venue of the cart; null when it is near, accepted or not known (ZZ-17). */
export async function askFar(): Promise<number | null> {
  if ((await permission()) !== 'granted') return null
  const near = await locate()
  // No other request has it.
  takePosition()
  if (typeof near === 'string') return null
  const answer = await fetchPage(paths.cart(), { near })
  return answer.kind === 'page' && answer.data.page.route === 'cart' ? answer.data.page.data.far : null
}
