/** What the server says that browsers shall do beside the app. Asked once for a page, at rest. */

import { files } from '../../paths.ts'
import type { ClientSettings } from '../page-data.ts'

let asked: Promise<ClientSettings | null> | undefined

/** Null when they could not be had: then nothing is done. */
export function clientSettings(): Promise<ClientSettings | null> {
  asked ??= ask()
  return asked
}

async function ask(): Promise<ClientSettings | null> {
  // A request that can't come through is an error in the console.
  if (!navigator.onLine) return null
  try {
    const answer = await fetch(files.clientSettings(), { credentials: 'omit', cache: 'no-cache' })
    return answer.ok ? await answer.json() : null
  } catch {
    return null
  }
}
