import { Link } from 'react-router'
import type { VenueCard as Card } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { paths } from '../../paths.ts'
import { Photo } from '../../ui/Photo.tsx'
import { Marked } from '../search/Marked.tsx'
import { OpenLine } from './OpenLine.tsx'
import { VenueFacts } from './VenueFacts.tsx'
import './venue-card.css'

type Props = {
  venue: Card
  eager: boolean
  level: 'h2' | 'h3'
  /** The query that has found it: its letters are marked in the name. */
  query?: string
}

/** A restaurant in a rail or a list. The whole card opens its menu. */
export function VenueCard({ venue, eager, level: Heading, query = '' }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
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
        <Link to={paths.menu(venue.id)} lang={langOf(venue.name)}>
          <Marked text={venue.name} query={query} />
        </Link>
      </Heading>
      <p className="soft" lang={langOf(venue.address)}>
        {venue.address}
      </p>
      <VenueFacts venue={venue} />
      <OpenLine state={venue.open} paused={venue.paused} />
    </li>
  )
}
