/** PY-14: what came in the way of a payment of a bill is said once, and only while it is of use. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'
import type { BillPage, BillProblem } from '../../components/lib/page-data.ts'
import { createText } from '../../components/lib/text/text.tsx'
import { isOfPaying, problemOf, saysNews } from '../../components/pages/bill/problem.ts'
import { samplePages } from '../../components/pages/samples.ts'

declare const PROJECT_ROOT: string

const { catalogues } = compileTexts(readTexts(`${PROJECT_ROOT}/components`).texts)
const t = createText('en', catalogues.en ?? {})

const sample = (): BillPage => {
  for (const { data } of samplePages()) if (data.page.route === 'bill') return data.page.data
  throw new Error('no sample of a bill')
}

const said = (problem: BillProblem | null, change: Partial<BillPage> = {}) =>
  problemOf(t, { ...sample(), choice: null, problem, waiterIn: 0, mine: [], ...change })

test('what came in the way is said', () => {
  assert.equal(said(null), null)
  assert.equal(said('taken'), t('bill.problem.taken'))
  assert.equal(said('changed'), t('bill.problem.changed'))
  assert.equal(said('calledOff'), t('bill.problem.calledOff'))
  const less = { left: 100_000, paying: 0 }
  assert.match(said('less', less) ?? '', /^Others have paid meanwhile\. Only 1/)
  assert.match(said('less', { ...less, paying: 200_000 }) ?? '', /^Others are paying now: only 1/)
})

test('while others pay all that is left, nobody is asked to choose or to press again', () => {
  for (const problem of ['less', 'changed', 'calledOff'] as const) {
    assert.equal(said(problem, { left: 0, paying: 0 }), t('bill.problem.nothing'), problem)
    // The bank may refuse it.
    assert.equal(said(problem, { left: 0, paying: 500 }), t('bill.problem.nothingPaying'), problem)
  }
  assert.equal(said('taken', { left: 0 }), null, 'that all of it is being paid says more')
  assert.equal(said('refused', { left: 0 }), t('bill.problem.refused'))
})

test('what the guest pays is not said to be paid by others', () => {
  const mine = [{ href: '/pay/t', sum: 100_000, tips: 0, due: 100_000, paid: false }]
  for (const paying of [0, 200_000]) {
    const own = { mine, paying }
    assert.match(said('less', { ...own, left: 100_000 }) ?? '', /^You are paying a part already: only 1/)
    for (const problem of ['less', 'changed', 'calledOff'] as const) {
      assert.equal(said(problem, { ...own, left: 0 }), t('bill.problem.nothingOwn'), problem)
    }
  }
  const paid = mine.map((part) => ({ ...part, paid: true }))
  assert.equal(said('less', { mine: paid, paying: 0, left: 0 }), t('bill.problem.nothing'))
})

test('what is about something else hides neither news nor what is left', () => {
  const hides = (problem: BillProblem | null, change: Partial<BillPage> = {}) =>
    saysNews(t, { ...sample(), choice: null, problem, waiterIn: 0, ...change })
  for (const problem of ['less', 'changed', 'taken', 'calledOff'] as const) {
    assert.equal(hides(problem), true, problem)
  }
  assert.equal(hides('taken', { left: 0 }), false, 'it is not said itself')
  for (const problem of ['waiter', 'often', 'refused', 'unavailable', 'pending', null] as const) {
    assert.equal(hides(problem), false, problem ?? 'none')
  }
  assert.deepEqual((['waiter', 'often', 'pending', 'refused'] as const).map(isOfPaying), [
    false,
    false,
    true,
    true,
  ])
})

test('what has ended since, or what a button says, is not said', () => {
  const [waiting, paid] = [false, true].map((is) => [{ href: '/pay/t', sum: 1, tips: 0, due: 1, paid: is }])
  assert.equal(said('stillPaying', { mine: waiting ?? [] }), t('bill.problem.stillPaying'))
  assert.equal(said('stillPaying', { mine: paid ?? [] }), null)
  assert.equal(said('waiter'), t('bill.problem.waiter'))
  assert.equal(said('waiter', { waiterIn: 1000 }), null)
  assert.equal(said('check'), null)
})
