/** Sums as people type them (UI-09). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hundredthsOf, numberText, typedNumber } from '../../components/overlays/bonus/numeric.ts'

test('UI-09 digits and one decimal point stay, a comma becomes the point, spaces go', () => {
  for (const [typed, shown] of [
    ['1 200,50', '1200.50'],
    ['1\u00a0200.5', '1200.5'],
    ['12a3', '123'],
    ['-5', '5'],
    ['1.2.3', '1.23'],
    ['1,2,3', '1.23'],
    ['0.999', '0.99'],
    ['1e9', '19'],
    ['', ''],
  ] as const) {
    assert.equal(typedNumber(typed), shown, typed)
  }
  assert.equal(hundredthsOf('1 200,50'), 120_050)
  assert.equal(hundredthsOf(''), 0)
  assert.equal(hundredthsOf('.'), 0)
  assert.equal(numberText(120_050), '1200.5')
  assert.equal(numberText(10_000), '100')
})
