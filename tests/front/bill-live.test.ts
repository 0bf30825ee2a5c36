/** PY-14, AX-05: what has changed on an open bill, in words: brought, taken away, paid, over. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'
import { formatMoney } from '../../components/lib/format/format.ts'
import type { BillLine, BillPage, BillState, Lang } from '../../components/lib/page-data.ts'
import { createText } from '../../components/lib/text/text.tsx'
import { differences, isOver } from '../../components/pages/bill/bill-live.ts'
import { samplePages } from '../../components/pages/samples.ts'

declare const PROJECT_ROOT: string

const { catalogues } = compileTexts(readTexts(`${PROJECT_ROOT}/components`).texts)
const textOf = (lang: Lang) => createText(lang, catalogues[lang] ?? {})
const t = textOf('en')

const sample = (): BillPage => {
  for (const { data } of samplePages()) if (data.page.route === 'bill') return data.page.data
  throw new Error('no sample of a bill')
}

const line = (key: string, name: string, change: Partial<BillLine> = {}): BillLine => ({
  key,
  name,
  count: 1,
  price: 250_000,
  sum: 250_000,
  mine: 0,
  others: 0,
  paying: 0,
  paid: 0,
  ...change,
})

const TEA = line('a', 'Tea')
const PLOV = line('b', 'Plov', { count: 2 })
const bill = (change: Partial<BillPage> = {}): BillPage => ({
  ...sample(),
  state: 'open',
  lines: [TEA, PLOV],
  total: 750_000,
  paid: 0,
  paying: 0,
  left: 750_000,
  mine: [],
  ...change,
})

const between = (now: Partial<BillPage>, before: Partial<BillPage> = {}) => {
  const { changed, news } = differences(t, bill(before), bill(now))
  return { changed: [...changed], news }
}

test('nothing has changed: nothing is said, whatever the guest chose themselves', () => {
  assert.deepEqual(between({}), { changed: [], news: '' })
  assert.deepEqual(between({ lines: [{ ...TEA, mine: 1 }, PLOV], readAt: 99 }), { changed: [], news: '' })
})

test('a dish that was brought is said with how many of it are new', () => {
  const samsa = line('c', 'Samsa', { count: 3 })
  assert.deepEqual(between({ lines: [TEA, PLOV, samsa] }), {
    changed: ['c'],
    news: t('bill.news.added', { name: 'Samsa', count: 3 }),
  })
  assert.deepEqual(between({ lines: [TEA, { ...PLOV, count: 5 }] }), {
    changed: ['b'],
    news: t('bill.news.added', { name: 'Plov', count: 3 }),
  })
})

test('of fewer pieces it is said how many are left, of none that it was removed', () => {
  assert.deepEqual(between({ lines: [TEA, { ...PLOV, count: 1 }] }), {
    changed: ['b'],
    news: t('bill.news.fewer', { name: 'Plov', count: 1 }),
  })
  // What is not there any more can't be marked.
  assert.deepEqual(between({ lines: [PLOV] }), {
    changed: [],
    news: t('bill.news.removed', { name: 'Tea' }),
  })
})

test('a dish that another guest takes or gives back is said, one that is paid for is not free again', () => {
  const taken = { ...TEA, others: 1 }
  assert.deepEqual(between({ lines: [taken, PLOV] }), {
    changed: ['a'],
    news: t('bill.news.taken', { name: 'Tea' }),
  })
  assert.deepEqual(between({}, { lines: [taken, PLOV] }), {
    changed: ['a'],
    news: t('bill.news.free', { name: 'Tea' }),
  })
  assert.deepEqual(between({ lines: [{ ...TEA, paid: 1 }, PLOV] }, { lines: [taken, PLOV] }), {
    changed: ['a'],
    news: '',
  })
})

test('money that was paid is said with what is left of the bill', () => {
  const money = sample().money
  const sum = (hundredths: number) => formatMoney(hundredths, money)
  assert.notEqual(sum(250_000), sum(500_000))
  assert.deepEqual(between({ paid: 250_000, left: 500_000 }), {
    changed: [],
    news: t('bill.news.paid', { sum: sum(250_000), left: sum(500_000) }),
  })
  // Only what is new is said of it, and a sum that was taken back is no payment.
  assert.deepEqual(between({ paid: 350_000, left: 400_000 }, { paid: 250_000, left: 500_000 }), {
    changed: [],
    news: t('bill.news.paid', { sum: sum(100_000), left: sum(400_000) }),
  })
  assert.deepEqual(between({ paid: 0, left: 750_000 }, { paid: 250_000, left: 500_000 }), {
    changed: [],
    news: '',
  })
})

test('what is only at a bank is called neither paid nor left', () => {
  const { money, mine } = sample()
  const sum = (hundredths: number) => formatMoney(hundredths, money)
  const own = mine.filter(({ paid }) => !paid)
  assert.equal(own.length, 1)
  for (const [at, paying] of [
    [{ paying: 500_000, left: 0 }, 500_000],
    [{ paying: 200_000, left: 300_000 }, 200_000],
    [{ mine: own, left: 400_000 }, own[0]?.sum ?? 0],
  ] as const) {
    assert.deepEqual(between({ paid: 250_000, ...at }, { ...at, left: 250_000 + at.left }), {
      changed: [],
      news: t('bill.news.paidRest', { sum: sum(250_000), paying: sum(paying), left: sum(at.left) }),
    })
  }
})

test('that less is left is told until what was wanted is there again', () => {
  const less = (change: Partial<BillPage> = {}) =>
    bill({ problem: 'less', wanted: 500_000, left: 0, ...change })
  assert.equal(isOver(less(), less()), false)
  assert.equal(isOver(less(), less({ left: 499_900 })), false, 'it has become more, and is not enough')
  assert.equal(isOver(less(), less({ left: 500_000 })), true)
  // An address of before names no sum.
  assert.equal(isOver(bill({ problem: 'less', left: 0 }), bill({ left: 750_000 })), false)
  assert.equal(isOver(bill({ problem: 'changed', wanted: 1 }), bill()), false)
})

test('several changes at once are several sentences', () => {
  const { changed, news } = between({
    lines: [{ ...PLOV, count: 1 }, line('c', 'Samsa')],
    paid: 250_000,
    left: 500_000,
  })
  assert.deepEqual(changed, ['b', 'c'])
  assert.deepEqual(news.split('. '), [
    t('bill.news.fewer', { name: 'Plov', count: 1 }),
    t('bill.news.added', { name: 'Samsa', count: 1 }),
    t('bill.news.removed', { name: 'Tea' }),
    ...t('bill.news.paid', {
      sum: formatMoney(250_000, sample().money),
      left: formatMoney(500_000, sample().money),
    }).split('. '),
  ])
})

test('an end of the bill, and a bill that is there again, are said in all languages, and nothing of its lines', () => {
  for (const lang of ['kk', 'ru', 'en', 'ka'] as const) {
    const own = textOf(lang)
    for (const [from, to] of [
      ['open', 'closed'],
      ['open', 'notFound'],
      ['notFound', 'open'],
    ] satisfies [BillState, BillState][]) {
      const { changed, news } = differences(own, bill({ state: from }), bill({ state: to, lines: [] }))
      assert.deepEqual([...changed], [], `${lang} ${to}`)
      assert.notEqual(news, '', `${lang} ${to}`)
      assert.equal(news, own(`bill.news.${to}`))
    }
    const { news } = differences(own, bill({}), bill({ state: 'closed', paidInFull: true, lines: [] }))
    assert.equal(news, own('bill.closedPaid'))
  }
})
