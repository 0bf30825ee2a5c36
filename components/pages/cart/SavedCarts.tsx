import { type FormEvent, useId } from 'react'
import { useCartMutation } from '../../lib/cart/cart.tsx'
import { useShell } from '../../lib/page/shell.ts'
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
  const { flash } = useShell()
  // The frame offers the newest to a guest whose cart is empty.
  const offered = flash?.kind === 'branchChanged' ? flash.values.venue?.[0] : undefined
  return saved
    .filter(({ venue }) => String(venue.id) !== offered)
    .map((one) => <Saved key={one.venue.id} {...one} form={form} />)
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
    <form className="card saved" method="post" action={actions.undo()} onSubmit={submit}>
      <Hidden fields={{ back: paths.cart() }} />
      <p id={id} className="soft">
        {t('cart.savedAt', { venue: venue.name, count })}
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
  )
}
