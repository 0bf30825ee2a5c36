import { type MouseEvent, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { formatMoney } from '../../lib/format/format.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import { about } from '../../lib/page/title.ts'
import type { FilterKind, FoundVenue, SearchFilter, SearchPage } from '../../lib/page-data.ts'
import { isPlain, Link } from '../../lib/router/Link.tsx'
import { useNavigate, useWay } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { DishRow } from '../../parts/dish/DishRow.tsx'
import { useDishLinks } from '../../parts/dish/dish-links.ts'
import { Empty } from '../../parts/message/Empty.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { Marked } from '../../parts/search/Marked.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { OpenLine } from '../../parts/venue/OpenLine.tsx'
import { OtherServices } from '../../parts/venue/OtherServices.tsx'
import { ServiceSwitch } from '../../parts/venue/ServiceSwitch.tsx'
import { VenueCard } from '../../parts/venue/VenueCard.tsx'
import { VenueFacts } from '../../parts/venue/VenueFacts.tsx'
import { paths } from '../../paths.ts'
import { Magnifier } from './Magnifier.tsx'
import '../../ui/chip.css'
import '../../parts/search/results.css'
import './search.css'

export const title: PageTitle<'search'> = ({ query }, t) => about(query, t('head.search.title'))

export const frame: PageFrame<'search'> = { heading: (_, t) => t('head.search.title'), bar: true }

type Props = { data: SearchPage }

/** How many cards are in the first view. */
const EAGER = 2

/** Where a page goes on from those before it. */
const ADDED = 'more'

/** Dishes, goods and restaurants by their names, in one list (SE). The query stands in the address. */
export function Page({ data }: Props) {
  const t = useText()
  const shell = useShell()
  const navigate = useNavigate()
  const { coming } = useWay()
  const { key } = useLocation()
  const begun = useRef<string>(undefined)
  useDishLinks()
  const late = coming?.pathname === paths.search()
  const chosen = chosenOf(data)

  /** The first text that is looked at gets an entry of the history, those that follow take its place once it is there. */
  const takes = () => begun.current !== undefined && begun.current !== key

  function update(text: string): void {
    navigate(paths.search({ q: text, brand: data.brand, ...chosen }), {
      replace: takes(),
      preventScrollReset: true,
    })
    begun.current ??= key
  }

  function submit(text: string): void {
    if (text !== data.query || late)
      navigate(paths.search({ q: text, brand: data.brand, ...chosen }), { replace: takes() })
    begun.current = undefined
  }

  return (
    <>
      <div className="tools">
        <SearchField
          action={paths.search()}
          query={data.query}
          brand={data.brand}
          fields={chosen}
          leave={shell.home}
          inline
          onMap={null}
          onUpdate={update}
          onSubmit={submit}
        />
        <ServiceSwitch services={shell.services} />
      </div>
      {data.filters.length > 0 ? <Filters data={data} /> : null}
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
              <Popular data={data} />
            </Section>
          </section>
        ) : null}
      </div>
    </>
  )
}

/** The filters that are on, as the address has them. */
function chosenOf({ filters }: SearchPage): Partial<Record<FilterKind, string>> {
  return Object.fromEntries(filters.filter(({ on }) => on).map(({ kind, value }) => [kind, value]))
}

