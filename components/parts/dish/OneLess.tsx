import { useCartMutation } from '../../lib/cart/cart.tsx'
import type { CartSnapshot } from '../../lib/cart/store.ts'
import type { CartLine, Product, Venue } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Hidden } from '../../ui/Hidden.tsx'
import { useCartValue } from './Stepper.tsx'

type Props = { product: Product; venue: Pick<Venue, 'id'>; href: string; back: string }

/** The lines of a dish of this venue: its branches have dishes of the same ids. */
export const linesOf = ({ cart }: CartSnapshot, product: number, venue: number): readonly CartLine[] =>
  cart?.venueId === venue ? cart.lines.filter(({ productId }) => productId === product) : []

/** The minus of a dish with choices: it takes from the dish's only line; which of several, its sheet asks. */
export function OneLess({ product, venue, href, back }: Props) {
  const t = useText()
  const mutation = useCartMutation({ mute: true })
  const words = { name: product.name }
  const only = useCartValue((cart) => {
    const [line, another] = linesOf(cart, product.id, venue.id)
    return line && !another ? line.id : null
  })
  return only ? (
    <form method="post" action={actions.changeLine(only)} data-early="1" onSubmit={mutation.submit}>
      <Hidden fields={{ back }} />
      <button type="submit" className="minus" name="delta" value="-1" aria-label={t('menu.less', words)} />
    </form>
  ) : (
    <a className="minus" href={href}>
      <span className="vh">{t('menu.which', words)}</span>
    </a>
  )
}
