/** PY-14, PY-16: what is typed comes to the same in the browser as on the server, which reads the same cases (`choice.rs`). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { TENGE } from '../../components/lib/page/samples.ts'
import type { BillChoice, BillPage } from '../../components/lib/page-data.ts'
import { type Counted, counted, isKnown } from '../../components/pages/bill/count.ts'
import { samplePages } from '../../components/pages/samples.ts'

declare const PROJECT_ROOT: string

const TYPED = { of: '4', pay: '1', sum: '', tip: '0', ownTip: '', bonus: '' }

type Case = {
  digits: number
  goods: number
  total: number
  left: number
  bonus: number
  split: 'sum' | 'all' | 'equal'
  of?: string
  pay?: string
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
    const { amount, base, mostBonus } = split === 'all' ? expected : choice
    // So the server has divided it before anything was typed.
    const before = { of: 2, typedOf: '2', pay: 1, typedPay: '1', peopleLeft: 2 }
    const found = counted(
      {
        ...bill,
        goods,
        total,
        left,
        tipPercents: [0, 5, 10, 15],
        money: { ...TENGE, fractionDigits: digits },
      },
      { ...choice, ...before, split, amount, base, mostBonus, allBonus: one.bonus, problem: null },
      { of: one.of ?? '2', pay: one.pay ?? '1', sum, tip, ownTip, bonus: one.typedBonus },
    )
    assert.deepEqual(found, expected, JSON.stringify(one))
  }
})

test('numbers of people that cannot be divided by are wrong at once, without a request', () => {
  const { bill, choice } = sample()
  const equal: BillChoice = {
    ...choice,
    split: 'equal',
    of: 4,
    typedOf: '4',
    pay: 1,
    typedPay: '1',
    peopleLeft: 3,
  }
  const problem = (of: string, pay: string) => {
    const typed = { of, pay, sum: '', tip: '0', ownTip: '', bonus: '' }
    return counted(bill, { ...equal, problem: null }, typed).problem
  }
  assert.equal(problem('4', '1'), null)
  assert.equal(problem(' 50 ', '1'), null)
  for (const of of ['', '0', '1', '51', '1000', '-3', '2.5', 'x'])
    assert.equal(problem(of, '1'), 'badPeople', of)
  for (const pay of ['', '0', '4', '5', '-1', 'x']) assert.equal(problem('4', pay), 'badPay', pay)
  // One of the four has paid: of five, four are left.
  assert.equal(problem('5', '4'), null)
  assert.equal(problem('5', '5'), 'badPay')
  // What the server has said of the same numbers holds.
  assert.equal(counted(bill, { ...equal, problem: 'badPay' }, { ...TYPED }).problem, 'badPay')
})

test('where one person is left, only the server knows what others would pay', () => {
  const { bill, choice } = sample()
  const equal: BillChoice = { ...choice, split: 'equal', of: 4, typedOf: '4', pay: 1, typedPay: '1' }
  const typed = { ...TYPED, of: '5' }
  assert.equal(isKnown({ ...equal, peopleLeft: 3 }, typed), true)
  assert.equal(isKnown({ ...equal, peopleLeft: 1 }, typed), false, 'five may have paid of four')
  assert.equal(isKnown({ ...equal, peopleLeft: 1 }, TYPED), true)
  // One of the four has paid: of five, two of four who are left.
  const left = bill.left
  const { amount } = counted(bill, { ...equal, peopleLeft: 3 }, { ...typed, pay: '2' })
  assert.equal(amount, Math.floor((left * 2) / 4 / 100) * 100)
})
