/** RT-17, RT-18: where the header's way back leads. */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { goBack, noteArrival } from '../../components/lib/browser/back.ts'

const PATIENCE = 500

type Fake = { href: string; idx: number; steps: number; heard: Map<string, () => void> }
let fake: Fake
let led: string[]

beforeEach(() => {
  fake = { href: 'https://x/filials/1', idx: 1, steps: 0, heard: new Map() }
  led = []
  noteArrival(false)
  const values = {
    window: {
      history: {
        get state() {
          return fake.idx < 0 ? null : { idx: fake.idx }
        },
        back: () => {
          fake.steps += 1
        },
      },
    },
    location: {
      get href() {
        return fake.href
      },
    },
    addEventListener: (name: string, run: () => void, { signal }: { signal: AbortSignal }) => {
      fake.heard.set(name, run)
      signal.addEventListener('abort', () => fake.heard.delete(name))
    },
  }
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
})

const ways = { root: () => led.push('root'), up: () => led.push('up') }

test('after a payment page it leads to the root, whatever the history holds', () => {
  noteArrival(true)
  goBack(ways)
  assert.deepEqual([led, fake.steps], [['root'], 0])
})

test('the first page of a visit leads up at once: there is nothing of ours to step back to', () => {
  for (const idx of [0, -1]) {
    fake.idx = idx
    goBack(ways)
  }
  assert.deepEqual([led, fake.steps], [['up', 'up'], 0])
})

test('a step that leads somewhere is all', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  goBack(ways)
  assert.equal(fake.steps, 1)
  fake.href = 'https://x/'
  fake.heard.get('popstate')?.()
  t.mock.timers.tick(PAUSE_AND_MORE)
  assert.deepEqual([led, fake.heard.size], [[], 0])
})

test('a step that leads nowhere leads to the root after half a second, and not before', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  goBack(ways)
  t.mock.timers.tick(PATIENCE - 1)
  assert.deepEqual(led, [])
  t.mock.timers.tick(1)
  assert.deepEqual([led, fake.heard.size], [['root'], 0])
})

test('a step to an entry with the same address, or to another hash of it, is a step', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  goBack(ways)
  fake.heard.get('popstate')?.()
  t.mock.timers.tick(PAUSE_AND_MORE)
  goBack(ways)
  fake.href = 'https://x/filials/1#cat-2'
  t.mock.timers.tick(PAUSE_AND_MORE)
  assert.deepEqual(led, [])
})

test('a page that is left and comes back to life does not go on counting', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  goBack(ways)
  fake.heard.get('pagehide')?.()
  t.mock.timers.tick(PAUSE_AND_MORE)
  assert.deepEqual(led, [])
})

const PAUSE_AND_MORE = PATIENCE * 2
