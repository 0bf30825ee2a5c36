/** Asks the server what completes a text. */

import type { Suggestion, Suggestions } from '../../lib/page-data.ts'
import { withQuery } from '../../paths.ts'

/** Nothing when it fails: the guest can do without. */
export async function fetchSuggestions(
  query: string,
  brand: number | null,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  try {
    const response = await fetch(withQuery('/search/suggest', { q: query, brand }), {
      headers: { Accept: 'application/json' },
      signal,
    })
    const answer: unknown = response.ok ? await response.json() : null
    return isSuggestions(answer) && answer.query === query ? answer.items : []
  } catch {
    return []
  }
}

function isSuggestions(value: unknown): value is Suggestions {
  return typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items)
}
