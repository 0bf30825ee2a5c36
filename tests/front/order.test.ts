/** What the page of an order tells: progress that never runs backwards (OR-03), and when it is to be expected (OR-06). */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'
import type { OrderPage } from '../../components/lib/page-data.ts'
import { createText } from '../../components/lib/text/text.tsx'
import { samplePages } from '../../components/pages/samples.ts'
import { expectedText } from '../../components/parts/order/OrderSteps.tsx'
import { laterOf } from '../../components/parts/order/order-live.ts'

declare const PROJECT_ROOT: string

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

test('what is expected on another day of the venue is told with that day, in each language', () => {
  const { catalogues } = compileTexts(readTexts(join(PROJECT_ROOT, 'components')).texts)
  const almaty = 300
  // There it is ten minutes to midnight.
  const order = { ...reading(2, Date.UTC(2026, 10, 21, 18, 50)), utcOffset: almaty }
  const today = Date.UTC(2026, 10, 21, 18, 55)
  const tomorrow = Date.UTC(2026, 10, 21, 19, 20)
  const texts = {
    kk: ['Дайын болады: ~23:55–00:20', 'Шамамен 00:20, 22\u00a0қараша', 'Асүй дайындап болады: ~23:55'],
    ru: [
      'Будет готово примерно в 23:55–00:20',
      'Примерно в 00:20, 22\u00a0ноября',
      'Кухня закончит примерно в 23:55',
    ],
    en: [
      'Ready at about 23:55–00:20',
      'At about 00:20, 22\u00a0November',
      'The kitchen will be done at about 23:55',
    ],
    ka: [
      'მზად იქნება ~23:55–00:20-ზე',
      'დაახლოებით 00:20-ზე, 22\u00a0ნოემბერი',
      'სამზარეულო დაასრულებს ~23:55-ზე',
    ],
  } as const
  for (const lang of ['kk', 'ru', 'en', 'ka'] as const) {
    const t = createText(lang, catalogues[lang] ?? {})
    const [now, next, cooked] = texts[lang]
    assert.equal(expectedText(t, 'order.readyAt', order, today, tomorrow), now)
    assert.equal(expectedText(t, 'order.expected', order, tomorrow, null), next)
    assert.equal(expectedText(t, 'order.cookedAt', order, today, null), cooked)
  }
})
