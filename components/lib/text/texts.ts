/** The texts in the browser: the core at once, those of a page together with its code. */

import { texts } from 'build:texts'
import type { Lang } from '../page-data.ts'
import type { Message } from './message.ts'

const cores = {
  kk: () => import('locale:kk'),
  ru: () => import('locale:ru'),
  en: () => import('locale:en'),
  ka: () => import('locale:ka'),
} satisfies Record<Lang, unknown>

/** All texts that have arrived. */
export const catalogue: Record<string, Message> = {}

const loading: Record<string, Promise<void>> = {}

export async function loadCore(lang: Lang): Promise<void> {
  Object.assign(catalogue, (await cores[lang]()).catalogue)
}

/** The texts of a page or overlay, in the language of the document. Rejects when they can't be fetched. */
export function loadTexts(id: string): Promise<void> {
  loading[id] ??= fetchTexts(id).catch((error: unknown) => {
    delete loading[id]
    throw error
  })
  return loading[id]
}

async function fetchTexts(id: string): Promise<void> {
  if (texts.without.includes(id)) return
  const answer = await fetch(`${texts.prefix}${id}-${document.documentElement.lang}.json`)
  if (!answer.ok) throw new Error(`the texts of ${id} did not come`)
  Object.assign(catalogue, await answer.json())
}
