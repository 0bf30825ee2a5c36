/** KS-02: when a tablet asks whether the guest is still there, and when it forgets them. */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createWatch } from '../../components/overlays/kiosk/watch.ts'

const BEGAN = 1_700_000_000_000
/** The page of an order asks so soon, milliseconds. */
const ORDERED = 10_000

let now: number
let idle: number
let kept: number[]
let forgotten: number
let listened: number
/** What another page has written down. */
let stored: number | undefined

beforeEach(() => {
  now = BEGAN
  idle = 90_000
  kept = []
  forgotten = 0
  listened = 0
  stored = undefined
})

function watchFrom(touched?: number) {
  const watch = createWatch({
    idle: () => idle,
    warning: 20_000,
    tells: () => idle === ORDERED,
    touched: () => stored ?? touched,
    keep: (at) => kept.push(at),
    forget: async () => {
      forgotten += 1
      return false
    },
    now: () => now,
  })
  watch.subscribe(() => {
    listened += 1
  })
  const after = (seconds: number) => {
    now += seconds * 1000
    watch.tick()
    return watch.snapshot()
  }
  return { ...watch, after }
}

test('an untouched tablet rests until the first touch', () => {
  const watch = watchFrom()
  assert.equal(watch.after(3600).phase, 'resting')
  watch.touch()
  assert.equal(watch.snapshot().phase, 'resting')
  watch.wake()
  assert.equal(watch.snapshot().phase, 'awake')
  assert.deepEqual(kept, [now])
})

test('it asks after ninety seconds, counts twenty, and forgets', () => {
  const watch = watchFrom(BEGAN)
  assert.equal(watch.after(89).phase, 'awake')
  assert.deepEqual(watch.after(1), { phase: 'asking', left: 20 })
  assert.deepEqual(watch.after(19.5), { phase: 'asking', left: 1 })
  assert.equal(forgotten, 0)
  assert.equal(watch.after(0.5).phase, 'leaving')
  assert.equal(forgotten, 1)
})

test('a touch puts it off, and an answer to the question does', () => {
  const watch = watchFrom(BEGAN)
  watch.after(80)
  watch.touch()
  assert.equal(watch.after(80).phase, 'awake')
  assert.equal(watch.after(15).phase, 'asking')
  watch.touch()
  assert.equal(watch.snapshot().phase, 'awake')
  assert.equal(watch.after(89).phase, 'awake')
  assert.equal(forgotten, 0)
})

test('touches are written down once a second at most', () => {
  const watch = watchFrom(BEGAN)
  for (let count = 0; count < 40; count++) {
    now += 100
    watch.touch()
  }
  assert.equal(kept.length, 4)
  assert.equal(listened, 0, 'nothing is drawn for a touch')
})

test('what could not be forgotten is tried again every five seconds, and no guest gets in before', async () => {
  const watch = watchFrom(BEGAN)
  watch.leave()
  assert.equal(forgotten, 1)
  watch.after(60)
  assert.equal(forgotten, 1, 'not while the first attempt is under way')
  await Promise.resolve()
  watch.after(4)
  assert.equal(forgotten, 1)
  watch.after(1)
  assert.equal(forgotten, 2)
  watch.touch()
  assert.equal(watch.snapshot().phase, 'leaving')
})

test('a page that was closed goes on counting where it was', () => {
  assert.equal(watchFrom(BEGAN - 60_000).after(29).phase, 'awake')
  assert.deepEqual(watchFrom(BEGAN - 89_000 - 29_000).after(1), { phase: 'leaving', left: 0 })
  assert.equal(watchFrom(BEGAN - 110_000).snapshot().phase, 'leaving')
  // A clock that was set back tells nothing.
  assert.equal(watchFrom(BEGAN + 60_000).snapshot().phase, 'leaving')
})

test('a guest who came back too late is forgotten at the first look at the clock', () => {
  const watch = watchFrom(BEGAN - 500_000)
  assert.equal(forgotten, 0)
  watch.tick()
  assert.equal(forgotten, 1)
})

test('the page of an order asks sooner, and begins to count when it comes', () => {
  const watch = watchFrom(BEGAN)
  watch.after(60)
  idle = ORDERED
  assert.equal(watch.after(1).phase, 'awake')
  assert.equal(watch.after(9).phase, 'awake')
  assert.deepEqual(watch.after(1), { phase: 'asking', left: 20 })
  assert.equal(watch.after(20).phase, 'leaving')
})

test('the page of an order tells from the first second on how long it stands, others do not', () => {
  const watch = watchFrom(BEGAN)
  assert.deepEqual(watch.after(60), { phase: 'awake', left: 0 })
  idle = ORDERED
  assert.deepEqual(watch.after(1), { phase: 'awake', left: 30 })
  assert.deepEqual(watch.after(4), { phase: 'awake', left: 26 })
  watch.touch()
  assert.deepEqual(watch.snapshot(), { phase: 'awake', left: 30 })
  assert.deepEqual(watch.after(10), { phase: 'asking', left: 20 })
})

test('a touch of another page of the same tablet counts', () => {
  const watch = watchFrom(BEGAN)
  watch.after(89)
  stored = now
  assert.equal(watch.after(60).phase, 'awake')
  assert.equal(watch.after(30).phase, 'asking')
  stored = now
  assert.equal(watch.after(1).phase, 'awake')
  assert.equal(forgotten, 0)
})

test('a clock that is set back does not forget the guest who is there', () => {
  const watch = watchFrom(BEGAN)
  assert.equal(watch.after(-3600).phase, 'awake')
  assert.equal(watch.after(89).phase, 'awake')
  assert.equal(watch.after(1).phase, 'asking')
})
