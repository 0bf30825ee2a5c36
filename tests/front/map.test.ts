import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bboxOf, isElsewhere, searchable, widened } from '../../components/pages/map/bounds.ts'

declare const BUILT_WEB: string

type Manifest = {
  entry: string
  routes: Record<string, { js: string[]; critical: string }>
  files: Record<string, unknown>
}

const VIEW = { west: 76.9, south: 43.2, east: 77, north: 43.3 }

test('Leaflet is in one chunk that only a map asks for, and not in the server bundle', () => {
  const manifest: Manifest = JSON.parse(readFileSync(join(BUILT_WEB, 'manifest.json'), 'utf8'))
  const text = (name: string) => readFileSync(join(BUILT_WEB, 'public', name), 'utf8')
  const scripts = Object.keys(manifest.files).filter((name) => name.endsWith('.js'))
  const [chunk, ...more] = scripts.filter((name) => text(name).includes('leaflet-pane'))
  assert.ok(chunk, 'a chunk holds Leaflet')
  assert.deepEqual(more, [], 'one chunk holds Leaflet')
  assert.notEqual(chunk, manifest.entry)
  for (const [route, { js, critical }] of Object.entries(manifest.routes)) {
    assert.ok(!js.includes(chunk), `a first visit of ${route} brings Leaflet`)
    assert.equal(
      critical.includes('.leaflet-'),
      ['map', 'details', 'addressMap', 'orderCare'].includes(route),
      `the styles of ${route}`,
    )
  }
  const importing = scripts.filter((name) => new RegExp(`(from|import)"./${chunk}"`).test(text(name)))
  assert.deepEqual(importing, [], 'nothing imports it at once')
  assert.ok(
    scripts.some((name) => text(name).includes(`import("./${chunk}")`)),
    'a map imports it when it is shown',
  )
  assert.ok(!readFileSync(join(BUILT_WEB, 'server.js'), 'utf8').includes('leaflet-pane'))
})

test('a part of the map is written to a metre and in the order of the upstream', () => {
  assert.equal(
    bboxOf({ west: 76.900_004, south: 43.2, east: 77, north: 43.300_006 }),
    '76.9,43.2,77,43.30001',
  )
})

test('a wider part keeps its middle and never grows beyond what the server takes', () => {
  const wider = widened(VIEW, 3)
  assert.equal(bboxOf(wider), '76.8,43.1,77.1,43.4')
  let view = VIEW
  for (let times = 0; times < 20; times++) view = widened(view, 3)
  assert.ok(view.east - view.west <= 30 && view.north - view.south <= 30)
  assert.ok(view.north <= 85 && view.south >= -85)
})

test('of half of the world as much is searched as the server takes; a smaller part stays as it is', () => {
  assert.equal(
    bboxOf(searchable({ west: -20, south: -80, east: 160, north: 88 })),
    '55.0005,-10.9995,84.9995,18.9995',
  )
  assert.equal(bboxOf(searchable(VIEW)), bboxOf(VIEW))
})

test('a small move is no other part, a pan or a zoom is', () => {
  assert.equal(isElsewhere(VIEW, { ...VIEW }), false)
  assert.equal(isElsewhere(VIEW, { west: 76.905, south: 43.2, east: 77.005, north: 43.3 }), false)
  assert.equal(isElsewhere(VIEW, { west: 76.95, south: 43.2, east: 77.05, north: 43.3 }), true)
  assert.equal(isElsewhere(VIEW, { west: 76.9, south: 43.25, east: 77, north: 43.35 }), true)
  assert.equal(isElsewhere(VIEW, { west: 76.925, south: 43.225, east: 76.975, north: 43.275 }), true)
})
