/** A page that asks by itself how something stands (BC-14, PY-13). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAgain } from '../../components/lib/router/use-asking.ts'

const settled = () => new Promise((done) => setImmediate(done))

test('the next question comes a while after the answer, however slow that is, and none of a page that is hidden', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let seen = () => {}
  const page = {
    hidden: false,
    addEventListener: (_: string, listener: () => void) => {
      seen = listener
    },
    removeEventListener() {},
  }
  Object.defineProperty(globalThis, 'document', { value: page, configurable: true })
  const answers: (() => void)[] = []
  const stop = askAgain(
    () => new Promise((answer) => answers.push(answer)),
    () => 1500,
  )
  t.mock.timers.tick(1500)
  t.mock.timers.tick(60_000)
  assert.equal(answers.length, 1, 'it is waited for')
  answers[0]?.()
  await settled()
  t.mock.timers.tick(1499)
  assert.equal(answers.length, 1)
  t.mock.timers.tick(1)
  assert.equal(answers.length, 2)
  page.hidden = true
  answers[1]?.()
  await settled()
  t.mock.timers.tick(60_000)
  assert.equal(answers.length, 2)
  page.hidden = false
  seen()
  assert.equal(answers.length, 3, 'it is seen again')
  stop()
  answers[2]?.()
  await settled()
  t.mock.timers.tick(60_000)
  assert.equal(answers.length, 3)
})
