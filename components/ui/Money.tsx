import { formatMoney } from '../lib/format/format.ts'
import type { MoneyFormat } from '../lib/page-data.ts'

type Props = {
  /** A sum as it is written. */
  text: string
  /** The sign of its currency. */
  sign: string
}

/** A sum whose sign is smaller than its figures: those are what is compared. */
export function Money({ text, sign }: Props) {
  // Before the figures, where it opens the sum, it is as large as they are.
  const at = text.indexOf(`\u00a0${sign}`) + 1
  return at > 0 ? (
    <>
      {text.slice(0, at)}
      <small>{sign}</small>
      {text.slice(at + sign.length) || null}
    </>
  ) : (
    text
  )
}

/** A sum in minor units, as the money of its page is written. */
export const Sum = ({ of, money }: { of: number; money: MoneyFormat }) => (
  <Money text={formatMoney(of, money)} sign={money.symbol} />
)
