import { formatLongDay } from '../../lib/format/format.ts'
import type { PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { LegalPage } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { Footer } from '../../parts/footer/Footer.tsx'
import './legal.css'

export const title: PageTitle<'legal'> = ({ title }) => title

type Props = { data: LegalPage }

/** A document in plain words. */
export function Page({ data }: Props) {
  const t = useText()
  const { lang } = useShell()
  return (
    <>
      <article className="legal">
        <h1>{data.title}</h1>
        <p className="soft">{data.lead}</p>
        <p className="soft">
          {t('legal.version', { date: formatLongDay(Date.parse(data.version), 0, lang) })}
        </p>
        {data.sections.map((section) => (
          <section key={section.title}>
            <h2>{section.title}</h2>
            {section.text.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </section>
        ))}
      </article>
      <Footer />
    </>
  )
}
