import { useEffect, useRef } from 'react'
import { useLiveOpen } from '../../lib/live/live.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { Venue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { formatNumber } from '../../lib/text/message.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { OpenLine } from '../../parts/venue/OpenLine.tsx'
import { ServiceSwitch } from '../../parts/venue/ServiceSwitch.tsx'
import { paths } from '../../paths.ts'
import { Photo } from '../../ui/Photo.tsx'

type Props = { venue: Venue }

/** The face of the venue: its photo, its name, and in one line what a guest weighs before reading on. */
export function VenueHead({ venue }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const { table } = useShell()
  const open = useLiveOpen(venue)
  const siblingOf = (service: string) => venue.siblings.find((one) => one.service === service)?.id ?? venue.id
  const facts = [
    venue.rating ? (
      <span key="rating">
        <span className="star" aria-hidden="true" />
        <span className="vh">{t('venue.rating')} </span>
        {formatNumber(venue.rating, t.lang)}
      </span>
    ) : null,
    venue.minutes ? <span key="wait">{t('venue.minutes', { count: venue.minutes })}</span> : null,
    venue.servicePercent > 0 ? (
      <span key="service">{t('venue.service', { percent: venue.servicePercent })}</span>
    ) : null,
  ].filter(Boolean)
  return (
    <div className="about">
      {/* In a box of its own React preloads it nowhere else: it is the first of the document as it is. */}
      {venue.image ? (
        <picture>
          <Photo src={venue.image} kind="cover" hero />
        </picture>
      ) : null}
      <div>
        <h1 lang={langOf(venue.name)} ref={useNamed()}>
          {venue.name}
        </h1>
        {facts.length > 0 ? <p className="facts num">{facts}</p> : null}
        <p>
          <OpenLine state={open} />
        </p>
        <p className="soft">
          <span lang={langOf(venue.address)}>{venue.address}</span>
          <Link className="link" to={paths.details(venue.id)}>
            {t('menu.about')}
          </Link>
        </p>
      </div>
      {table ? null : (
        <ServiceSwitch
          services={venue.siblings.map(({ service }) => service)}
          // What is put into the cart here is of this venue id, not of what was chosen elsewhere.
          current={venue.siblings.find(({ id }) => id === venue.id)?.service}
          back={(service) => paths.menu(siblingOf(service))}
        />
      )}
    </div>
  )
}

/** Where the heading goes out of sight, the header says the name. */
function useNamed() {
  const heading = useRef<HTMLHeadingElement>(null)
  // What is in view is known to the browser only; the header stands outside of the page.
  useEffect(() => {
    const { documentElement: html } = document
    const observer = new IntersectionObserver(
      ([entry]) => html.toggleAttribute('data-named', entry?.isIntersecting === false),
      { rootMargin: '-56px 0px 0px' },
    )
    if (heading.current) observer.observe(heading.current)
    return () => {
      observer.disconnect()
      html.removeAttribute('data-named')
    }
  }, [])
  return heading
}
