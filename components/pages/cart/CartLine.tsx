import type { ReactNode } from 'react'
import { useCart, useCartMutation } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import type { CartLine as Line, MoneyFormat } from '../../lib/page-data.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { Stepper } from '../../parts/dish/Stepper.tsx'
import { actions } from '../../paths.ts'
import { type Along, alongWith } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Sum } from '../../ui/Money.tsx'
import { Photo } from '../../ui/Photo.tsx'
import './cart-line.css'

type Props = {
  line: Line
  money: MoneyFormat
  back: string
  /** The form that comes along: where scripts do not run, that of the order, with what was typed there. */
  form?: string | undefined
  /** More about it, under its options. */
  children?: ReactNode
}

/** One line of the cart: quantities follow the finger, sums follow the server. */
export function CartLine({ line, money, back, form, children }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const { lineQuantity } = useCart()
  const count = lineQuantity(line.id)
  if (count === 0) return null
  const gone = line.problem === 'gone'
  const options = line.options.join(', ')
  const action = actions.changeLine(line.id)
  const along = alongWith(form, action)
  return (
    <li className="line">
      {line.image ? <Photo src={line.image} kind="line" eager /> : null}
      {/* It opens for what is done seldom. */}
      <details>
        <summary>
          <h3 lang={langOf(line.name)}>{line.name}</h3>
          {options ? (
            <p className="soft" lang={langOf(options)}>
              {options}
            </p>
          ) : null}
          {line.note ? <p className="soft">{t('cart.note', { note: line.note })}</p> : null}
          {gone ? null : (
            <b className="num">
              <Sum of={line.sum} money={money} />
            </b>
          )}
        </summary>
        {line.qty > 1 && !line.regular ? (
          <p className="soft num">{t('cart.each', { price: formatMoney(line.price, money) })}</p>
        ) : null}
        <div className="do">
          {children}
          <Remove line={line} back={back} action={action} along={along} />
        </div>
      </details>
      {gone ? (
        <p className="error">{t('cart.rebuild', { name: line.name })}</p>
      ) : (
        <Stepper action={action} fields={{ back }} count={count} name={line.name} along={along} />
      )}
    </li>
  )
}

type RemoveProps = { line: Line; back: string; action: string; along: Along | undefined }

function Remove({ line, back, action, along }: RemoveProps) {
  const t = useText()
  const mutation = useCartMutation({ beside: 'all' })
  const error = mutation.errors[0]
  return (
    <form className="remove" method="post" action={action} data-early="1" onSubmit={mutation.submit}>
      <Hidden fields={{ back }} />
      <button
        type="submit"
        name="qty"
        value="0"
        aria-label={t('cart.remove', { name: line.name })}
        {...along}
      >
        <Icon name="trash-2" />
      </button>
      {error ? (
        <p className="error" role="alert">
          {errorText(t, error)}
        </p>
      ) : null}
    </form>
  )
}
