import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { FaqPage } from '../../lib/page-data.ts'
import { partOf } from '../../lib/router/KeepScroll.tsx'
import { Footer } from '../../parts/footer/Footer.tsx'
import './faq.css'

export const title: PageTitle<'faq'> = (_, t) => t('head.faq.title')

export const frame: PageFrame<'faq'> = { heading: title }

type Props = { data: FaqPage }

/** Questions and answers. `/faq#name` opens one; without scripts the browser opens it by itself or a tap does. */
export function Page({ data }: Props) {
  const { hash } = useLocation()

  // The address names an answer, and only the document can scroll to it.
  useEffect(() => {
    const found = partOf(hash)
    if (!(found instanceof HTMLDetailsElement)) return
    found.open = true
    found.scrollIntoView({ block: 'start' })
  }, [hash])

  return (
    <>
      {data.groups.map((group) => (
        <section key={group.title} className="card faq">
          <h2>{group.title}</h2>
          {group.items.map((item) => (
            <details key={item.id} id={item.id}>
              <summary>{item.question}</summary>
              {item.answer.map((text) => (
                <p key={text}>{text}</p>
              ))}
            </details>
          ))}
        </section>
      ))}
      <Footer />
    </>
  )
}
