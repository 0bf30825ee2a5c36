import { type FormEvent, useId } from 'react'
import { useCartMutation } from '../../lib/cart/cart.tsx'
import type { SavedCart } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions, paths } from '../../paths.ts'
import { alongWith } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { ORDER_FORM } from './Checkout.tsx'

type Props = {
  saved: readonly SavedCart[]
  /** The form that comes along, as with a line. */
  form?: string | undefined
}

/** The carts of other venues, which change places with this one (FL-06, CT-16). */
export function SavedCarts({ saved, form }: Props) {
  const t = useText()
  if (saved.length === 0) return null
  return (
    <section className="card saved" aria-labelledby="saved">
      <h2 id="saved">{t('cart.saved')}</h2>
      <ul>
        {saved.map((one) => (
          <Saved key={one.venue.id} {...one} form={form} />
        ))}
      </ul>
    </section>
  )
}

function Saved({ venue, count, form }: SavedCart & Pick<Props, 'form'>) {
  const t = useText()
  const id = useId()
  const mutation = useCartMutation()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const order = document.getElementById(ORDER_FORM)
    if (!order) return mutation.submit(event)
    // Another restaurant's order is another page: what was typed for this one is in its draft, and is not carried over.
    for (const field of order.querySelectorAll<HTMLInputElement>('textarea, [type="text"]'))
      field.value = field.defaultValue
  }
  return (
    <li>
      <form method="post" action={actions.undo()} onSubmit={submit}>
        <Hidden fields={{ back: paths.cart() }} />
        <p id={id}>
          <b>{venue.name}</b> <span className="soft">{t('cart.savedCount', { count })}</span>
        </p>
        <button
          type="submit"
          className="quiet"
          name="venue"
          value={venue.id}
          aria-describedby={id}
          {...alongWith(form, actions.undo())}
        >
          {t('cart.bringBack')}
        </button>
      </form>
    </li>
  )
}
