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
  /** Pieces that are ordered already: the line is of those beside them. */
  ordered: number
  money: MoneyFormat
  back: string
  /** The form that comes along: where scripts do not run, that of the order, with what was typed there. */
  form?: string | undefined
  /** More about it, under its options. */
  children?: ReactNode
}

/** One line of the cart: quantities follow the finger, sums follow the server. */
export function CartLine({ line, ordered, money, back, form, children }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const { lineQuantity } = useCart()
  const count = lineQuantity(line.id) - ordered
  if (count <= 0) return null
  const gone = line.problem === 'gone'
  const options = line.options.join(', ')
  const action = actions.changeLine(line.id)
  const along = alongWith(form, action)
  const remove = { line, ordered, count, back, action, along }
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
          {gone ? null : <Remove {...remove} />}
        </div>
      </details>
      {gone ? (
        // All that can be done with it needs no search.
        <div className="gone">
          <p className="error">{t('cart.soldOut')}</p>
          <Remove {...remove} text={t('cart.drop')} />
        </div>
      ) : (
        <Stepper action={action} fields={{ back }} count={count} name={line.name} along={along} />
      )}
    </li>
  )
}

type RemoveProps = {
  line: Line
  /** Pieces that stay, with an order that waits for its payment. */
  ordered: number
  /** Pieces that leave. */
  count: number
  back: string
  action: string
  along: Along | undefined
  /** In words, where there is room for them. */
  text?: string
}

function Remove({ line, ordered, count, back, action, along, text }: RemoveProps) {
  const t = useText()
  const mutation = useCartMutation({ beside: 'all' })
  const error = mutation.errors[0]
  return (
    <form className="remove" method="post" action={action} data-early="1" onSubmit={mutation.submit}>
      <Hidden fields={{ back }} />
      <button
        type="submit"
        // The order may have been paid meanwhile: what is left then is not known here.
        name={ordered > 0 ? 'delta' : 'qty'}
        value={ordered > 0 ? -count : 0}
        aria-label={t('cart.remove', { name: line.name })}
        {...along}
      >
        <Icon name="trash-2" />
        {text}
      </button>
      {error ? (
        <p className="error" role="alert">
          {errorText(t, error)}
        </p>
      ) : null}
    </form>
  )
}
