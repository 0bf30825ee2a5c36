import { useEffect, useRef } from 'react'
import { useCart, useCartMutation } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import type { CartLine, Venue } from '../../lib/page-data.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { Stepper } from '../../parts/dish/Stepper.tsx'
import { actions, paths } from '../../paths.ts'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Sum } from '../../ui/Money.tsx'

type Props = { venue: Venue; lines: CartLine[]; isOpen: boolean }

/**
 * What was scanned or chosen here so far, before the door opens too: it is what the door will be settled with. The fridge adds what it misses and
 * takes nothing away, so what is put back leaves this list by hand.
 */
export function Basket({ venue, lines, isOpen }: Props) {
  const t = useText()
  const { cart, lineQuantity, pending } = useCart()
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(lines.length)

  // The focus is the browser's, and goes with the row that had it.
  useEffect(() => {
    const isLess = lines.length < before.current
    before.current = lines.length
    if (isLess && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [lines.length])

  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {t(isOpen ? 'fridge.taken' : 'fridge.chosen')}
      </h3>
      {!cart || lines.length === 0 ? (
        <p className="soft">{t('fridge.nothing')}</p>
      ) : (
        <>
          <div className="taken">
            <ul>
              {lines.map((line) => {
                const count = lineQuantity(line.id)
                return count > 0 ? <Line key={line.id} line={line} count={count} venue={venue} /> : null
              })}
            </ul>
            <p>
              <span>{t('sum.total')}</span>
              <b className="num" aria-busy={pending || undefined}>
                <Sum of={cart.total} money={venue.money} />
              </b>
            </p>
          </div>
          <p className="soft">{t(isOpen ? 'fridge.putBack' : 'fridge.chosenText')}</p>
        </>
      )}
    </>
  )
}

type LineProps = { line: CartLine; count: number; venue: Venue }

function Line({ line, count, venue }: LineProps) {
  const t = useText()
  const langOf = useTextLanguage()
  const { id, name, price, regular } = line
  const back = paths.fridge(venue.id)
  // What the server has not counted yet costs what its pieces do.
  const sum = count === line.qty ? line.sum : price * count
  return (
    <li>
      <span>
        <span lang={langOf(name)}>{name}</span>
        {count > 1 && !regular ? (
          <span className="num soft">{t('cart.each', { price: formatMoney(price, venue.money) })}</span>
        ) : null}
      </span>
      <b className="num">
        <Sum of={sum} money={venue.money} />
      </b>
      <div>
        <Remove line={line} back={back} />
        <Stepper action={actions.changeLine(id)} fields={{ back }} count={count} name={name} />
      </div>
    </li>
  )
}

function Remove({ line: { id, name }, back }: { line: CartLine; back: string }) {
  const t = useText()
  const mutation = useCartMutation({ beside: 'all' })
  const error = mutation.errors[0]
  return (
    <form
      className="remove"
      method="post"
      action={actions.changeLine(id)}
      data-early="1"
      onSubmit={mutation.submit}
    >
      <Hidden fields={{ back }} />
      <button type="submit" name="qty" value="0" aria-label={t('cart.remove', { name })}>
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
