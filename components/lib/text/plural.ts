/** Plural categories of CLDR for the four languages (FM-07). Own code: `Intl` is not used during a render. */

import type { Lang } from '../page-data.ts'

export type PluralCategory = 'one' | 'few' | 'many' | 'other'

export function pluralCategory(lang: Lang, count: number): PluralCategory {
  if (lang !== 'ru') {
    // English counts "1" alone as one, and so do Kazakh and Georgian; "1.0" can't be told from 1 here.
    return count === 1 ? 'one' : 'other'
  }
  if (!Number.isInteger(count)) return 'other'
  const ten = Math.abs(count) % 10
  const hundred = Math.abs(count) % 100
  if (ten === 1 && hundred !== 11) return 'one'
  if (ten >= 2 && ten <= 4 && (hundred < 12 || hundred > 14)) return 'few'
  return 'many'
}
