/** Asks the server for the data of a page: one request for a navigation, the same loaders as for the document. */

import type { Position } from '../browser/known-position.ts'
import type { PageData } from '../page-data.ts'
import { Late, note, reach, within } from './connection.ts'

export type PageAnswer =
  | { kind: 'page'; data: PageData; build: string | null }
  | { kind: 'redirect'; to: string }
  /** No usable answer: a gateway's page, a broken one. */
  | { kind: 'none' }

type Options = {
  signal?: AbortSignal
  /** The guest has not asked for it yet: the server shows no message for it and leaves the table as it is. */
  prefetch?: boolean
  /** Latitude and longitude of a guest who has agreed to tell them; never a part of the address. */
  near?: Position
}

/** `url` is path and query. Rejects when the network fails, nothing comes for long or `signal` aborts. */
export async function fetchPage(url: string, { signal, prefetch, near }: Options = {}): Promise<PageAnswer> {
  const asked = within(async (signal, restart) => {
    const response = await reach(`/_data${url}`, {
      headers: {
        Accept: 'application/json',
        'X-Requested-With': 'dastarkhan',
        ...(prefetch ? { 'X-Prefetch': '1' } : {}),
        ...(near ? { 'X-Near': near.join() } : {}),
      },
      signal,
    })
    // The rest of a long answer has its own time.
    restart()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { answer: isJson ? ((await response.json()) as unknown) : null, response }
  }, signal)
  const { answer, response } = await asked.catch((error: unknown) => {
    // A prefetch is not what the guest waits for.
    if (error instanceof Late && !prefetch) note('slow')
    throw error
  })
  if (isRedirect(answer)) return { kind: 'redirect', to: answer.redirect }
  return isPageData(answer)
    ? { kind: 'page', data: answer, build: response.headers.get('x-build') }
    : { kind: 'none' }
}

function isRedirect(value: unknown): value is { redirect: string } {
  return (
    typeof value === 'object' && value !== null && 'redirect' in value && typeof value.redirect === 'string'
  )
}

function isPageData(value: unknown): value is PageData {
  return typeof value === 'object' && value !== null && 'shell' in value && 'page' in value
}
