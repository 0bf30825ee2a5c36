import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { LanguagePage } from '../../lib/page-data.ts'
import { LANGUAGES } from '../../lib/text/languages.ts'
import { paths } from '../../paths.ts'
import './language.css'

export const title: PageTitle<'language'> = (_, t) => t('head.language.title')

export const frame: PageFrame<'language'> = { heading: title, back: ({ back }) => back }

type Props = { data: LanguagePage }

/** The languages of the country, each named in itself. A choice is a full load of the page before (LC-25). */
export function Page({ data }: Props) {
  const shell = useShell()
  return (
    <ul className="languages">
      {shell.langs.map((lang) => (
        <li key={lang}>
          <a
            href={paths.inLang(data.back, lang)}
            lang={lang}
            hrefLang={lang}
            aria-current={lang === shell.lang || undefined}
          >
            {LANGUAGES[lang]}
          </a>
        </li>
      ))}
    </ul>
  )
}
