/** PY-14, PY-16: what is typed comes to the same in the browser as on the server, which reads the same cases (`choice.rs`). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { TENGE } from '../../components/lib/page/samples.ts'
import type { BillChoice, BillPage } from '../../components/lib/page-data.ts'
import { type Counted, counted } from '../../components/pages/bill/count.ts'
import { samplePages } from '../../components/pages/samples.ts'

declare const PROJECT_ROOT: string

type Case = {
  digits: number
  goods: number
  total: number
  left: number
  bonus: number
  split: 'sum' | 'all'
  sum: string
  tip: string
  ownTip: string
  typedBonus: string
  expected: Counted
}

const cases: Case[] = JSON.parse(readFileSync(`${PROJECT_ROOT}/tests/fixtures/bill-sums.json`, 'utf8'))

function sample(): { bill: BillPage; choice: BillChoice } {
  for (const { data } of samplePages()) {
    if (data.page.route !== 'bill') continue
    const { choice } = data.page.data
    if (choice) return { bill: data.page.data, choice }
  }
  throw new Error('no sample of a choice')
}

test('what is typed comes to the same in the browser as on the server', () => {
  const { bill, choice } = sample()
  assert.ok(cases.length > 40)
  for (const one of cases) {
    const { digits, goods, total, left, split, sum, tip, ownTip, expected } = one
    // How all of the bill is divided is the server's word.
    const { amount, base, mostBonus } = split === 'sum' ? choice : expected
    const found = counted(
      {
        ...bill,
        goods,
        total,
        left,
        tipPercents: [0, 5, 10, 15],
        money: { ...TENGE, fractionDigits: digits },
      },
      { ...choice, split, amount, base, mostBonus, allBonus: one.bonus, problem: null },
      { sum, tip, ownTip, bonus: one.typedBonus },
    )
    assert.deepEqual(found, expected, JSON.stringify(one))
  }
})
