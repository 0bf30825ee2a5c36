/** Posts one change and waits for the server's word, again with the same mutation id when the network fails. */

import { paths } from '../../paths.ts'
import type { Outcome } from '../cart/store.ts'
import { reach, rest } from '../net/connection.ts'
import type { MutationAnswer } from '../page-data.ts'

/** Pauses before the second and later attempts: about half a minute in all. */
const PAUSES = [400, 1000, 2000, 4000, 8000]
const ATTEMPT_LIMIT = 15_000
/** A gateway between us, a server that is restarting, the same change still under way: worth another attempt. */
const AGAIN = new Set([409, 429, 502, 503, 504])

export async function postForm(action: string, body: URLSearchParams): Promise<Outcome> {
  let last: Lost = 'network'
  for (const pause of [...PAUSES, null]) {
    const outcome = await attempt(action, body)
    if (typeof outcome === 'object') return outcome
    last = outcome
    if (pause !== null) await rest(pause)
  }
  return { ...failed(last), lost: true }
}

/** Why an attempt is worth another: the network fails, or what is behind it does not answer. */
type Lost = 'network' | 'unavailable'

async function attempt(action: string, body: URLSearchParams): Promise<Outcome | Lost> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ATTEMPT_LIMIT)
  try {
    const response = await reach(action, {
      method: 'POST',
      body,
      headers: { Accept: 'application/json', 'X-Requested-With': 'dastarkhan' },
      // The change still arrives when the guest leaves the page at once.
      keepalive: true,
      signal: controller.signal,
    })
    const answer = await readJson(response)
    if (isAnswer(answer)) {
      if (answer.begins) void askForCookies()
      return { answer, errors: answer.flash?.errors ?? [] }
    }
    return AGAIN.has(response.status) ? 'unavailable' : failed('unavailable')
  } catch {
    return controller.signal.aborted ? 'unavailable' : 'network'
  } finally {
    clearTimeout(timer)
  }
}

/** Leads on at once when the session's cookie was kept; else its page says that it was not. */
async function askForCookies(): Promise<void> {
  const address = paths.cookies({ back: location.pathname + location.search })
  const { ok } = await fetch(address, { redirect: 'manual' })
  if (ok) location.assign(address)
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.headers.get('content-type')?.includes('json')) return undefined
  return response.json()
}

function failed(code: Lost): Outcome {
  return { answer: null, errors: [{ field: 'form', code, values: {} }] }
}

function isAnswer(value: unknown): value is MutationAnswer {
  return typeof value === 'object' && value !== null && 'flash' in value && 'redirect' in value
}
