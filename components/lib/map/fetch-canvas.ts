/** The code of a map that a guest may ask for again. */

import { here } from '../browser/address.ts'
import { probe } from '../net/connection.ts'
import { reloadOnce } from '../net/reload.ts'

let hasFailed = false

/** Firefox keeps an import that has failed until the document goes: on another try the page is loaded anew, once. */
export async function fetchCanvas(): Promise<typeof import('./canvas.ts')> {
  try {
    return await import('./canvas.ts')
  } catch (error) {
    // A load without a network would be the browser's own error page.
    if (hasFailed) await probe().then(() => reloadOnce(here()))
    hasFailed = true
    throw error
  }
}
