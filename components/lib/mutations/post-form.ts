/** Posts one change and waits for the server's word, again with the same mutation id when the network fails. */

import { paths } from '../../paths.ts'
import { answering, Late, note, reach, rest, within } from '../net/connection.ts'
import type { ErrorCode, MutationAnswer } from '../page-data.ts'
import type { Outcome } from './mutations.ts'

/** First pause between two attempts, the longest, and how many more attempts there are. */
const PAUSE = 400
const LONGEST_PAUSE = 8000
const MORE = 5
/** Where the server asks for a longer wait than this, the change fails at once, milliseconds. */
const LONGEST_WAIT = 20_000
/**
 * Too slow, the same change still under way, too many of them; a gateway between us, a server that is restarting. A 500
 * is a defect: it does not pass by itself.
 */
const AGAIN = [408, 409, 429, 502, 503, 504]

/**
 * `once`: there is one attempt. `waits`: where nothing gets through at all it goes on when the server answers again, and
 * tells so meanwhile.
 */
export async function postForm(
  action: string,
  body: URLSearchParams,
  once?: boolean,
  waits?: false | ((outcome: Outcome) => void),
): Promise<Outcome> {
  let more = once ? 0 : MORE
  let pause = PAUSE
  let hasWaited = false
  for (;;) {
    const outcome = await attempt(action, body)
    if (!outcome.lost || outcome.after > LONGEST_WAIT) return outcome
    if (more-- > 0) {
      await rest(Math.max(pause, outcome.after))
      pause = Math.min(2 * pause, LONGEST_PAUSE)
    } else if (waits && outcome.errors[0]?.code === 'network') {
      // What fails again while other requests are answered is not the network's fault.
      if ((await answering(() => waits(outcome))) && hasWaited) return outcome
      hasWaited = true
      more = MORE
      pause = PAUSE
    } else return outcome
  }
}

/** Another try may help: `after` that many milliseconds, if the server says so. */
type Lost = Outcome & { lost: true; after: number }

async function attempt(action: string, body: URLSearchParams): Promise<(Outcome & { lost?: never }) | Lost> {
  try {
    const { response, answer } = await within(async (signal) => {
      const response = await reach(action, {
        method: 'POST',
        body,
        headers: { Accept: 'application/json', 'X-Requested-With': 'dastarkhan' },
        // The change still arrives when the guest leaves the page at once.
        keepalive: true,
        signal,
      })
      return { response, answer: await readJson(response) }
    })
    if (isAnswer(answer)) {
      if (answer.begins) void askForCookies()
      return { answer, errors: answer.flash?.errors ?? [] }
    }
    const { status } = response
    if (AGAIN.includes(status)) {
      return {
        ...failed('unavailable'),
        lost: true,
        after: 1000 * Number(response.headers.get('retry-after')) || 0,
      }
    }
    return failed(status >= 400 && status < 500 ? 'refused' : 'unavailable')
  } catch (error) {
    const isLate = error instanceof Late
    if (isLate) note('slow')
    return { ...failed(isLate ? 'unavailable' : 'network'), lost: true, after: 0 }
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

function failed(code: ErrorCode) {
  return { answer: null, errors: [{ field: 'form', code, values: {} }] }
}

function isAnswer(value: unknown): value is MutationAnswer {
  return typeof value === 'object' && value !== null && 'flash' in value && 'redirect' in value
}
