/** FM-01 to FM-08, FM-10, FM-11, FM-13: money, dates, times, distances. */

import { catalogue as en } from 'locale:en'
import { catalogue as ka } from 'locale:ka'
import { catalogue as kk } from 'locale:kk'
import { catalogue as ru } from 'locale:ru'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileTexts, readTexts } from '../../components/build/catalogues.mjs'
import {
  formatDate,
  formatDistance,
  formatLongDay,
  formatMoney,
  formatPercent,
  formatRecentDay,
  formatTime,
} from '../../components/lib/format/format.ts'
import type { Lang, MoneyFormat } from '../../components/lib/page-data.ts'
import { formatMessage, formatNumber } from '../../components/lib/text/message.ts'
import { createText } from '../../components/lib/text/text.tsx'
import { openText } from '../../components/parts/venue/OpenLine.tsx'

declare const PROJECT_ROOT: string

const tenge: MoneyFormat = {
  code: 'KZT',
  symbol: '₸',
  format: '%v\u00a0%s',
  thousands: ' ',
  decimal: ',',
  fractionDigits: 0,
  rounding: 'floor',
  precision: 0,
}
const lari: MoneyFormat = { ...tenge, code: 'GEL', symbol: '₾', fractionDigits: 2, precision: 2 }

test('tenge stand before their sign, without decimals, rounded down', () => {
  assert.equal(formatMoney(1_234_500, tenge), '12\u00a0345\u00a0₸')
  assert.equal(formatMoney(99_999, tenge), '999\u00a0₸')
  assert.equal(formatMoney(0, tenge), '0\u00a0₸')
  assert.equal(formatMoney(123_456_789_00, tenge), '123\u00a0456\u00a0789\u00a0₸')
})

test('lari have two decimals where a fraction exists', () => {
  assert.equal(formatMoney(1200, lari), '12\u00a0₾')
  assert.equal(formatMoney(1250, lari), '12,50\u00a0₾')
  assert.equal(formatMoney(1205, lari), '12,05\u00a0₾')
})

test('a refund is as much as what was paid, with a minus', () => {
  assert.equal(formatMoney(-50, tenge), '0\u00a0₸')
  assert.equal(formatMoney(-185_050, tenge), '\u22121\u00a0850\u00a0₸')
  assert.equal(formatMoney(-1250, lari), '\u221212,50\u00a0₾')
})

test('the sign may stand before the sum', () => {
  assert.equal(formatMoney(-1250, { ...lari, format: '%s\u00a0%v' }), '\u2212₾\u00a012,50')
  assert.equal(formatMoney(1250, { ...lari, format: '%s%v' }), '₾12,50')
  assert.equal(formatMoney(1250, { ...lari, symbol: '$&', format: '%v%s' }), '12,50$&')
})

test('sums have the separators of the town in every language, other numbers those of the language', () => {
  const pointed = { ...lari, thousands: ',', decimal: '.' }
  assert.equal(formatMoney(123_450, lari), '1\u00a0234,50\u00a0₾')
  assert.equal(formatMoney(123_450, pointed), '1,234.50\u00a0₾')
  for (const lang of ['kk', 'ru', 'ka'] as const) assert.equal(formatNumber(4.7, lang), '4,7')
  assert.equal(formatNumber(4.7, 'en'), '4.7')
  assert.equal(formatNumber(1284, 'en'), '1\u00a0284')
})

test('every rounding mode has its rule, any other word floors', () => {
  const whole = (hundredths: number, rounding: string) =>
    formatMoney(hundredths, { ...lari, rounding, precision: 0 }).replace('\u00a0₾', '')
  const table: [mode: string, sums: string[]][] = [
    ['floor', ['0', '1', '2', '2']],
    ['truncate', ['0', '1', '2', '2']],
    ['custom', ['0', '1', '2', '2']],
    ['whatever', ['0', '1', '2', '2']],
    ['ceil', ['1', '2', '3', '3']],
    ['round', ['1', '2', '3', '3']],
    ['bankers', ['0', '2', '2', '3']],
    ['none', ['0,50', '1,50', '2,50', '2,51']],
  ]
  for (const [mode, sums] of table) {
    assert.deepEqual(
      [50, 150, 250, 251].map((sum) => whole(sum, mode)),
      sums,
      mode,
    )
  }
  assert.equal(whole(249, 'round'), '2')
})

