import { type MouseEvent, useRef, useState } from 'react'
import { fetchPage } from '../../lib/net/fetch-page.ts'
import type { Rail, RailKind } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { VenueCard } from '../../parts/venue/VenueCard.tsx'
import { paths } from '../../paths.ts'
import { NearButton, type NearFound } from './NearButton.tsx'
import { Shelf } from './Shelf.tsx'

type Props = {
  rail: Rail
  /** The first on the page. */
  first: boolean
  /** The guest may be asked for a position. */
  locate: boolean
  onNear: (found: NearFound) => void
}

/** One rail of Home. It fails alone and is tried again alone. */
export function RailSection({ rail: given, first, locate, onNear }: Props) {
  const t = useText()
  const { rail, busy, retry } = useRail(given)
  const [near, setNear] = useState<{ of: Rail; found: Rail; height: number } | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const shown = near?.of === rail ? near.found : rail
  const name = t(rail.kind === 'near' && !shown.located ? 'rail.centre' : `rail.${rail.kind}`)
  const id = `rail-${rail.kind}`
  if (rail.failed) {
    return (
      <section className="shelf" aria-labelledby={id}>
        <div>
          <h2 id={id}>{name}</h2>
        </div>
        <p className="note" aria-busy={busy || undefined}>
          {t('rail.failed')}{' '}
          <a className="link" href={paths.home()} onClick={retry}>
            {t('app.retry')}
            <span className="vh">: {name}</span>
          </a>
        </p>
      </section>
    )
  }
  if (rail.venues.length === 0) return null
  return (
    <Shelf
      id={id}
      name={name}
      list={list}
      height={near?.of === rail ? near.height : 0}
      tools={
        <>
          {locate && rail.kind === 'near' ? (
            <NearButton
              onFound={(found) => {
                // As high as it was: what is below stays where it is.
                const height = list.current?.getBoundingClientRect().height ?? 0
                if (found.rail) setNear({ of: rail, found: found.rail, height })
                if (list.current) list.current.scrollLeft = 0
                onNear(found)
              }}
            />
          ) : null}
          {rail.kind === 'recent' ? null : (
            <Link className="link" to={rail.href} aria-label={t('rail.allOf', { rail: name })}>
              {t('rail.all')}
            </Link>
          )}
        </>
      }
    >
      {shown.venues.map((venue, index) => (
        <VenueCard
          key={venue.id}
          venue={venue}
          eager={first && index < 4}
          hero={first && index === 0}
          level="h3"
        />
      ))}
    </Shelf>
  )
}

/** A rail that can be asked for again without the rest of the page; without scripts the link loads the page. */
function useRail(given: Rail) {
  const [own, setOwn] = useState<{ of: Rail; rail: Rail } | null>(null)
  const [busy, setBusy] = useState(false)

  async function ask(kind: RailKind): Promise<void> {
    setBusy(true)
    try {
      const answer = await fetchPage(paths.home(), { prefetch: true })
      if (answer.kind !== 'page' || answer.data.page.route !== 'home') return
      const rail = answer.data.page.data.rails.find((one) => one.kind === kind)
      // Nothing to show is an answer too.
      setOwn({ of: given, rail: rail ?? { ...given, venues: [], failed: false } })
    } catch {
      // It stays failed, and the link stays.
    } finally {
      setBusy(false)
    }
  }

  return {
    rail: own?.of === given ? own.rail : given,
    busy,
    retry(event: MouseEvent): void {
      event.preventDefault()
      if (!busy) void ask(given.kind)
    },
  }
}
