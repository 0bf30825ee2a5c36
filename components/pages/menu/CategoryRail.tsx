import { useEffect, useRef, useState } from 'react'
import { useLightDismiss } from '../../lib/browser/light-dismiss.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'
import './category-rail.css'

type Section = { id: number; name: string; products: readonly unknown[] }
type Props = { venueId: number; categories: Section[] }

/** The sections of the menu as anchors under the header; the one in view is marked. */
export function CategoryRail({ venueId, categories }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const rail = useRef<HTMLElement>(null)
  const list = useRef<HTMLDetailsElement>(null)
  const active = useSectionInView(categories)
  useLightDismiss(list)

  // The rail scrolls itself: the marked chip stays in sight. Under a finger it does not: a tap would hit another one. The
  // list of all sections holds links to the same places.
  useEffect(() => {
    const chip = rail.current?.querySelector<HTMLElement>(`div > [href="#cat-${active}"]`)
    const row = chip?.parentElement
    if (chip && row && !row.matches(':active'))
      row.scrollLeft = chip.offsetLeft - (row.clientWidth - chip.clientWidth) / 2
  }, [active])

  return (
    <nav className="rail" aria-label={t('menu.categories')} ref={rail}>
      <details ref={list}>
        <summary aria-label={t('menu.all')}>
          <Icon name="list" />
        </summary>
        <ul>
          {categories.map((category) => (
            <li key={category.id}>
              <a
                href={`#cat-${category.id}`}
                lang={langOf(category.name)}
                onClick={() => list.current?.removeAttribute('open')}
              >
                {`${category.name} `}
                <span className="soft num">{category.products.length}</span>
              </a>
            </li>
          ))}
        </ul>
      </details>
      <Link className="look" to={paths.menuSearch(venueId)} aria-label={t('menu.search')}>
        <Icon name="search" />
      </Link>
      <div>
        {categories.map((category) => (
          <a
            key={category.id}
            className="chip"
            lang={langOf(category.name)}
            href={`#cat-${category.id}`}
            aria-current={category.id === active || undefined}
          >
            {category.name}
          </a>
        ))}
      </div>
    </nav>
  )
}

/** The id of the section that lies under the rail. The first one until the page has been scrolled. */
function useSectionInView(categories: Section[]): number | undefined {
  const [active, setActive] = useState(categories[0]?.id)
  const ids = categories.map(({ id }) => id).join(' ')
  // What is in view is known to the browser only.
  useEffect(() => {
    const first = document.getElementById(`cat-${ids.split(' ')[0]}`)
    const observer = new IntersectionObserver(
      (entries) => {
        const shown = entries.find((entry) => entry.isIntersecting)?.target
        // After a jump to the top no section lies on the line: all are below it.
        const atTop = first && first.getBoundingClientRect().top > innerHeight / 4
        const now = shown ?? (atTop ? first : null)
        if (now) setActive(Number(now.id.slice('cat-'.length)))
      },
      // A line just under the rail.
      { rootMargin: '-25% 0px -74% 0px' },
    )
    for (const id of ids.split(' ')) {
      const section = document.getElementById(`cat-${id}`)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [ids])
  return active
}
