/**
 * The map itself: Leaflet behind a small handle. This file is the only one that names Leaflet; it is imported when a map
 * is shown and never on the server. Texts of venues go in as text, never as markup.
 */

import type { FitBoundsOptions } from 'leaflet'
import { DivIcon, Map as LeafletMap, Marker, TileLayer } from 'leaflet/dist/leaflet-src.esm.js'
import type { Bounds, Point } from '../page-data.ts'

export type Pin = {
  id: number
  at: Point
  /** What stands on it. */
  sign: string
  /** What it is called. */
  name: string
  closed: boolean
}

export type CanvasOptions = {
  view: Bounds
  /** The view was seen like this before. */
  exact: boolean
  /** What stands over its right edge takes so much of it, in pixels. */
  covered?: number
  /** What the map is called. */
  name: string
  /** The wheel scrolls the page unless it shall zoom. */
  wheel: boolean
  /** A tap brings its place to the middle: the same as a drag (AX-02). */
  tap?: true
  onPick(id: number): void
  /** The guest has moved it and rests for a moment. */
  onMoved(now: Bounds): void
  /** Tiles come, or none of them does. */
  onTiles(come: boolean): void
}

export type Canvas = {
  setPins(pins: Pin[]): void
  /** Its place is another now. */
  movePin(id: number, at: Point): void
  /** Marks a pin and brings it into view. */
  pick(id: number | null): void
  zoom(by: 1 | -1): void
  /** `exact`: as it was seen before; else with room for pins at its edges. */
  show(view: Bounds, exact: boolean): void
  /** Shows where the guest is. */
  showGuest(at: Point, name: string): void
  /** Brings a place to the middle, close enough to read the streets. */
  moveTo(at: Point): void
  /** What is in the middle. */
  centre(): Point
  /** The guest has moved it, and `onMoved` has not told so yet. */
  isMoving(): boolean
  /** What is in view. */
  bounds(): Bounds
  remove(): void
}

/** A pause after a move (screens.md, 2.3). */
const REST = 300
const TILES = '/tiles/{z}/{x}/{y}'
const MIN_ZOOM = 4
const MAX_ZOOM = 18
/** A pin stands over its place. */
const ROOM = { left: 24, top: 48, right: 24, bottom: 8 }
/** What a pin takes of the screen, in pixels. */
const PIN_WIDTH = 46
const PIN_HEIGHT = 34
/** Close enough to read the streets. */
const NEAR = 15

