/** OR-11: whoever has ordered is thanked at first; later the page is about the state of the order. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORDER } from '../../components/lib/page/sample-order.ts'
import { isNew } from '../../components/parts/order/is-new.ts'

test('an order is new until its kitchen begins, a quarter of an hour has passed or it is late', () => {
  const { readAt } = ORDER
  const fresh = { ...ORDER, status: 'created' as const, createdAt: readAt - 60_000 }
  assert.equal(isNew(fresh), true)
  assert.equal(isNew({ ...fresh, createdAt: null }), true, 'nobody says when it was placed')
  assert.equal(isNew({ ...fresh, createdAt: readAt - 900_000 }), false)
  assert.equal(isNew({ ...fresh, dueAt: readAt + 1 }), true)
  assert.equal(isNew({ ...fresh, dueAt: readAt }), false)
  for (const status of ['cooking', 'ready', 'completed', 'canceled', 'unknown'] as const) {
    assert.equal(isNew({ ...fresh, status }), false, status)
  }
})
