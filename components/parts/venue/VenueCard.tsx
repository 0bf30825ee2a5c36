import type { VenueCard as Card } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { paths } from '../../paths.ts'
import { Marked } from '../search/Marked.tsx'
import { Cover } from './Cover.tsx'
import { OpenLine } from './OpenLine.tsx'
import { VenueFacts } from './VenueFacts.tsx'
import './venue-card.css'

type Props = {
  venue: Card
  /** Names its place in addresses. */
  id?: string | undefined
  eager: boolean
  /** Its photo is the largest that is seen first. */
  hero?: boolean
  level: 'h2' | 'h3'
  /** The query that has found it: its letters are marked in the name. */
  query?: string
}

/** A restaurant in a rail or a list. The whole card opens its menu. */
export function VenueCard({ venue, id, eager, hero = false, level: Heading, query = '' }: Props) {
  const langOf = useTextLanguage()
  return (
    <li className="tile venue" id={id}>
      <Cover image={venue.image} name={venue.brand} percent={venue.percent} eager={eager} hero={hero} />
      <Heading>
        <Link to={paths.menu(venue.id)} lang={langOf(venue.name)}>
          <Marked text={venue.name} query={query} />
        </Link>
      </Heading>
      <p className="soft" lang={langOf(venue.address)}>
        {venue.address}
      </p>
      <OpenLine state={venue.open} paused={venue.paused} />
      <VenueFacts venue={venue} />
    </li>
  )
}
