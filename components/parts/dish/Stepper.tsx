import {
  type FormEvent,
  type SubmitEvent,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { CartContext, useCartMutation } from '../../lib/cart/cart.tsx'
import type { CartSnapshot } from '../../lib/cart/store.ts'
import { errorText } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import type { Along } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import './stepper.css'

type Props = {
  action: string
  /** What the form sends beside the change. */
  fields: Readonly<Record<string, string | number>>
  /** How many there are, with what is on its way. */
  count: number
  name: string
  /** Of its buttons: another form than its own, which comes along. */
  along?: Along | undefined
}

/** − 2 +, or + alone. The plus stays where it is, the rest comes in beside it. */
export function Stepper({ action, fields, count, name, along }: Props) {
  const t = useText()
  const id = useId()
  const mutation = useCartMutation({ beside: 'all' })
  // Of the age the question itself tells.
  const error = mutation.errors.find(({ code }) => code !== 'age')
  const plus = useRef<HTMLButtonElement>(null)
  // The errors that the guest has dismissed: the cart stays as it is.
  const [dismissed, dismiss] = useState<typeof mutation.errors | null>(null)
  // Pieces that were tapped and not taken.
  const [refused, refuse] = useState(0)

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    // The minus leaves with the last piece: the focus stays in the form.
    if (count === 1) plus.current?.focus({ preventScroll: true })
    const delta = event.nativeEvent.submitter === plus.current ? 1 : -1
    refuse((sum) => (mutation.status === 'failed' ? 0 : sum) + delta)
    void mutation.submit(event).then((answer) => answer && refuse((sum) => sum - delta))
  }

  /** The cart of the other venue makes way (CT-16). Closing the question gives the focus back. */
  function replace(event: FormEvent<HTMLFormElement>): void {
    void mutation.submit(event)
    refuse(0)
    event.currentTarget.closest('dialog')?.close()
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
            {...along}
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
          {...along}
        />
      </form>
      {error?.code !== 'otherVenue' ? (
        error && (
          <div className="error" role="alert">
            {errorText(t, error)}
          </div>
        )
      ) : // Once all taps are answered: what is refused after the yes would be lost.
      dismissed === mutation.errors || mutation.status === 'sending' ? null : (
        <dialog
          className="ask card"
          data-asks=""
          ref={showModal}
          aria-labelledby={id}
          onClose={() => dismiss(mutation.errors)}
        >
          <p id={id} tabIndex={-1}>
            {errorText(t, error)}
          </p>
          {/* What sends nothing needs no network: the window would hold it back (`early/early.ts`). */}
          <form method="dialog" onSubmit={(event) => event.stopPropagation()}>
            <button type="submit" className="button" data-quiet="">
              {t('dish.keep')}
            </button>
          </form>
          <form method="post" action={action} onSubmit={replace}>
            <Hidden fields={{ ...fields, delta: Math.max(refused, 1), replace: 1 }} />
            <button type="submit" className="button" data-quiet="">
              {t('dish.replace')}
            </button>
          </form>
        </dialog>
      )}
    </>
  )
}

/** Over the page, where nothing of its row can cut it off. */
function showModal(dialog: HTMLDialogElement | null) {
  dialog?.showModal?.()
  // Not on either answer: one that presses twice has not chosen.
  dialog?.querySelector('p')?.focus()
  // Its row may go first.
  return () => dialog?.close?.()
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
  if (!store) throw new Error('no CartContext')
  return useSyncExternalStore(
    store.subscribe,
    () => read(store.snapshot()),
    () => read(store.serverSnapshot()),
  )
}
