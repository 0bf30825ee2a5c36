import { useEffect, useRef, useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import type { Canvas } from '../../lib/map/canvas.ts'
import { fetchCanvas } from '../../lib/map/fetch-canvas.ts'
import type { Bounds, MapCredit as Credit, Point } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { MapCredit } from '../../parts/map/MapCredit.tsx'
import { Icon } from '../../ui/Icon.tsx'

type Props = { at: Point; to: Point | null; credit: Credit | null }

const COURIER = 1
const GUEST = 2
/** Between two readings of the position. */
const INTERVAL = 3000
/** Room around the two, in degrees. */
const AROUND = 0.002
/** What its two buttons take of its right edge, in pixels, with half of a pin beside them. */
const KEYS = 80

/** Where the courier is: the map comes with a tap, and its pin drives from each reading to the next. */
export function CourierMap({ at, to, credit }: Props) {
  const t = useText()
  const hydrated = useHydrated()
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<Canvas>(undefined)
  const shown = useRef(at)
  const [state, setState] = useState<'button' | 'loading' | 'live' | 'failed'>('button')

  // The map is not of this tree: it goes with it.
  useEffect(() => () => canvas.current?.remove(), [])

  // The pin drives outside of React, one frame after the other.
  useEffect(() => {
    const from = shown.current
    if (from.lat === at.lat && from.lon === at.lon) return
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    const start = performance.now()
    let frame = requestAnimationFrame(function drive(now) {
      const way = still ? 1 : Math.min((now - start) / INTERVAL, 1)
      shown.current = {
        lat: from.lat + (at.lat - from.lat) * way,
        lon: from.lon + (at.lon - from.lon) * way,
      }
      canvas.current?.movePin(COURIER, shown.current)
      if (way < 1) frame = requestAnimationFrame(drive)
    })
    return () => cancelAnimationFrame(frame)
  }, [at.lat, at.lon])

  async function show(): Promise<void> {
    if (state === 'loading') return
    setState('loading')
    try {
      const { createCanvas } = await fetchCanvas()
      if (!box.current) return
      canvas.current?.remove()
      canvas.current = createCanvas(box.current, {
        view: around(shown.current, to),
        exact: false,
        covered: KEYS,
        name: t('care.mapName'),
        wheel: false,
        onPick() {},
        onMoved() {},
        onTiles(come) {
          setState(come ? 'live' : 'failed')
          // The button that had the focus is gone.
          if (come) box.current?.focus({ preventScroll: true })
        },
      })
      const pins = [
        { id: COURIER, at: shown.current, sign: t('care.courier'), name: t('care.courier'), closed: false },
      ]
      if (to) pins.push({ id: GUEST, at: to, sign: t('care.you'), name: t('care.you'), closed: true })
      canvas.current.setPins(pins)
    } catch {
      setState('failed')
    }
  }

  return (
    <div className="map" data-live={state === 'live' || undefined} data-state={state}>
      {state === 'live' ? null : (
        <button type="button" className="wait" data-wait={!hydrated || undefined} onClick={show}>
          <Icon name="map" />
          <span role={state === 'button' ? undefined : 'status'}>
            {t(state === 'loading' ? 'app.loading' : state === 'failed' ? 'care.mapFailed' : 'care.map')}
          </span>
        </button>
      )}
      <div className="canvas" ref={box} hidden={state !== 'live' && state !== 'loading'} />
      {state === 'live' ? (
        <>
          <MapCredit credit={credit} />
          <div className="keys">
            <button type="button" aria-label={t('care.closer')} onClick={() => canvas.current?.zoom(1)}>
              <Icon name="plus" />
            </button>
            <button type="button" aria-label={t('care.farther')} onClick={() => canvas.current?.zoom(-1)}>
              <Icon name="minus" />
            </button>
          </div>
        </>
      ) : null}
    </div>
  )
}

/** Both in view, the courier and the door. */
function around(one: Point, other: Point | null): Bounds {
  const two = other ?? one
  return {
    west: Math.min(one.lon, two.lon) - AROUND,
    south: Math.min(one.lat, two.lat) - AROUND,
    east: Math.max(one.lon, two.lon) + AROUND,
    north: Math.max(one.lat, two.lat) + AROUND,
  }
}
