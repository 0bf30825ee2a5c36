/** Every formatter over a table of hard cases, as one text. Runs in the server's V8 and in the browser. */
import { catalogues, plurals } from 'test:catalogues'
import {
  formatDate,
  formatDistance,
  formatMoney,
  formatPercent,
  formatTime,
} from '../../components/lib/format/format.ts'
import type { Lang, MoneyFormat } from '../../components/lib/page-data.ts'
import { formatNumber } from '../../components/lib/text/message.ts'
import { pluralCategory } from '../../components/lib/text/plural.ts'
import { createText } from '../../components/lib/text/text.tsx'

const LANGS: Lang[] = ['kk', 'ru', 'en', 'ka']
const SUMS = [
  0, 1, 49, 50, 99, 100, 1250, 99_950, 100_000, 123_456_789, 2_147_483_647, 900_719_925_474_099, -1, -185_050,
]
const COUNTS = [0, 1, 2, 3, 4, 5, 11, 12, 14, 21, 22, 25, 101, 111, 1000, 1.5, 12_345.67, -21]
const METRES = [0, 1, 849.5, 999.4, 999.5, 1000, 1049, 1050, 1234.5, 9950, 50_000, 123_456]
const TIMES = [
  0,
  1_709_244_000_000,
  Date.UTC(2024, 1, 29, 23, 59),
  Date.UTC(2026, 10, 21, 6, 10),
  Date.UTC(2026, 11, 31, 19, 0),
]

const MONEY: MoneyFormat[] = ['floor', 'ceil', 'round', 'bankers', 'none', 'custom'].flatMap((rounding) =>
  [0, 2].flatMap((fractionDigits) =>
    ['%v\u00a0%s', '%s%v'].map((format, at) => ({
      code: at === 0 ? 'KZT' : 'GEL',
      symbol: at === 0 ? '₸' : '₾',
      format,
      thousands: ' ',
      decimal: ',',
      fractionDigits,
      rounding,
      precision: fractionDigits - 1,
    })),
  ),
)

export function table(): string {
  const lines: string[] = []
  for (const money of MONEY) {
    for (const sum of SUMS) lines.push(`${money.code} ${money.rounding} ${sum}: ${formatMoney(sum, money)}`)
  }
  for (const lang of LANGS) {
    const text = createText(lang, catalogues[lang])
    for (const time of TIMES) lines.push(`${lang}: ${formatDate(time, 300, lang)} ${formatTime(time, 240)}`)
    for (const count of COUNTS)
      lines.push(`${lang}: ${formatNumber(count, lang)} ${pluralCategory(lang, count)}`)
    for (const metres of METRES) lines.push(`${lang}: ${formatDistance(metres, text)}`)
    for (const percent of [0, 5, -20, 100]) lines.push(`${lang}: ${formatPercent(percent)}`)
    for (const { key, name } of plurals) {
      for (const count of COUNTS) lines.push(`${lang} ${key}: ${text.maybe(key, { [name]: count })}`)
    }
  }
  return lines.join('\n')
}
