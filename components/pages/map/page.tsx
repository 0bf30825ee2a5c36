import { useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { formatDistance } from '../../lib/format/format.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import type { MapPage, MapVenue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { formatNumber } from '../../lib/text/message.ts'
import { useText } from '../../lib/text/text.tsx'
import { SearchField } from '../../parts/search/SearchField.tsx'
import { OpenLine } from '../../parts/venue/OpenLine.tsx'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'
import { bboxOf, widened } from './bounds.ts'
import { MapBox } from './MapBox.tsx'
import { useMapList } from './map-list.ts'
import './map.css'

export const title: PageTitle<'map'> = (_, t) => t('head.map.title')

export const frame: PageFrame<'map'> = { heading: title }

type Props = { data: MapPage }

/** A view without venues offers a part this many times as wide. */
const WIDER = 3

/** Venues on the map and as a list, each leading to the other; the list alone is complete, too. */
export function Page({ data }: Props) {
  const t = useText()
  const { venues, query, failed, view, requested } = data
  const [picked, setPicked] = useState(data.selected)
  const [shown, setShown] = useState(data)
  if (shown !== data) {
    // Another part of the map: what was picked stays if it is in it.
    setShown(data)
    if (data.selected !== null || !venues.some(({ card }) => card.id === picked)) setPicked(data.selected)
  }
  const list = useMapList(picked, setPicked)
  const bbox = requested ? bboxOf(view) : undefined
  return (
    <>
      <div className="tools">
        <SearchField action={paths.map()} query={query} fields={bbox ? { bbox } : {}} onMap={null} />
        <Link className="chip" to={paths.venues({ q: query })}>
          <Icon name="list" />
          {t('map.list')}
        </Link>
      </div>
      <div className="both">
        <MapBox data={data} picked={picked} onPick={list.pick} />
        <section className="stops" aria-labelledby="stops">
          <div className="counted">
            <p id="stops" role="status">
              {failed
                ? t('venues.failed')
                : venues.length < data.total
                  ? t('map.shown', { count: venues.length, total: data.total })
                  : venues.length === 0
                    ? t('venues.nothing')
                    : t('venues.found', { count: data.total })}
            </p>
            <Steps venues={venues} picked={picked} onPick={list.pick} />
          </div>
          {failed ? (
            <p>
              <a className="button" href={paths.map({ bbox, q: query })}>
                {t('app.retry')}
              </a>
            </p>
          ) : venues.length === 0 ? (
            <>
              <p className="soft">{t('map.nothing')}</p>
              <p className="ways">
                <Link
                  className="button"
                  data-quiet
                  to={paths.map({ bbox: bboxOf(widened(view, WIDER)), q: query })}
                >
                  {t('map.wider')}
                </Link>
                {query ? (
                  <Link className="button" data-quiet to={paths.map({ bbox })}>
                    {t('map.noQuery')}
                  </Link>
                ) : null}
              </p>
            </>
          ) : (
            <ul ref={list.ref} onScroll={list.onScroll}>
              {venues.map((venue) => (
                <Stop
                  key={venue.card.id}
                  venue={venue}
                  picked={venue.card.id === picked}
                  onPick={setPicked}
                />
              ))}
            </ul>
          )}
        </section>
      </div>
    </>
  )
}

type StopProps = { venue: MapVenue; picked: boolean; onPick(id: number): void }

/** A venue of the list. Focus on it picks its pin. */
function Stop({ venue: { card }, picked, onPick }: StopProps) {
  const t = useText()
  return (
    <li data-id={card.id} data-picked={picked || undefined} onFocus={() => onPick(card.id)}>
      <h2>
        <Link to={paths.menu(card.id)}>{card.name}</Link>
      </h2>
      <p className="soft">{card.address}</p>
      <p className="num">
        {card.rating ? (
          <span>
            <span className="star" aria-hidden="true" />
            <span className="vh">{t('venue.rating')} </span>
            {formatNumber(card.rating, t.lang)}
          </span>
        ) : null}
        {card.distance === null ? null : <span className="soft">{formatDistance(card.distance, t)}</span>}
      </p>
      <OpenLine state={card.open} paused={card.paused} />
      <p className="more">
        <Link className="link" to={paths.details(card.id)}>
          {t('map.details')}
          <span className="vh"> {card.name}</span>
        </Link>
      </p>
    </li>
  )
}

type StepsProps = { venues: MapVenue[]; picked: number | null; onPick(id: number): void }

/** To the venue before and after: what a swipe does, without a swipe. */
function Steps({ venues, picked, onPick }: StepsProps) {
  const t = useText()
  const hydrated = useHydrated()
  if (!hydrated || venues.length < 2) return null
  const at = venues.findIndex(({ card }) => card.id === picked)
  const go = (by: 1 | -1) => {
    const from = at < 0 && by < 0 ? 0 : at
    const next = venues[(from + by + venues.length) % venues.length]
    if (next) onPick(next.card.id)
  }
  return (
    <span className="pin-steps">
      <button type="button" aria-label={t('map.previous')} onClick={() => go(-1)}>
        <Icon name="chevron-left" />
      </button>
      <button type="button" aria-label={t('map.next')} onClick={() => go(1)}>
        <Icon name="chevron-right" />
      </button>
    </span>
  )
}
