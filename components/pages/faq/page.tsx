import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { FaqPage } from '../../lib/page-data.ts'
import { Footer } from '../../parts/footer/Footer.tsx'

type Props = { data: FaqPage }

/** Questions and answers. `/faq#name` opens one; without scripts the browser opens it by itself or a tap does. */
export function FaqScreen({ data }: Props) {
  const { hash } = useLocation()

  // The address names an answer, and only the document can scroll to it.
  useEffect(() => {
    const found = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
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
