import { Link } from 'react-router'
import type { HomePage, Rail } from '../lib/page-data.ts'
import { useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Ornament } from '../parts/Ornament.tsx'
import { SearchForm } from '../parts/SearchForm.tsx'
import { ServiceSwitch } from '../parts/ServiceSwitch.tsx'
import { VenueCard } from '../parts/VenueCard.tsx'
import { paths } from '../paths.ts'

type Props = { data: HomePage }

/** The front: rails of restaurants in a fixed order. A rail with nothing is not there, a failed one says so. */
export function HomeScreen({ data }: Props) {
  const t = useText()
  const shell = useShell()
  const rails = data.rails
    .filter((rail) => rail.failed || rail.venues.length > 0)
    .sort((a, b) => a.position - b.position)
  return (
    <>
      <Ornament />
      <h1>{t('home.title')}</h1>
      <div className="tools">
        <SearchForm />
        <ServiceSwitch services={shell.services} />
      </div>
      {rails.map((rail, index) => (
        <RailSection key={rail.kind} rail={rail} first={index === 0} />
      ))}
      {rails.length > 0 ? null : data.failed ? (
        <Empty title={t('venues.failed')} text={t('venues.failedText')}>
          <a className="button" href={paths.home()}>
            {t('app.retry')}
          </a>
        </Empty>
      ) : (
        <Empty title={t('home.empty')} text={t('home.emptyText')}>
          <Link className="button" to={paths.town({ back: paths.home() })}>
            {t('home.changeTown')}
          </Link>
        </Empty>
      )}
      <p className="soft version">v{shell.version}</p>
    </>
  )
}

function RailSection({ rail, first }: { rail: Rail; first: boolean }) {
  const t = useText()
  const name = t(`rail.${rail.kind}`)
  return (
    <section className="shelf" aria-labelledby={`rail-${rail.kind}`}>
      <div>
        <h2 id={`rail-${rail.kind}`}>{name}</h2>
        {rail.failed ? null : (
          <Link className="link" to={rail.href} aria-label={t('rail.allOf', { rail: name })}>
            {t('rail.all')}
          </Link>
        )}
      </div>
      {rail.failed ? (
        <p className="note">
          {t('rail.failed')}{' '}
          <a className="link" href={paths.home()}>
            {t('app.retry')}
          </a>
        </p>
      ) : (
        <ul>
          {rail.venues.map((venue, index) => (
            <VenueCard key={venue.id} venue={venue} eager={first && index < 4} level="h3" />
          ))}
        </ul>
      )}
    </section>
  )
}
