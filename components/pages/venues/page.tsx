import { useEffect, useRef } from 'react'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import { about } from '../../lib/page/title.ts'
import type { RailKind, VenueListPage } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { Empty } from '../../parts/message/Empty.tsx'
import { EmptyPlace } from '../../parts/message/EmptyPlace.tsx'
import { NoAnswer } from '../../parts/message/NoAnswer.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { BrandGroups } from '../../parts/venue/BrandGroups.tsx'
import { ListSkeleton, useRefining } from '../../parts/venue/ListSkeleton.tsx'
import { MoreVenues } from '../../parts/venue/MoreVenues.tsx'
import { useMoreVenues } from '../../parts/venue/more-venues.ts'
import { OtherServices } from '../../parts/venue/OtherServices.tsx'
import { ServiceSwitch } from '../../parts/venue/ServiceSwitch.tsx'
import { ofTown } from '../../parts/venue/venue-groups.ts'
import { paths } from '../../paths.ts'
import '../../frame/nav.css'
import './venues.css'

export const title: PageTitle<'venues'> = ({ kitchen }, t) => about(kitchen?.name, t('head.venues.title'))

export const frame: PageFrame<'venues'> = {
  heading: ({ kitchen }, t) => about(kitchen?.name, t('venues.title')),
  bar: true,
}

type Props = { data: VenueListPage }

const CATEGORIES = [
  'near',
  'popular',
  'promo',
  'readyMeals',
  'bakery',
  'semiFinished',
  'grocery',
] as const satisfies RailKind[]

/** All restaurants of the town, a category of them, or what a search found. */
export function Page({ data }: Props) {
  const t = useText()
  const shell = useShell()
  const { category, query, page, kitchen } = data
  const refining = useRefining(paths.venues())
  const address = (number: number) =>
    paths.venues({ category, kitchen: kitchen?.code, q: query, page: number })
  const more = useMoreVenues(data, address)
  const chips = useRef<HTMLElement>(null)
  const chosen = kitchen?.code ?? category
  // What no chip shows narrows no further search; a list that did not come may not know the name.
  const isKnown = kitchen && (kitchen.name || data.failed)
  // The row scrolls itself: what is chosen is in sight.
  useEffect(() => {
    const row = chips.current
    const chip = chosen ? row?.querySelector<HTMLElement>('[aria-current]') : null
    if (chip && row) row.scrollLeft = chip.offsetLeft - (row.clientWidth - chip.clientWidth) / 2
  }, [chosen])
  return (
    <>
      <div className="tools">
        <SearchField
          action={paths.venues()}
          query={query}
          fields={{ ...(category ? { category } : null), ...(isKnown ? { kitchen: kitchen.code } : null) }}
        />
        <ServiceSwitch services={shell.services} />
      </div>
      <nav className="chips" ref={chips} aria-label={t('venues.filter')}>
        <Link
          className="chip"
          to={paths.venues({ q: query })}
          aria-current={(category === null && !kitchen?.name) || undefined}
        >
          {t('rail.all')}
        </Link>
        {kitchen?.name ? (
          <Link className="chip" to={paths.venues({ kitchen: kitchen.code, q: query })} aria-current>
            {kitchen.name}
          </Link>
        ) : null}
        {CATEGORIES.map((kind) => (
          <Link
            key={kind}
            className="chip"
            to={paths.venues({ category: kind, q: query })}
            aria-current={kind === category || undefined}
          >
            {/* It is a list of the whole town: the position was not asked for. */}
            {t(kind === 'near' ? 'rail.centre' : `rail.${kind}`)}
          </Link>
        ))}
        <Link className="chip" to={paths.brands()}>
          {t('head.brands.title')}
        </Link>
      </nav>
      <div className="found" role="status">
        {data.total > 0 ? (
          <p className="soft">{ofTown(shell.town, t('venues.found', { count: data.total }))}</p>
        ) : refining ? null : data.failed ? (
          <NoAnswer title={t('venues.failed')} text={t('venues.failedText')} href={address(page)} />
        ) : (
          <Nothing data={data} />
        )}
      </div>
      {refining ? (
        <ListSkeleton className="groups" count={6} />
      ) : (
        <>
          <BrandGroups pages={more.pages} />
          <MoreVenues more={more} first={page} address={address} />
        </>
      )}
    </>
  )
}

/**
 * A town without restaurants is another matter than one whose restaurants have another service, or than a search that
 * found none (HM-10).
 */
function Nothing({ data: { category, kitchen, query, page, others } }: Props) {
  const t = useText()
  const { service } = useShell()
  if (category === null && !kitchen && !query && page === 1) {
    const elsewise = others.length > 0
    return (
      <Empty
        scene={<EmptyPlace />}
        title={elsewise ? t('venues.emptyService', { service }) : t('venues.emptyTown')}
        text={elsewise ? t('venues.otherService') : t('venues.emptyTownText')}
      >
        <OtherServices
          others={others}
          back={paths.venues()}
          labelOf={(count) => t('venues.found', { count })}
        />
        <Link
          className="button"
          data-quiet={elsewise ? '' : undefined}
          to={paths.town({ back: paths.venues() })}
        >
          {t('venues.changeTown')}
        </Link>
      </Empty>
    )
  }
  return (
    <Empty scene={<EmptyPlace />} title={query ? t('venues.nothingFor', { query }) : t('venues.nothing')}>
      <Link className="button" to={paths.venues()}>
        {t('venues.showAll')}
      </Link>
      {query ? (
        <Link className="link" to={paths.search({ q: query })}>
          {t('venues.everywhere')}
        </Link>
      ) : null}
    </Empty>
  )
}
