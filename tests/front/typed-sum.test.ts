/** What guests type as a sum is read by the browser as the server reads it, so that it can be repeated in groups. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBroken, typedSum } from '../../components/pages/bill/typed-sum.ts'

test('a typed sum is read with blanks, a comma or a point', () => {
  const all: [string, number][] = [
    ['1200', 120_000],
    ['1 200', 120_000],
    ['1\u00a0234\u00a0567', 123_456_700],
    ['12,5', 1250],
    ['12.50', 1250],
    ['12,', 1200],
    ['999999999999', 99_999_999_999_900],
    [' 7 ', 700],
  ]
  for (const [text, sum] of all) assert.equal(typedSum(text), sum, text)
})

test('what is no sum is repeated as none', () => {
  for (const text of ['', '-5', '1e9', '12.345', '99999999999999', '٣', '12,5,5', 'abc'])
    assert.equal(typedSum(text), null, text)
})

test('a sum in coins that its currency does not have is known as such', () => {
  for (const text of ['3000,50', '3000.5', '0,05']) assert.ok(isBroken(text, 0), text)
  for (const text of ['3000', '3000,00', '3000,', 'abc']) assert.ok(!isBroken(text, 0), text)
  assert.ok(!isBroken('12,50', 2))
})
