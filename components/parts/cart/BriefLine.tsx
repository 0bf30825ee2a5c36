import type { ReactNode } from 'react'
import { useCart } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import type { CartLine, MoneyFormat } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { actions } from '../../paths.ts'
import { Sum } from '../../ui/Money.tsx'
import { Stepper } from '../dish/Stepper.tsx'
import './brief-line.css'

type Props = {
  line: CartLine
  money: MoneyFormat
  back: string
  /** More about it, under its options. */
  children?: ReactNode
}

/** A line of the cart where there is little room: without photo and note, and without what it opens. */
export function BriefLine({ line, money, back, children }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const { lineQuantity } = useCart()
  const count = lineQuantity(line.id)
  const options = line.options.join(', ')
  if (count === 0) return null
  return (
    <li className="brief">
      <h3 lang={langOf(line.name)}>{line.name}</h3>
      {options ? (
        <p className="soft" lang={langOf(options)}>
          {options}
        </p>
      ) : null}
      {children}
      {line.problem === 'gone' ? (
        <p className="error">{t('cart.rebuild', { name: line.name })}</p>
      ) : (
        <div>
          <b className="num">
            {line.oldPrice === undefined ? null : (
              <>
                <s className="soft">
                  <span className="vh">{t('menu.oldPrice')} </span>
                  {formatMoney(line.oldPrice, money)}
                </s>{' '}
              </>
            )}
            <Sum of={line.sum} money={money} />
          </b>
          <Stepper action={actions.changeLine(line.id)} fields={{ back }} count={count} name={line.name} />
        </div>
      )}
    </li>
  )
}
