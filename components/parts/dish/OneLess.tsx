import { useCartMutation } from '../../lib/cart/cart.tsx'
import type { Product } from '../../lib/page-data.ts'
import { useText } from '../../lib/text/text.tsx'
import { actions } from '../../paths.ts'
import { Hidden } from '../../ui/Hidden.tsx'
import { useCartValue } from './Stepper.tsx'

type Props = { product: Product; href: string; back: string }

/** The minus of a dish with choices: it takes from the dish's only line; which of several, its sheet asks. */
export function OneLess({ product, href, back }: Props) {
  const t = useText()
  const mutation = useCartMutation({ mute: true })
  const words = { name: product.name }
  const only = useCartValue(({ cart }) => {
    const lines = cart?.lines.filter((line) => line.productId === product.id) ?? []
    return lines.length === 1 && lines[0] ? lines[0].id : null
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
