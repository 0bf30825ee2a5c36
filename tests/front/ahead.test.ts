/** PY-14: a preorder is told with the service that its bill adds. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleShell, TENGE } from '../../components/lib/page/samples.ts'
import { withService } from '../../components/pages/booking/ahead.ts'

const { cart } = sampleShell('ru', '/')

test('the sum of a preorder has its service, in whole coins', () => {
  assert.ok(cart)
  const sum = (total: number, servicePercent: number | undefined, fractionDigits: number) => {
    const { servicePercent: _, ...plain } = cart
    const of = servicePercent === undefined ? { ...plain, total } : { ...plain, total, servicePercent }
    return withService(of, { ...TENGE, fractionDigits })
  }
  assert.equal(sum(344_000, 10, 0), 378_400)
  assert.equal(sum(344_000, undefined, 0), 344_000)
  // 10 % of 12.35, of 1,235 tenge.
  assert.equal(sum(1_235, 10, 2), 1_358)
  assert.equal(sum(123_500, 10, 0), 135_800)
})
