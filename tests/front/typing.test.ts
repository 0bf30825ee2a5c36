/** SE-03, SE-04, SE-05, SE-07, SE-08, SE-11, ST-09: the pause in typing, the history, what is told of a search. */

import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { onTrack, track } from '../../components/lib/browser/events.ts'
import { forget, forgetAll, readHistory, remember } from '../../components/parts/search/search-history.ts'
import { createTyping, PAUSE } from '../../components/parts/search/typing.ts'

const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
}

beforeEach(() => {
  kept.clear()
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
})

function watched() {
  const seen: string[] = []
  const typing = createTyping({ paused: (text) => seen.push(text), emptied: () => seen.push('') })
  return { seen, typing }
}

test('a text is looked for after a pause, trimmed and once; an empty one at once', (t) => {
  assert.equal(PAUSE, 300, 'milliseconds')
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { seen, typing } = watched()
  typing.changed('л')
  t.mock.timers.tick(PAUSE - 1)
  typing.changed(' ла ')
  t.mock.timers.tick(PAUSE - 1)
  assert.deepEqual(seen, [])
  t.mock.timers.tick(1)
  assert.deepEqual(seen, ['ла'])
  typing.changed('ла  ')
  t.mock.timers.tick(PAUSE)
  assert.deepEqual(seen, ['ла'], 'the same text is not looked for again')
  typing.changed('лаг')
  typing.changed('   ')
  assert.deepEqual(seen, ['ла', ''], 'emptied at once')
  t.mock.timers.tick(PAUSE)
  assert.deepEqual(seen, ['ла', ''], 'and the timer is gone')
})

test('nothing is looked for while an input method puts letters together', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { seen, typing } = watched()
  typing.changed('김')
  typing.composing()
  typing.changed('김ㅊ')
  t.mock.timers.tick(PAUSE)
  typing.changed('김치')
  t.mock.timers.tick(PAUSE)
  assert.deepEqual(seen, [])
  typing.composed('김치')
  t.mock.timers.tick(PAUSE)
  assert.deepEqual(seen, ['김치'])
})

test('a word that the keyboard of a phone composes is looked for while it is typed', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { seen, typing } = watched()
  typing.composing()
  for (const text of ['лағ', 'lagh', 'ლობიო', 'кофе 2']) {
    typing.changed(text)
    t.mock.timers.tick(PAUSE)
    assert.equal(seen.at(-1), text)
  }
  typing.composed('кофе 2')
  t.mock.timers.tick(PAUSE)
  assert.equal(seen.length, 4, 'the same text is not looked for again')
})

test('the history keeps three, the newest first, each once, none empty', () => {
  for (const query of ['плов', 'лагман', '  ', 'манты', 'ЛАГМАН', 'чай']) remember(query)
  assert.deepEqual(readHistory(), ['чай', 'ЛАГМАН', 'манты'])
  assert.deepEqual(forget('ЛАГМАН'), ['чай', 'манты'])
  assert.deepEqual(forgetAll(), [])
  assert.equal(kept.size, 0, 'nothing stays in the storage')
})

test('a history of another version or shape is none, and a storage that throws costs nothing', () => {
  for (const text of ['{', '[]', '{"version":0,"value":["плов"]}', '{"version":1,"value":"плов"}']) {
    kept.set('searchHistory', text)
    assert.deepEqual(readHistory(), [], text)
  }
  kept.set('searchHistory', '{"version":1,"value":["плов",7,""]}')
  assert.deepEqual(readHistory(), ['плов'])
  Object.defineProperty(globalThis, 'localStorage', {
    get() {
      throw new Error('blocked')
    },
    configurable: true,
  })
  assert.deepEqual(readHistory(), [])
  assert.deepEqual(remember('плов'), ['плов'])
})

test('a confirmed search is told to its listeners, also to later ones', () => {
  track({ name: 'searchConfirmed', via: 'submit' })
  const heard = mock.fn()
  const stop = onTrack(heard)
  track({ name: 'searchConfirmed', via: 'history' })
  stop()
  track({ name: 'searchConfirmed', via: 'suggestion' })
  assert.deepEqual(
    heard.mock.calls.map((call) => call.arguments[0].via),
    ['submit', 'history'],
  )
})
