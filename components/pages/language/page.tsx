import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { LanguagePage } from '../../lib/page-data.ts'
import { LanguageList } from '../../parts/language/LanguageList.tsx'
import './language.css'

export const title: PageTitle<'language'> = (_, t) => t('head.language.title')

export const frame: PageFrame<'language'> = { heading: title, back: ({ back }) => back }

type Props = { data: LanguagePage }

/** A choice of a language leads to the page before. */
export function Page({ data }: Props) {
  return <LanguageList url={data.back} className="languages" />
}
