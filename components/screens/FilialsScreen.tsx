import { Link } from 'react-router'
import type { RailKind, VenueListPage } from '../lib/page-data.ts'
import { useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { Empty } from '../parts/Empty.tsx'
import { SearchForm } from '../parts/SearchForm.tsx'
import { ServiceSwitch } from '../parts/ServiceSwitch.tsx'
import { VenueCard } from '../parts/VenueCard.tsx'
import { paths } from '../paths.ts'

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
export function FilialsScreen({ data }: Props) {
  const t = useText()
  const shell = useShell()
  const { category, query, page, lastPage } = data
  const at = (number: number) => paths.filials({ category, q: query, page: number })
  return (
    <>
      <div className="tools">
        <SearchForm query={query} category={category} />
        <ServiceSwitch services={shell.services} />
      </div>
      <nav className="chips" aria-label={t('venues.filter')}>
        <Link className="chip" to={paths.filials({ q: query })} aria-current={category === null || undefined}>
          {t('rail.all')}
        </Link>
        {CATEGORIES.map((kind) => (
          <Link
            key={kind}
            className="chip"
            to={paths.filials({ category: kind, q: query })}
            aria-current={kind === category || undefined}
          >
            {t(`rail.${kind}`)}
          </Link>
        ))}
      </nav>
      {data.venues.length > 0 ? (
        <>
          <p className="soft" role="status">
            {shell.town.name}: {t('venues.found', { count: data.total })}
          </p>
          <ul className="venues">
            {data.venues.map((venue, index) => (
              <VenueCard key={venue.id} venue={venue} eager={index < 6} level="h2" />
            ))}
          </ul>
        </>
      ) : null}
      {data.failed ? (
        <Empty title={t('venues.failed')} text={t('venues.failedText')}>
          <a className="button" href={at(page)}>
            {t('app.retry')}
          </a>
        </Empty>
      ) : data.venues.length === 0 ? (
        <Empty title={query ? t('venues.nothingFor', { query }) : t('venues.nothing')}>
          <Link className="button" to={paths.filials()}>
            {t('venues.showAll')}
          </Link>
        </Empty>
      ) : (
        <nav className="pages" aria-label={t('venues.pages')}>
          {page > 1 ? (
            <Link className="button" data-quiet to={at(page - 1)}>
              {t('venues.previous')}
            </Link>
          ) : null}
          {page < lastPage ? (
            <Link className="button" data-quiet to={at(page + 1)}>
              {t('venues.more')}
            </Link>
          ) : null}
        </nav>
      )}
    </>
  )
}