test('precision goes to tens and hundreds of tenge', () => {
  assert.equal(formatMoney(123_400, { ...tenge, precision: -1 }), '1\u00a0230\u00a0₸')
  assert.equal(formatMoney(125_000, { ...tenge, precision: -2, rounding: 'bankers' }), '1\u00a0200\u00a0₸')
  assert.equal(formatMoney(123_400, { ...tenge, precision: -2, rounding: 'ceil' }), '1\u00a0300\u00a0₸')
})

test('dates name the month in words of the language, Russian in the genitive', () => {
  const at = Date.UTC(2026, 10, 21, 1, 10)
  assert.equal(formatDate(at, 300, 'kk'), '21 қараша, 06:10')
  assert.equal(formatDate(at, 300, 'ru'), '21 ноября, 06:10')
  assert.equal(formatDate(at, 300, 'en'), '21 November, 06:10')
  assert.equal(formatDate(at, 240, 'ka'), '21 ნოემბერი, 05:10')
})

test('the zone is the town’s: midnight passes there, not here', () => {
  const at = Date.UTC(2026, 11, 31, 19, 30)
  assert.equal(formatDate(at, 300, 'ru'), '1 января, 00:30')
  assert.equal(formatDate(at, 240, 'ru'), '31 декабря, 23:30')
  assert.equal(formatTime(at, 300), '00:30')
})

test('distances are metres under a kilometre, else one decimal', () => {
  const russian = createText('ru', ru)
  assert.equal(formatDistance(849.5, russian), '850 м')
  assert.equal(formatDistance(999.4, russian), '999 м')
  assert.equal(formatDistance(999.6, russian), '1,0 км')
  assert.equal(formatDistance(1234.5, russian), '1,2 км')
  assert.equal(formatDistance(12_345, createText('kk', kk)), '12,3 км')
  assert.equal(formatDistance(1234.5, createText('en', en)), '1.2 km')
  assert.equal(formatDistance(1_234_567, russian), '1\u00a0234,6 км')
})

test('percents and numbers use the minus, and the separators of sums', () => {
  assert.equal(formatPercent(-20), '\u221220\u00a0%')
  assert.equal(formatNumber(999, 'ru'), '999')
  assert.equal(formatNumber(1284, 'ru'), '1\u00a0284')
  assert.equal(formatNumber(12_345.5, 'ru'), '12\u00a0345,5')
  assert.equal(formatNumber(-12_345.5, 'ru'), '\u221212\u00a0345,5')
})

test('a day that lies far away has its year, in the order of the language and on one line', () => {
  // An hour before the year ends in London it is the next one in Almaty.
  const at = Date.UTC(2026, 11, 31, 23, 0)
  const long = (lang: 'kk' | 'ru' | 'en' | 'ka') => formatLongDay(at, 300, lang).replaceAll('\u00a0', '_')
  assert.equal(long('kk'), '2027_ж._1_қаңтар')
  assert.equal(long('ru'), '1_января_2027_г.')
  assert.equal(long('en'), '1_January_2027')
  assert.equal(long('ka'), '2027_წლის_1_იანვარი')
  assert.equal(formatRecentDay(at, at - 1, 300, 'en'), '1 January')
  assert.equal(formatRecentDay(at, at - 86_400_000, 300, 'en'), '1\u00a0January\u00a02027')
})

test('FM-13 times have 24 hours, ranges an en dash, and an opening on the next day of the venue says so', () => {
  const midnight = Date.UTC(2026, 10, 20, 19)
  assert.equal(formatTime(midnight, 300), '00:00')
  assert.equal(formatTime(midnight - 60_000, 300), '23:59')
  const opens = (lang: Lang, inDays: number) =>
    openText(createText(lang, { kk, ru, en, ka }[lang], lang), {
      open: false,
      always: false,
      at: '09:00',
      inDays,
    })
  assert.equal(opens('ru', 1), 'Закрыто, откроется завтра в 09:00')
  assert.equal(opens('kk', 1), 'Жабық, ертең ашылады: 09:00')
  assert.equal(opens('en', 1), 'Closed, opens tomorrow at 09:00')
  assert.equal(opens('ka', 1), 'დაკეტილია, გაიხსნება ხვალ 09:00-ზე')
  const { catalogues } = compileTexts(readTexts(`${PROJECT_ROOT}/components`).texts)
  for (const lang of ['kk', 'ru', 'en', 'ka'] as const) {
    assert.notEqual(opens(lang, 0), opens(lang, 1))
    const range = (key: string) =>
      formatMessage(catalogues[lang]?.[key] ?? '', { from: '18:00', to: '02:30' }, lang)
    assert.equal(range('details.span'), '18:00 – 02:30')
    assert.match(range('details.spanNight'), /^18:00 – (?=.*02:30)/)
  }
})
