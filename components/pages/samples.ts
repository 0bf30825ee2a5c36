/** One page of every kind in every language: warms the snapshot, and the tests render each of them. */

import { sampleShell } from '../lib/page/samples.ts'
import type { Lang, Page, PageData } from '../lib/page-data.ts'
import { samples } from './server.gen.ts'

export type SamplePage = { url: string; data: PageData }

/** Every page in all four languages. */
export function samplePages(): SamplePage[] {
  const langs: Lang[] = ['kk', 'ru', 'en', 'ka']
  return langs.flatMap((lang) =>
    Object.entries(samples).flatMap(([route, each]) =>
      each.map(({ url, data, status = 200 }) => ({
        url,
        // The data fits by construction of `samples`, which the types can't follow.
        data: { shell: sampleShell(lang, url), page: { route, data } as Page, status },
      })),
    ),
  )
}
