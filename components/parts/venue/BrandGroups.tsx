import type { VenueCard } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { paths } from '../../paths.ts'
import { Photo } from '../../ui/Photo.tsx'
import { Section } from '../section/Section.tsx'
import { OpenLine } from './OpenLine.tsx'
import { PercentBadge } from './PercentBadge.tsx'
import { ServiceTags } from './ServiceTags.tsx'
import { VenueFacts } from './VenueFacts.tsx'
import { type BrandGroup, bestPercent, groupByBrand, ownName } from './venue-groups.ts'
import '../../ui/badge.css'
import './brand-groups.css'

/** How many are in or near the first view; those below are hydrated in lots of as many. */
const LOT = 6

type Props = {
  /** Page by page: what is added at the end changes nothing above it. */
  pages: VenueCard[][]
  /** The venue that is offered first. */
  nearest?: number | undefined
}

/** Restaurants under the names of their brands (HM-08). */
export function BrandGroups({ pages, nearest }: Props) {
  const groups = pages.flatMap(groupByBrand)
  const lots = Array.from({ length: Math.ceil(groups.length / LOT) }, (_, at) => at * LOT)
  return (
    // A browser knows an only child once the list has ended: what has come before would move.
    <ul className="groups" data-alone={groups.length === 1 || undefined}>
      {lots.map((at) => (
        <Section key={at} name={`groups-${at}`} apart={at > 0}>
          {groups.slice(at, at + LOT).map((group) => (
            <Group
              key={`${group.brand} ${group.venues[0]?.id}`}
              group={group}
              eager={at === 0}
              nearest={nearest}
            />
          ))}
        </Section>
      ))}
    </ul>
  )
}

type GroupProps = { group: BrandGroup; eager: boolean; nearest: number | undefined }

function Group({ group: { brand, venues }, eager, nearest }: GroupProps) {
  const image = venues.find((venue) => venue.image)?.image
  return (
    <li className="brand-group">
      <div className="group-photo">
        {image ? (
          <Photo src={image} kind="card" eager={eager} />
        ) : (
          <span aria-hidden="true">{[...brand][0]}</span>
        )}
        <PercentBadge percent={bestPercent(venues)} />
      </div>
      <h2>{brand}</h2>
      <ul>
        {venues.map((venue) => (
          <Place key={venue.id} venue={venue} brand={brand} nearest={venue.id === nearest} />
        ))}
      </ul>
    </li>
  )
}

type PlaceProps = { venue: VenueCard; brand: string; nearest: boolean }

/** One restaurant. The whole row opens its menu. */
function Place({ venue, brand, nearest }: PlaceProps) {
  const t = useText()
  const own = ownName(venue, brand)
  return (
    <li className="place" aria-current={nearest || undefined}>
      <h3>
        <Link to={paths.menu(venue.id)}>
          {own && own !== venue.name ? <span className="vh">{brand} </span> : null}
          {own || venue.name}
        </Link>
        {nearest && venue.distance !== null ? <em className="badge">{t('venue.nearest')}</em> : null}
      </h3>
      <p className="soft">{venue.address}</p>
      <VenueFacts venue={venue} />
      <OpenLine state={venue.open} paused={venue.paused} />
      <ServiceTags services={venue.services} />
    </li>
  )
}