/** One row of links: each turns its filter on or off, also without scripts. */
function Filters({ data }: Props) {
  const t = useText()
  const { money } = useShell()
  const { query, brand, exact } = data
  const chosen = chosenOf(data)
  const filters = useRef<HTMLElement>(null)
  const on = Object.values(chosen).join()
  // The row scrolls itself: what is on is in sight, also after a load.
  useEffect(() => {
    const row = filters.current
    const chip = on ? row?.querySelector<HTMLElement>('[aria-current]') : null
    if (chip && row && chip.offsetLeft + chip.clientWidth > row.scrollLeft + row.clientWidth)
      row.scrollLeft = chip.offsetLeft - (row.clientWidth - chip.clientWidth) / 2
  }, [on])
  const nameOf = ({ kind, name, sum }: SearchFilter) =>
    kind === 'kitchen'
      ? name
      : kind === 'price'
        ? t('find.filter.price', { price: formatMoney(sum ?? 0, money) })
        : t(`find.filter.${kind}`)
  return (
    <nav className="filters" ref={filters} aria-label={t('find.filters')}>
      {data.filters.map((filter) => (
        <Link
          key={filter.kind + filter.value}
          className="chip"
          to={paths.search({
            q: query,
            brand,
            exact: exact ? 1 : null,
            ...chosen,
            [filter.kind]: filter.on ? null : filter.value,
          })}
          aria-current={filter.on || undefined}
          preventScrollReset
        >
          {nameOf(filter)}
        </Link>
      ))}
    </nav>
  )
}

/** How much was found. */
function Said({ data }: Props) {
  const t = useText()
  const { query, brand, shown, failed, partial, total, page } = data
  if (query === '') return null
  // It stands below.
  if (failed) return <p className="vh">{t('find.failed')}</p>
  if (total === 0) return <Nothing data={data} />
  const chosen = chosenOf(data)
  return (
    <>
      {/* Another search that finds as much is told too: a live region says only what is new in it. */}
      <p key={query} className={shown ? 'note' : 'soft'} data-info>
        {shown ? t('find.shown', { query, shown }) : t('find.found', { count: total })}
        {shown ? (
          <>
            {' '}
            <Link className="link" to={paths.search({ q: query, brand, exact: 1, ...chosen })}>
              {t('find.exactly', { query })}
            </Link>
          </>
        ) : null}
      </p>
      {partial ? (
        <p className="note">
          {t('find.partial')}{' '}
          <a className="link" href={paths.search({ q: query, brand, page, ...chosen })}>
            {t('app.retry')}
          </a>
        </p>
      ) : null}
    </>
  )
}

function Results({ data }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const { query, brand, found, added, page, lastPage, shown, exact, failed, total } = data
  const list = useRef<HTMLUListElement>(null)
  /** What was asked for: the page, and the place of its first result. */
  const asked = useRef<{ page: number; first: number }>(undefined)
  const at = (number: number) =>
    paths.search({ q: query, brand, exact: exact ? 1 : null, page: number, ...chosenOf(data) })
  // What was pressed is gone, and what was asked for stands in its place.
  useEffect(() => {
    const wanted = asked.current
    asked.current = undefined
    if (wanted?.page !== page || found.length <= wanted.first) return
    list.current?.children[wanted.first]?.querySelector<HTMLElement>('h2 a')?.focus({ preventScroll: true })
  }, [found, page])

  function grow(event: MouseEvent): void {
    if (!isPlain(event)) return
    event.preventDefault()
    asked.current = { page: page + 1, first: found.length }
    // The list only grows: Back leads out of it, and a reload shows all that is there.
    void navigate(at(page + 1), { replace: true, preventScrollReset: true })
  }

  if (failed) {
    return <NoAnswer title={t('find.failed')} text={t('find.failedText')} href={at(page)} />
  }
  if (total === 0) return null
  const partOf = (index: number) => (index === added && page > 1 ? ADDED : undefined)
  return (
    <>
      <ul className="finds" ref={list}>
        {found.map((one, index) =>
          one.dishes.length > 0 ? (
            <VenueWithDishes
              key={one.venue.id}
              id={partOf(index)}
              found={one}
              eager={index < EAGER}
              query={shown ?? query}
            />
          ) : (
            <VenueCard
              key={one.venue.id}
              id={partOf(index)}
              venue={one.venue}
              eager={index < EAGER}
              level="h2"
              query={shown ?? query}
            />
          ),
        )}
      </ul>
      {page < lastPage ? (
        // Without scripts the page that has all up to there is opened where it goes on.
        <a className="button more" data-quiet href={`${at(page + 1)}#${ADDED}`} onClick={grow}>
          {t('find.more')}
        </a>
      ) : null}
      {data.rest ? <p className="soft">{t('find.rest')}</p> : null}
    </>
  )
}

