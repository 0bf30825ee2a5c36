/** PR-02, FM-09, FM-12: a birthday as it is typed and pasted, a phone as it is read. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPhone } from '../../components/lib/format/phone.ts'
import { maskDate } from '../../components/pages/profileForm/date-mask.ts'

/** One key after another, as the field hears them. */
function type(keys: string): string {
  let text = ''
  for (const key of keys) text = maskDate(text + key)
  return text
}

test('a birthday that is typed gets its slashes by itself', () => {
  assert.equal(type('3'), '3')
  assert.equal(type('31'), '31/')
  assert.equal(type('311'), '31/1')
  assert.equal(type('3112'), '31/12/')
  assert.equal(type('31121990'), '31/12/1990')
  // Typed with the marks, or with a short day and month.
  assert.equal(type('31/12/1990'), '31/12/1990')
  assert.equal(type('31.12.1990'), '31/12/1990')
  assert.equal(type('1.2.2003'), '01/02/2003')
  // What does not belong there has no effect.
  assert.equal(type('3a1b1c2d1990x77'), '31/12/1990')
  assert.equal(type('/./-'), '')
})

test('a birthday that is pasted is understood', () => {
  assert.equal(maskDate('31.12.1990'), '31/12/1990')
  assert.equal(maskDate('  31 - 12 - 1990 '), '31/12/1990')
  assert.equal(maskDate('31121990'), '31/12/1990')
  assert.equal(maskDate('1990-12-31'), '31/12/1990')
  assert.equal(maskDate('1990.2.1'), '01/02/1990')
  assert.equal(maskDate('1/2/2003'), '01/02/2003')
  assert.equal(maskDate('31/12/1990'), '31/12/1990')
  assert.equal(maskDate(''), '')
})

test('a phone stands in the groups of its country', () => {
  assert.equal(formatPhone('+77010000031'), '+7 701 000 00 31')
  assert.equal(formatPhone('+995599123456'), '+995 599 12 34 56')
  for (const other of ['', '+4915123456789', '+7701', '77010000031', '+7701000003x']) {
    assert.equal(formatPhone(other), other)
  }
})
