import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { replaceAddress } from '../../lib/browser/address.ts'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { locate } from '../../lib/browser/position.ts'
import type { Canvas, CanvasOptions, Pin } from '../../lib/map/canvas.ts'
import { fetchCanvas } from '../../lib/map/fetch-canvas.ts'
import type { Bounds, MapPage, MapVenue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { formatNumber } from '../../lib/text/message.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { MapCredit } from '../../parts/map/MapCredit.tsx'
import { openText } from '../../parts/venue/OpenLine.tsx'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'
import { bboxOf, isElsewhere, searchable } from './bounds.ts'

type Props = { data: MapPage; picked: number | null; onPick(id: number): void }

/** The map over its placeholder. Whatever fails in it, the list beside it goes on. */
export function MapBox({ data, picked, onPick }: Props) {
  const t = useText()
  const hydrated = useHydrated()
  const box = useRef<HTMLDivElement>(null)
  const again = useRef<HTMLButtonElement>(null)
  const canvas = useRef<Canvas>(undefined)
  const base = useRef(data.view)
  const [state, setState] = useState<'loading' | 'live' | 'failed'>('loading')
  const [tries, setTries] = useState(0)
  const [elsewhere, setElsewhere] = useState<Bounds | null>(null)
  const [said, setSaid] = useState('')
  const { view, requested, venues, query } = data

  const choose = useEffectEvent((id: number) => onPick(id))
  const moved = useEffectEvent((now: Bounds) => setElsewhere(isElsewhere(base.current, now) ? now : null))
  const begin = useEffectEvent((create: (options: CanvasOptions) => Canvas) => {
    const made = create({
      view,
      exact: requested,
      name: t('map.name'),
      wheel: true,
      onPick: (id) => choose(id),
      onMoved: (now) => moved(now),
      onTiles(come) {
        setState(come ? 'live' : 'failed')
        // The button goes with what it was for.
        if (come && again.current?.matches(':focus')) box.current?.focus({ preventScroll: true })
      },
    })
    canvas.current = made
    base.current = made.bounds()
    made.setPins(venues.map((venue) => pinOf(venue, t)))
    made.pick(picked)
  })

  // The map is not of this tree: it is made once and told of changes; one that has failed is made anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is what it waits for
  useEffect(() => {
    let gone = false
    fetchCanvas()
      .then(({ createCanvas }) => {
        const { current } = box
        if (!gone && current) begin((options) => createCanvas(current, options))
      })
      .catch(() => setState('failed'))
    return () => {
      gone = true
      canvas.current?.remove()
      canvas.current = undefined
    }
  }, [tries])

  const refresh = useEffectEvent(() => {
    const map = canvas.current
    if (!map) return
    // What "search here" requested for is what is shown already.
    if (bboxOf(map.bounds()) !== bboxOf(view)) map.show(view, requested)
    base.current = map.bounds()
    setElsewhere(null)
    map.setPins(venues.map((venue) => pinOf(venue, t)))
    map.pick(picked)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer is what it waits for
  useEffect(() => refresh(), [data])

  // Back from a menu finds the same part of the map and the same venue: the address says both.
  useEffect(() => {
    const map = canvas.current
    map?.pick(picked)
    if (!map || picked === null) return
    replaceAddress(paths.map({ bbox: bboxOf(searchable(map.bounds())), q: query, venue: picked }))
  }, [picked, query])

  /** The page and its list stay: a load without a network would be the browser's own error page. */
  function retry(): void {
    if (state === 'loading') return
    setState('loading')
    setTries(tries + 1)
  }

  async function findMe(): Promise<void> {
    // The answer to the first press is under way.
    if (said === t('map.finding')) return
    setSaid(t('map.finding'))
    const here = await locate()
    if (typeof here === 'string') {
      setSaid(t(here === 'denied' ? 'place.denied' : 'map.notFound'))
      return
    }
    setSaid('')
    canvas.current?.showGuest({ lat: here[0], lon: here[1] }, t('map.me'))
  }

  const live = hydrated && state === 'live'
  return (
    <div className="map" data-state={state} data-live={live || undefined}>
      <div className="wait">
        <Icon name="map" />
        {hydrated ? null : <p>{t('map.noScript')}</p>}
      </div>
      <div className="canvas" ref={box} hidden={state === 'failed'} />
      {live ? (
        <>
          <div className="keys">
            <button type="button" aria-label={t('map.closer')} onClick={() => canvas.current?.zoom(1)}>
              <Icon name="plus" />
            </button>
            <button type="button" aria-label={t('map.farther')} onClick={() => canvas.current?.zoom(-1)}>
              <Icon name="minus" />
            </button>
            <button type="button" aria-label={t('map.locate')} onClick={findMe}>
              <Icon name="locate-fixed" />
            </button>
          </div>
          {elsewhere ? (
            <Link
              className="button here"
              preventScrollReset
              to={paths.map({ bbox: bboxOf(searchable(elsewhere)), q: query })}
            >
              {t('map.here')}
            </Link>
          ) : null}
          <MapCredit credit={data.credit} />
        </>
      ) : null}
      {/* Where the list has failed, too, that is said of both. */}
      {(state === 'failed' && !data.failed) || (state === 'loading' && tries > 0) ? (
        <p className="note" role="status">
          {t(state === 'failed' ? 'map.failed' : 'app.loading')}{' '}
          <button type="button" className="link" ref={again} onClick={retry}>
            {t('app.retry')}
          </button>
        </p>
      ) : null}
      {said ? (
        <p className="note" data-info role="status">
          {said}
        </p>
      ) : null}
    </div>
  )
}

/** What a screen reader hears of a pin is what the sighted see of its card. */
function pinOf({ card, at }: MapVenue, t: Text): Pin {
  const rating = card.rating ? formatNumber(card.rating, t.lang) : ''
  return {
    id: card.id,
    at,
    sign: rating || '•',
    name: [card.name, openText(t, card.open, card.paused), rating && `${t('venue.rating')} ${rating}`]
      .filter(Boolean)
      .join(', '),
    closed: !card.open.open || card.paused === true,
  }
}
