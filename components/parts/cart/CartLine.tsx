import type { ReactNode } from 'react'
import { useCart, useCartMutation } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import type { CartLine as Line, MoneyFormat } from '../../lib/page-data.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { actions } from '../../paths.ts'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Photo } from '../../ui/Photo.tsx'
import { Stepper } from '../dish/Stepper.tsx'
import './cart-line.css'

type Props = {
  line: Line
  money: MoneyFormat
  back: string
  /** Beside the menu: no photo, no note, no button to remove. */
  brief?: boolean
  /** More about it, under its options. */
  children?: ReactNode
}

/** One line of the cart: quantities follow the finger, sums follow the server. */
export function CartLine({ line, money, back, brief, children }: Props) {
  const t = useText()
  const langOf = useTextLanguage()
  const { lineQuantity } = useCart()
  const count = lineQuantity(line.id)
  if (count === 0) return null
  const gone = line.problem === 'gone'
  return (
    <li className="line" data-brief={brief || undefined}>
      {line.image && !brief ? <Photo src={line.image} kind="line" eager /> : null}
      <div>
        <h3 lang={langOf(line.name)}>{line.name}</h3>
        {line.options.length > 0 ? <Options words={line.options.join(', ')} /> : null}
        {line.note && !brief ? <p className="soft">{t('cart.note', { note: line.note })}</p> : null}
        {line.qty > 1 && !brief && !line.regular ? (
          <p className="soft num">{t('cart.each', { price: formatMoney(line.price, money) })}</p>
        ) : null}
        {children}
      </div>
      {brief ? null : <Remove line={line} back={back} />}
      {gone ? (
        <p className="error">{t('cart.rebuild', { name: line.name })}</p>
      ) : (
        <div className="sum">
          <b className="num">
            {brief && line.oldPrice !== undefined ? (
              <>
                <s className="soft">
                  <span className="vh">{t('menu.oldPrice')} </span>
                  {formatMoney(line.oldPrice, money)}
                </s>{' '}
              </>
            ) : null}
            {formatMoney(line.sum, money)}
          </b>
          <Stepper action={actions.changeLine(line.id)} fields={{ back }} count={count} name={line.name} />
        </div>
      )}
    </li>
  )
}

function Options({ words }: { words: string }) {
  const langOf = useTextLanguage()
  return (
    <p className="soft" lang={langOf(words)}>
      {words}
    </p>
  )
}

function Remove({ line, back }: { line: Line; back: string }) {
  const t = useText()
  const mutation = useCartMutation({ beside: 'all' })
  const error = mutation.errors[0]
  return (
    <form
      className="remove"
      method="post"
      action={actions.changeLine(line.id)}
      data-early="1"
      onSubmit={mutation.submit}
    >
      <Hidden fields={{ qty: 0, back }} />
      <button type="submit" aria-label={t('cart.remove', { name: line.name })}>
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
