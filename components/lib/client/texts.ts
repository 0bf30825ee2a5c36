/** The texts in the browser: the core at once, those of a screen together with its code. */

import { texts } from 'build:texts'
import type { Message } from '../message.ts'
import type { Lang } from '../page-data.ts'
import type { RouteId } from '../screens.tsx'

const cores = {
  kk: () => import('locale:kk'),
  ru: () => import('locale:ru'),
  en: () => import('locale:en'),
  ka: () => import('locale:ka'),
} satisfies Record<Lang, unknown>

/** All texts that have arrived. */
export const catalogue: Record<string, Message> = {}

const arrived: Partial<Record<RouteId, true>> = {}

export async function loadCore(lang: Lang): Promise<void> {
  Object.assign(catalogue, (await cores[lang]()).catalogue)
}

/** The texts of a screen, in the language of the document. Rejects when they can't be fetched. */
export async function loadTexts(route: RouteId): Promise<void> {
  if (arrived[route] || !texts.routes.includes(route)) return
  const answer = await fetch(`${texts.prefix}${route}-${document.documentElement.lang}.json`)
  if (!answer.ok) throw new Error(`the texts of ${route} did not come`)
  Object.assign(catalogue, await answer.json())
  arrived[route] = true
}