export function createCanvas(box: HTMLElement, options: CanvasOptions): Canvas {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = new LeafletMap(box, {
    zoomControl: false,
    attributionControl: false,
    scrollWheelZoom: options.wheel,
    zoomAnimation: !still,
    fadeAnimation: false,
    markerZoomAnimation: !still,
    inertia: !still,
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
  })
  box.setAttribute('role', 'application')
  box.setAttribute('aria-label', options.name)

  /** Moves that the guest did not make say nothing of what the guest looks for. */
  let own = true
  let moving = false
  let rest: ReturnType<typeof setTimeout> | undefined
  map.on('movestart', () => {
    clearTimeout(rest)
    moving = !own
  })
  map.on('moveend', () => {
    clearTimeout(rest)
    moving = !own
    if (moving) rest = setTimeout(settled, REST)
    own = false
  })
  // Another window, or the keys of a phone: Leaflet tells the end of a move 200 ms later.
  map.on('resize', () => {
    own = true
  })
  function settled(): void {
    moving = false
    options.onMoved(boundsOf(map))
  }

  if (options.tap) map.on('click', ({ latlng }) => map.panTo(latlng, { animate: !still }))

  const tiles = new TileLayer(TILES, { minZoom: MIN_ZOOM, maxZoom: MAX_ZOOM })
  let come = 0
  tiles.on('tileload', () => {
    come += 1
    if (come === 1) options.onTiles(true)
  })
  tiles.on('tileerror', () => {
    if (come === 0) options.onTiles(false)
  })

  const room: FitBoundsOptions = {
    paddingTopLeft: [ROOM.left, ROOM.top],
    paddingBottomRight: [ROOM.right + (options.covered ?? 0), ROOM.bottom],
  }
  function show({ west, south, east, north }: Bounds, exact: boolean): void {
    own = true
    map.fitBounds(
      [
        [south, west],
        [north, east],
      ],
      { animate: false, ...(exact ? {} : room) },
    )
    own = false
  }
  show(options.view, options.exact)
  tiles.addTo(map)

  let pins = new Map<number, Marker>()
  let picked: number | null = null
  let guest: Marker | undefined

  function mark(): void {
    const stop = picked !== null && pins.has(picked) ? picked : pins.keys().next().value
    for (const [id, marker] of pins) {
      const element = marker.getElement()
      element?.setAttribute('aria-pressed', String(id === picked))
      // One stop of the Tab key for all pins; the arrows go between them.
      if (element) element.tabIndex = id === stop ? 0 : -1
      marker.setZIndexOffset(id === picked ? 10_000 : 0)
    }
    spread()
  }

  /** A pin that would lie on an earlier one (the list begins with the nearest) is a dot until the map is closer. */
  function spread(): void {
    const taken: { x: number; y: number }[] = []
    const order = [...pins].sort(([a], [b]) => Number(b === picked) - Number(a === picked))
    for (const [, marker] of order) {
      const at = map.latLngToLayerPoint(marker.getLatLng())
      const free = taken.every(
        ({ x, y }) => Math.abs(at.x - x) > PIN_WIDTH || Math.abs(at.y - y) > PIN_HEIGHT,
      )
      if (free) taken.push(at)
      marker.getElement()?.toggleAttribute('data-dot', !free)
    }
  }
  map.on('zoomend', spread)

  function step(from: number, by: number): void {
    const ids = [...pins.keys()]
    const id = ids[(ids.indexOf(from) + by + ids.length) % ids.length]
    if (id === undefined) return
    options.onPick(id)
    pins.get(id)?.getElement()?.focus({ preventScroll: true })
  }

  function addPin(pin: Pin): void {
    const marker = new Marker([pin.at.lat, pin.at.lon], { icon: iconOf(pin), keyboard: false })
    marker.on('click', () => options.onPick(pin.id))
    marker.addTo(map)
    pins.set(pin.id, marker)
    const element = marker.getElement()
    element?.setAttribute('role', 'button')
    element?.setAttribute('aria-label', pin.name)
    element?.addEventListener('keydown', (event) => {
      const by = STEPS[event.key]
      if (by === undefined && event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      event.stopPropagation()
      if (by === undefined) options.onPick(pin.id)
      else step(pin.id, by)
    })
  }

  return {
    setPins(next) {
      for (const marker of pins.values()) marker.remove()
      pins = new Map()
      for (const pin of next) addPin(pin)
      mark()
    },
    movePin(id, { lat, lon }) {
      pins.get(id)?.setLatLng([lat, lon])
    },
    pick(id) {
      picked = id
      mark()
      const at = id === null ? undefined : pins.get(id)?.getLatLng()
      if (!at || map.getBounds().pad(-0.1).contains(at)) return
      own = true
      map.panTo(at, { animate: !still })
    },
    zoom(by) {
      map.setZoom(map.getZoom() + by, { animate: !still })
    },
    show,
    showGuest(at, name) {
      guest?.remove()
      guest = new Marker([at.lat, at.lon], {
        icon: new DivIcon({ className: 'me', iconSize: undefined }),
        keyboard: false,
        interactive: false,
      }).addTo(map)
      guest.getElement()?.setAttribute('role', 'img')
      guest.getElement()?.setAttribute('aria-label', name)
      map.setView([at.lat, at.lon], Math.max(map.getZoom(), NEAR), { animate: false })
    },
    moveTo(at) {
      own = true
      map.setView([at.lat, at.lon], Math.max(map.getZoom(), NEAR), { animate: false })
      own = false
    },
    centre() {
      const { lat, lng } = map.getCenter()
      return { lat, lon: lng }
    },
    isMoving: () => moving,
    bounds: () => boundsOf(map),
    remove() {
      clearTimeout(rest)
      map.remove()
    },
  }
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

function iconOf({ sign, closed }: Pin): DivIcon {
  const body = document.createElement('span')
  body.textContent = sign
  body.toggleAttribute('data-closed', closed)
  return new DivIcon({ html: body, className: 'pin', iconSize: undefined })
}

function boundsOf(map: LeafletMap): Bounds {
  const bounds = map.getBounds()
  return {
    west: bounds.getWest(),
    south: bounds.getSouth(),
    east: bounds.getEast(),
    north: bounds.getNorth(),
  }
}
