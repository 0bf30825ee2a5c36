import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import type { Position } from '../../lib/browser/known-position.ts'
import { lastAccuracy, locate, permission, type Unknown } from '../../lib/browser/position.ts'
import { formatDistance } from '../../lib/format/format.ts'
import type { Canvas } from '../../lib/map/canvas.ts'
import { fetchCanvas } from '../../lib/map/fetch-canvas.ts'
import type { AddressMapPage, Point } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { MapCredit } from '../../parts/map/MapCredit.tsx'
import { Icon } from '../../ui/Icon.tsx'

/** Half of the first view in degrees: some streets around a chosen place, a town around its centre. */
const STREETS = 0.003
const TOWN = 0.03
/** A meridian's degree is longer than a parallel's. */
const FLAT = 0.7
/** From here on the guest is told how exact the position is, metres. */
const VAGUE = 100

type Props = {
  data: AddressMapPage
  /** Where the pin stands. */
  at: Point
  canvas: RefObject<Canvas | undefined>
  /** What is typed beside it. */
  typed(): string
  /** Another place stands in the middle. `text` was typed when it was asked for: what was typed since means another. */
  onPlace(at: Point, text?: string): void
}

/** The map under a pin that stands still. Dragging, a tap, the arrow keys and the device's position move it. */
export function PinMap({ data, at, canvas, typed, onPlace }: Props) {
  const t = useText()
  const hydrated = useHydrated()
  const box = useRef<HTMLDivElement>(null)
  const again = useRef<HTMLButtonElement>(null)
  const first = useRef(data)
  const [state, setState] = useState<'loading' | 'live' | 'failed'>('loading')
  const [tries, setTries] = useState(0)
  const [said, setSaid] = useState('')

  // Is read when a position comes, long after the press that has asked for it.
  const pin = useRef(at)
  useEffect(() => {
    pin.current = at
  }, [at])

  const place = useEffectEvent((at: Point) => onPlace(at))
  const begin = useEffectEvent(async () => {
    if (first.current.chosen) return
    // A guest who has agreed is not asked again; one who has refused is told how to go on (HB-07).
    const allowed = await permission()
    if (allowed === 'denied') setSaid(t('place.denied'))
    if (allowed !== 'granted') return
    setSaid(t('addressMap.finding'))
    const text = typed()
    const here = await locate()
    // What the guest has chosen meanwhile stays.
    if (isChosen()) setSaid('')
    else show(here, text)
  })
  const isChosen = useEffectEvent(() => at !== first.current.at || canvas.current?.isMoving())

  /** The pin was set elsewhere before the map was there. */
  const settle = useEffectEvent((made: Canvas) => {
    const { lat, lon } = first.current.at
    if (at.lat !== lat || at.lon !== lon) made.moveTo(at)
  })

  useEffect(() => void begin(), [])

  // The map is not of this tree: it is made once and told of changes; one that has failed is made anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is what it waits for
  useEffect(() => {
    let gone = false
    fetchCanvas()
      .then(({ createCanvas }) => {
        if (gone || !box.current) return
        const { at: middle, chosen } = first.current
        const half = chosen ? STREETS : TOWN
        const made = createCanvas(box.current, {
          view: {
            west: middle.lon - half,
            south: middle.lat - half * FLAT,
            east: middle.lon + half,
            north: middle.lat + half * FLAT,
          },
          exact: true,
          name: box.current.dataset.name ?? '',
          wheel: true,
          tap: true,
          onPick: () => {},
          onMoved: () => place(made.centre()),
          onTiles(come) {
            setState(come ? 'live' : 'failed')
            // The button goes with what it was for.
            if (come && again.current?.matches(':focus')) box.current?.focus({ preventScroll: true })
          },
        })
        canvas.current = made
        settle(made)
      })
      .catch(() => setState('failed'))
    return () => {
      gone = true
      canvas.current?.remove()
      canvas.current = undefined
    }
  }, [canvas, tries])

  /** The page and what is typed on it stay: a load without a network would be the browser's own error page. */
  function retry(): void {
    if (state === 'loading') return
    setState('loading')
    setTries(tries + 1)
  }

  async function findMe(): Promise<void> {
    const from = pin.current
    setSaid(t('addressMap.finding'))
    const text = typed()
    const here = await locate()
    // Where the guest has put it meanwhile it stays.
    if (pin.current !== from || canvas.current?.isMoving()) setSaid('')
    else show(here, text)
  }

  function show(here: Position | Unknown, text: string): void {
    if (typeof here === 'string') {
      setSaid(t(here === 'denied' ? 'place.denied' : 'addressMap.notFound'))
      return
    }
    const accuracy = lastAccuracy()
    setSaid(
      accuracy !== undefined && accuracy >= VAGUE
        ? t('addressMap.vague', { distance: formatDistance(accuracy, t) })
        : '',
    )
    const found = { lat: here[0], lon: here[1] }
    canvas.current?.moveTo(found)
    onPlace(found, text)
  }

  const live = hydrated && state === 'live'
  return (
    <div className="map" data-state={state} data-live={live || undefined}>
      <div className="wait">
        <Icon name="map" />
        {hydrated ? null : <p>{t('addressMap.noScript')}</p>}
      </div>
      <div className="canvas" ref={box} data-name={t('addressMap.name')} hidden={state === 'failed'} />
      {live ? (
        <>
          <span className="target" aria-hidden="true" />
          <div className="keys">
            <button type="button" aria-label={t('addressMap.closer')} onClick={() => canvas.current?.zoom(1)}>
              <Icon name="plus" />
            </button>
            <button
              type="button"
              aria-label={t('addressMap.farther')}
              onClick={() => canvas.current?.zoom(-1)}
            >
              <Icon name="minus" />
            </button>
            <button type="button" aria-label={t('addressMap.locate')} onClick={findMe}>
              <Icon name="locate-fixed" />
            </button>
          </div>
          <MapCredit credit={data.credit} />
        </>
      ) : null}
      {state === 'failed' || (state === 'loading' && tries > 0) ? (
        <p className="note" role="status">
          {t(state === 'failed' ? 'addressMap.failed' : 'app.loading')}{' '}
          <button type="button" className="link" ref={again} onClick={retry}>
            {t('app.retry')}
          </button>
        </p>
      ) : said ? (
        <p className="note" data-info role="status">
          {said}
        </p>
      ) : null}
    </div>
  )
}
