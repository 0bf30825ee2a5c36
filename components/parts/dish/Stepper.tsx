import { type FormEvent, useContext, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { CartContext, useCartMutation } from '../../lib/cart/cart.tsx'
import type { CartSnapshot } from '../../lib/cart/store.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import './stepper.css'

type Props = {
  action: string
  /** What the form sends beside the change. */
  fields: Readonly<Record<string, string | number>>
  /** How many there are, with what is on its way. */
  count: number
  name: string
}

/** − 2 +, or + alone. The plus stays where it is, the rest comes in beside it. */
export function Stepper({ action, fields, count, name }: Props) {
  const t = useText()
  const mutation = useCartMutation({ beside: 'all' })
  // Of the age the question itself tells.
  const error = mutation.errors.find(({ code }) => code !== 'age')
  const plus = useRef<HTMLButtonElement>(null)

  function submit(event: FormEvent<HTMLFormElement>): void {
    // The minus leaves with the last piece: the focus stays in the form.
    if (count === 1) plus.current?.focus({ preventScroll: true })
    void mutation.submit(event)
  }

  /** The cart of the other venue makes way (CT-16). The button leaves at once, the focus goes to what stays. */
  function replace(event: FormEvent<HTMLFormElement>): void {
    plus.current?.focus({ preventScroll: true })
    void mutation.submit(event)
  }

  return (
    <>
      <form className="step" method="post" action={action} data-early="1" onSubmit={submit}>
        <Hidden fields={fields} />
        {count > 0 ? (
          <button
            type="submit"
            className="minus"
            name="delta"
            value="-1"
            aria-label={t('menu.less', { name })}
          />
        ) : null}
        <Count count={count} />
        <button
          type="submit"
          className="plus"
          name="delta"
          value="1"
          aria-label={t('menu.add', { name })}
          ref={plus}
        />
      </form>
      {error ? (
        <div className="error" role="alert">
          {errorText(t, error)}
          {error.code === 'otherVenue' ? (
            <form method="post" action={action} onSubmit={replace}>
              <Hidden fields={{ ...fields, delta: 1, replace: 1 }} />
              <button type="submit" className="replace">
                {t('item.replace')}
              </button>
            </form>
          ) : null}
        </div>
      ) : null}
    </>
  )
}

/** The number between. Taps before hydration have written into it already, so its first text may differ. */
export function Count({ count }: { count: number }) {
  const ref = useRef<HTMLElement>(null)
  const text = count > 0 ? String(count) : ''
  // What the inline script wrote is not React's: the first text is set by hand.
  useLayoutEffect(() => {
    if (ref.current && ref.current.textContent !== text) ref.current.textContent = text
  }, [text])
  return (
    <b data-count="" ref={ref} suppressHydrationWarning>
      {text}
    </b>
  )
}

/** One value of the cart. Only what it changes is drawn anew: a menu has hundreds of steppers. */
export function useCartValue<T extends number | string | null>(read: (cart: CartSnapshot) => T): T {
  const store = useContext(CartContext)
  if (!store) throw new Error('useCartValue stands outside of CartContext')
  return useSyncExternalStore(
    store.subscribe,
    () => read(store.snapshot()),
    () => read(store.serverSnapshot()),
  )
}
