/** OR-03: the progress of an order never runs backwards, whatever arrives late. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderPage } from '../../components/lib/page-data.ts'
import { samplePages } from '../../components/pages/samples.ts'
import { laterOf } from '../../components/parts/order/order-live.ts'

function reading(rank: number, readAt: number): OrderPage {
  for (const { data } of samplePages()) {
    if (data.page.route === 'order') return { ...data.page.data, rank, readAt }
  }
  throw new Error('no sample of an order')
}

test('the further status stays, of two equal ones the later reading', () => {
  const table: [now: [number, number], next: [number, number], kept: 'now' | 'next'][] = [
    [[2, 10], [3, 20], 'next'],
    [[3, 20], [2, 10], 'now'],
    [[3, 20], [2, 30], 'now'],
    [[2, 30], [3, 10], 'next'],
    [[2, 10], [2, 20], 'next'],
    [[2, 20], [2, 10], 'now'],
  ]
  for (const [first, second, kept] of table) {
    const now = reading(...first)
    const next = reading(...second)
    assert.equal(laterOf(now, next), kept === 'now' ? now : next)
  }
})
