/**
 * Money, dates, times and distances as guests read them. The same bytes in V8 and in every browser: no `Intl`, no
 * clock, no time zone of the machine. Tests run both.
 */

import type { Lang, MoneyFormat } from '../page-data.ts'
import { decimalSign } from '../text/message.ts'
import type { Text } from '../text/text.tsx'

/** No-break space: between groups of digits and before the sign of the currency (FM-05). */
const NBSP = '\u00a0'
/** The minus of negative sums and percents (FM-10). */
const MINUS = '\u2212'

const MONTHS = {
  kk: 'қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан',
  ru: 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
  en: 'January February March April May June July August September October November December',
  ka: 'იანვარი თებერვალი მარტი აპრილი მაისი ივნისი ივლისი აგვისტო სექტემბერი ოქტომბერი ნოემბერი დეკემბერი',
} satisfies Record<Lang, string>

/**
 * A sum with its sign: 12 345 ₸, 12,50 ₾ (FM-01, FM-02). The rounding works on the size of the sum, so a refund is
 * as much as what was paid, with a minus before it.
 */
export function formatMoney(hundredths: number, money: MoneyFormat): string {
  const size = roundSum(Math.abs(hundredths), money)
  const whole = groupDigits(Math.floor(size / 100), money.thousands)
  const fraction = size % 100
  const digits = fraction === 0 ? '' : money.decimal + String(fraction).padStart(2, '0')
  const sign = hundredths < 0 && size > 0 ? MINUS : ''
  // Functions, as a text could hold signs of `replace`.
  return sign + money.format.replace('%v', () => whole + digits).replace('%s', () => money.symbol)
}

/**
 * Rounds a size in hundredths by the mode of the town (FM-03). `precision` counts decimal places; a negative one
 * means steps of ten, hundred and so on. 'custom' has no rule anywhere and floors like any unknown word.
 */
function roundSum(size: number, money: MoneyFormat): number {
  if (money.rounding === 'none') return size
  const places = Math.min(money.precision, money.fractionDigits, 2)
  const step = 10 ** (2 - places)
  const steps = Math.floor(size / step)
  const rest = size - steps * step
  return (steps + roundUpBy(money.rounding, steps, rest, step)) * step
}

function roundUpBy(mode: string, steps: number, rest: number, step: number): number {
  switch (mode) {
    case 'round':
      return rest * 2 >= step ? 1 : 0
    case 'ceil':
      return rest > 0 ? 1 : 0
    case 'bankers':
      return rest * 2 > step || (rest * 2 === step && steps % 2 === 1) ? 1 : 0
    default:
      return 0
  }
}

function groupDigits(whole: number, separator: string): string {
  const between = separator === ' ' ? NBSP : separator
  return String(whole).replace(/\B(?=(\d{3})+$)/g, between)
}

/** A whole percent: −20 % is the way to write a promo. */
export function formatPercent(percent: number): string {
  return `${percent < 0 ? MINUS : ''}${Math.abs(percent)}${NBSP}%`
}

/** "21 қараша, 06:10" in the zone of the town or venue; `utcOffset` in minutes (FM-06). */
export function formatDate(ms: number, utcOffset: number, lang: Lang): string {
  return `${formatDay(ms, utcOffset, lang)}, ${formatTime(ms, utcOffset)}`
}

/** "21 қараша" in the zone of the town or venue. */
export function formatDay(ms: number, utcOffset: number, lang: Lang): string {
  const local = new Date(ms + utcOffset * 60_000)
  return `${local.getUTCDate()} ${MONTHS[lang].split(' ')[local.getUTCMonth()]}`
}

/** "21 ноября 2027 г.": the day with its year, for what lies far ahead or behind. It stays on one line. */
export function formatLongDay(ms: number, utcOffset: number, lang: Lang): string {
  const day = formatDay(ms, utcOffset, lang).replace(' ', NBSP)
  const year = yearOf(ms, utcOffset)
  switch (lang) {
    case 'kk':
      return `${year}${NBSP}ж.${NBSP}${day}`
    case 'ru':
      return `${day}${NBSP}${year}${NBSP}г.`
    case 'ka':
      return `${year}${NBSP}წლის${NBSP}${day}`
    default:
      return `${day}${NBSP}${year}`
  }
}

/** The day, with its year where that is not this one. */
export function formatRecentDay(ms: number, now: number, utcOffset: number, lang: Lang): string {
  const isThisYear = yearOf(ms, utcOffset) === yearOf(now, utcOffset)
  return isThisYear ? formatDay(ms, utcOffset, lang) : formatLongDay(ms, utcOffset, lang)
}

const yearOf = (ms: number, utcOffset: number) => new Date(ms + utcOffset * 60_000).getUTCFullYear()

/** "06:10" (FM-13). */
export function formatTime(ms: number, utcOffset: number): string {
  return new Date(ms + utcOffset * 60_000).toISOString().slice(11, 16)
}

/** "850 м", "1,2 км", "1.2 km" in the words of the language (FM-11). */
export function formatDistance(metres: number, t: Text): string {
  const whole = Math.round(metres)
  if (whole < 1000) return t('unit.metres', { n: whole })
  const tenths = Math.round(whole / 100)
  return t('unit.kilometres', {
    n: groupDigits(Math.floor(tenths / 10), ' ') + decimalSign(t.lang) + (tenths % 10),
  })
}
