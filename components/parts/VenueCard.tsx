import { Link } from 'react-router'
import { formatDistance } from '../lib/format.ts'
import { formatNumber } from '../lib/message.ts'
import type { VenueCard as Card } from '../lib/page-data.ts'
import { useText } from '../lib/text.tsx'
import { paths } from '../paths.ts'
import { Icon } from '../ui/Icon.tsx'
import { Photo } from '../ui/Photo.tsx'
import { OpenLine } from './OpenLine.tsx'

type Props = { venue: Card; eager: boolean; level: 'h2' | 'h3' }

/** A restaurant in a rail or a list. The whole card opens its menu. */
export function VenueCard({ venue, eager, level: Heading }: Props) {
  const t = useText()
  return (
    <li className="venue">
      <div>
        {venue.image ? (
          <Photo src={venue.image} kind="card" eager={eager} />
        ) : (
          <span aria-hidden="true">{[...venue.brand][0]}</span>
        )}
        {venue.promo ? <em>{t('venue.promo')}</em> : null}
      </div>
      <Heading>
        <Link to={paths.menu(venue.id)}>{venue.name}</Link>
      </Heading>
      <p className="soft">{venue.address}</p>
      <p className="num">
        {venue.rating === null ? null : (
          <span>
            <span className="star" aria-hidden="true" />
            <span className="vh">{t('venue.rating')} </span>
            {formatNumber(venue.rating, t.lang)}
          </span>
        )}
        {venue.distance === null ? null : (
          <span data-far={venue.far || undefined}>
            <Icon name="map-pin" />
            {formatDistance(venue.distance, t)}
            {venue.far ? `, ${t('venue.far')}` : null}
          </span>
        )}
        {venue.minutes === null ? null : (
          <span>
            <Icon name="clock" />
            {t('venue.minutes', { count: venue.minutes })}
          </span>
        )}
      </p>
      <OpenLine state={venue.open} />
    </li>
  )
}
