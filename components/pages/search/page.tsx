import { useRef } from 'react'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import { about } from '../../lib/page/title.ts'
import type { DishHit, SearchPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useNavigate, useWay } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { DishRow } from '../../parts/dish/DishRow.tsx'
import { useItemLinks } from '../../parts/dish/item-links.ts'
import { Empty } from '../../parts/message/Empty.tsx'
import { Marked } from '../../parts/search/Marked.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { ServiceSwitch } from '../../parts/venue/ServiceSwitch.tsx'
import { VenueCard } from '../../parts/venue/VenueCard.tsx'
import { paths } from '../../paths.ts'
import '../../parts/search/results.css'
import './search.css'

export const title: PageTitle<'search'> = ({ query }, t) => about(query, t('head.search.title'))

export const frame: PageFrame<'search'> = { heading: (_, t) => t('head.search.title'), bar: true }

type Props = { data: SearchPage }

/** So many pictures are in the first view. */
const EAGER = 4

/** Restaurants, dishes and goods by their names (SE). The query stands in the address. */
export function Page({ data }: Props) {
  const t = useText()
  const shell = useShell()
  const navigate = useNavigate()
  const { coming } = useWay()
  const typed = useRef(false)
  useItemLinks()
  const late = coming?.pathname === paths.search()

  /** A pause in typing makes one entry of the history, however many texts are looked at. */
  function update(text: string): void {
    navigate(paths.search({ q: text, brand: data.brand }), {
      replace: typed.current,
      preventScrollReset: true,
    })
    typed.current = true
  }

  function submit(text: string): void {
    if (text !== data.query || late)
      navigate(paths.search({ q: text, brand: data.brand }), { replace: typed.current })
    typed.current = false
  }

  return (
    <>
      <div className="tools">
        <SearchField
          action={paths.search()}
          query={data.query}
          brand={data.brand}
          leave={shell.home}
          inline
          onUpdate={update}
          onSubmit={submit}
        />
        <ServiceSwitch services={shell.services} />
      </div>
      <div className="said" role="status">
        <Said data={data} />
      </div>
      <div key={data.query === '' ? 'none' : 'some'} className="results" data-late={late || undefined}>
        {data.query === '' ? null : (
          <Section name="results">
            <Results data={data} />
          </Section>
        )}
        {data.popular.length > 0 ? (
          <section>
            <h2>{t('find.popular')}</h2>
            <Section name="popular">
              <Dishes hits={data.popular} data={data} />
            </Section>
          </section>
        ) : null}
      </div>
    </>
  )
}

/** How much was found. */
function Said({ data }: Props) {
  const t = useText()
  const { query, shown, failed } = data
  const total = totalOf(data)
  if (query === '') return null
  // It stands below the tabs.
  if (failed) return <p className="vh">{t('find.failed')}</p>
  if (total === 0) return <Nothing data={data} />
  return (
    <p className={shown ? 'note' : 'vh'} data-info>
      {shown ? t('find.shown', { query, shown }) : t('find.found', { count: total })}
    </p>
  )
}

function totalOf({ tabs }: SearchPage): number {
  return tabs.reduce((sum, { count }) => sum + (count ?? 0), 0)
}

function Results({ data }: Props) {
  const t = useText()
  const { query, brand, tab, tabs, page, lastPage, shown } = data
  const at = (number: number) => paths.search({ q: query, brand, tab, page: number })
  const isEmpty = data.venues.length === 0 && data.dishes.length === 0
  if (!data.failed && totalOf(data) === 0) return null
  return (
    <>
      <nav className="tabs" aria-label={t('find.tabs')}>
        {tabs.map((one) => (
          <Link
            key={one.tab}
            to={paths.search({ q: query, brand, tab: one.tab })}
            aria-current={one.tab === tab ? 'page' : undefined}
            preventScrollReset
          >
            {t(`find.${one.tab}`)}
            {one.count === null ? null : <span className="num">{` ${one.count}`}</span>}
          </Link>
        ))}
      </nav>
      {data.failed ? (
        <Empty title={t('find.failed')} text={t('find.failedText')}>
          <a className="button" href={at(page)}>
            {t('app.retry')}
          </a>
        </Empty>
      ) : isEmpty ? (
        <p className="soft">{t('find.nothingHere')}</p>
      ) : tab === 'venues' ? (
        <ul className="venues">
          {data.venues.map((venue, index) => (
            <VenueCard key={venue.id} venue={venue} eager={index < EAGER} level="h2" query={shown ?? query} />
          ))}
        </ul>
      ) : (
        <section>
          <h2 className="vh">{t(`find.${tab}`)}</h2>
          <Dishes hits={data.dishes} data={data} />
        </section>
      )}
      {lastPage > 1 && !data.failed ? (
        <nav className="pages" aria-label={t('find.pages')}>
          {page > 1 ? (
            <Link className="button" data-quiet to={at(page - 1)}>
              {t('find.previous')}
            </Link>
          ) : null}
          {page < lastPage ? (
            <Link className="button" data-quiet to={at(page + 1)}>
              {t('find.more')}
            </Link>
          ) : null}
        </nav>
      ) : null}
    </>
  )
}

function Dishes({ hits, data }: { hits: readonly DishHit[]; data: SearchPage }) {
  const { money, url } = useShell()
  return (
    <ul className="dishes">
      {hits.map(({ product, venue, name, open }, index) => (
        <DishRow
          key={`${venue}-${product.id}`}
          product={product}
          venue={{ id: venue, open, money }}
          photo
          eager={index < EAGER}
          back={url}
          name={<Marked text={product.name} query={data.shown ?? data.query} />}
        >
          <p>{name}</p>
        </DishRow>
      ))}
    </ul>
  )
}

/** No dead end: the query, a spelling that finds something, and below it what others like. */
function Nothing({ data }: Props) {
  const t = useText()
  const { query, nearest, brand } = data
  return (
    <Empty title={t('find.nothing', { query })} text={t('find.nothingText')}>
      {nearest ? (
        <Link className="button" to={paths.search({ q: nearest, brand })}>
          {t('find.nearest', { query: nearest })}
        </Link>
      ) : null}
    </Empty>
  )
}
