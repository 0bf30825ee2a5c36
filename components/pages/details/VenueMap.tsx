import { type MouseEvent, useEffect, useRef, useState } from 'react'
import type { Canvas } from '../../lib/map/canvas.ts'
import type { MapCredit as Credit, Point } from '../../lib/page-data.ts'
import { MapCredit } from '../../parts/map/MapCredit.tsx'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/Icon.tsx'

type Props = {
  id: number
  at: Point
  name: string
  /** What is on its pin, and what the pin is called. */
  sign: string
  closed: boolean
  credit: Credit | null
  texts: Record<'show' | 'loading' | 'failed' | 'closer' | 'farther' | 'name', string>
}

type State = 'link' | 'loading' | 'live' | 'failed'

/** Half of what is shown, in degrees. */
const AROUND = 0.004

/**
 * Where one venue stands. It is a link to the map of all venues; with scripts a tap shows the map in its place. A map
 * that does not come leaves the link (FL-17).
 */
export function VenueMap({ id, at, name, sign, closed, credit, texts }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<Canvas>(undefined)
  const [state, setState] = useState<State>('link')
  const href = paths.map({ venue: id })

  // The map is not of this tree: it goes with it.
  useEffect(() => () => canvas.current?.remove(), [])

  async function show(event: MouseEvent): Promise<void> {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    if (state === 'loading') return
    setState('loading')
    try {
      const { createCanvas } = await import('../../lib/map/canvas.ts')
      if (!box.current) return
      const view = {
        west: at.lon - AROUND,
        south: at.lat - AROUND,
        east: at.lon + AROUND,
        north: at.lat + AROUND,
      }
      canvas.current = createCanvas(box.current, {
        view,
        exact: true,
        name: texts.name,
        wheel: false,
        onPick() {},
        onMoved() {},
        onTiles(come) {
          setState(come ? 'live' : 'failed')
          // The link that had the focus is gone.
          if (come) box.current?.focus({ preventScroll: true })
        },
      })
      canvas.current.setPins([{ id, at, sign, name, closed }])
      canvas.current.pick(id)
    } catch {
      setState('failed')
    }
  }

  return (
    <div className="map" data-live={state === 'live' || undefined} data-state={state}>
      {state === 'live' ? null : (
        <a className="wait" href={href} onClick={state === 'failed' ? undefined : show}>
          <Icon name="map" />
          <span role={state === 'link' ? undefined : 'status'}>
            {state === 'loading' ? texts.loading : state === 'failed' ? texts.failed : texts.show}
          </span>
        </a>
      )}
      <div className="canvas" ref={box} hidden={state !== 'live' && state !== 'loading'} />
      {state === 'live' ? <MapCredit credit={credit} /> : null}
      {state === 'live' ? (
        <div className="keys">
          <button type="button" aria-label={texts.closer} onClick={() => canvas.current?.zoom(1)}>
            <Icon name="plus" />
          </button>
          <button type="button" aria-label={texts.farther} onClick={() => canvas.current?.zoom(-1)}>
            <Icon name="minus" />
          </button>
        </div>
      ) : null}
    </div>
  )
}