type FoundProps = { found: FoundVenue; id: string | undefined; eager: boolean; query: string }

/** A restaurant and, in its card, what of its menu was found. */
function VenueWithDishes({ found: { venue, dishes, more }, id, eager, query }: FoundProps) {
  const t = useText()
  const langOf = useTextLanguage()
  const { money, url } = useShell()
  return (
    <li className="found-venue" id={id}>
      <h2>
        <Link to={paths.menu(venue.id)} lang={langOf(venue.name)}>
          <Marked text={venue.name} query={query} />
        </Link>
      </h2>
      <VenueFacts venue={venue} />
      <OpenLine state={venue.open} paused={venue.paused} />
      <ul className="dishes">
        {dishes.map((product) => (
          <DishRow
            key={product.id}
            product={product}
            venue={{ id: venue.id, open: venue.open, money }}
            photo
            eager={eager}
            back={url}
            name={<Marked text={product.name} query={query} />}
          />
        ))}
      </ul>
      {more > 0 ? (
        <Link className="link" to={paths.menuSearch(venue.id, { q: query })}>
          {t('find.inMenu', { count: more })}
        </Link>
      ) : null}
    </li>
  )
}

function Popular({ data }: Props) {
  const { money, url } = useShell()
  return (
    <ul className="dishes">
      {data.popular.map(({ product, venue, name, open }, index) => (
        <DishRow
          key={`${venue}-${product.id}`}
          product={product}
          venue={{ id: venue, open, money }}
          photo
          eager={index < EAGER}
          back={url}
        >
          <p>{name}</p>
        </DishRow>
      ))}
    </ul>
  )
}

/**
 * No dead end: the query, the services that find it, what narrows it down, a spelling that finds something, and below it
 * what others like.
 */
function Nothing({ data }: Props) {
  const t = useText()
  const { service: own } = useShell()
  const { query, nearest, brand, exact, others, page } = data
  const chosen = chosenOf(data)
  if (data.throttled) {
    return (
      <Empty scene={<Magnifier />} title={t('find.throttled', { query })} text={t('find.throttledText')}>
        <a
          className="button"
          href={paths.search({ q: query, brand, exact: exact ? 1 : null, page, ...chosen })}
        >
          {t('app.retry')}
        </a>
      </Empty>
    )
  }
  const isNarrowed = Object.keys(chosen).length > 0
  return (
    <Empty
      scene={<Magnifier />}
      title={
        // Another service finds it: the chosen one is the reason then, no filter.
        others.length > 0
          ? t('find.noneBy', { query, service: own })
          : isNarrowed
            ? t('find.narrowed')
            : t('find.nothing', { query })
      }
      text={others.length > 0 ? t('find.otherService') : isNarrowed ? '' : t('find.nothingText')}
    >
      <OtherServices
        others={others}
        back={paths.search({ q: query, brand, exact: exact ? 1 : null, ...chosen })}
        labelOf={(count) => t('find.found', { count })}
      />
      {nearest ? (
        <Link className="button" to={paths.search({ q: nearest, brand, ...chosen })}>
          {t('find.nearest', { query: nearest })}
        </Link>
      ) : null}
      {isNarrowed ? (
        <Link
          className="button"
          data-quiet={nearest || others.length > 0 ? '' : undefined}
          to={paths.search({ q: query, brand })}
        >
          {t('find.clear')}
        </Link>
      ) : null}
      {nearest || isNarrowed || others.length > 0 ? null : (
        <Link className="button" data-quiet to={paths.venues()}>
          {t('cart.toVenues')}
        </Link>
      )}
    </Empty>
  )
}
