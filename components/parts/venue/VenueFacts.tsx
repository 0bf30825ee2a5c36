import { formatDistance } from '../../lib/format/format.ts'
import type { VenueCard } from '../../lib/page-data.ts'
import { formatNumber } from '../../lib/text/message.ts'
import { useText } from '../../lib/text/text.tsx'
import { Icon } from '../../ui/Icon.tsx'

/** Rating, distance and the usual wait, as far as they are known. */
export function VenueFacts({ venue }: { venue: VenueCard }) {
  const t = useText()
  return (
    <p className="num">
      {venue.rating === null ? null : (
        <span>
          <span className="star" aria-hidden="true" />
          <span className="vh">{`${t('venue.rating')} `}</span>
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
          {t('venue.minutes', { count: venue.minutes + (venue.delay ?? 0) })}
        </span>
      )}
    </p>
  )
}
