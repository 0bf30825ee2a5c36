import type { Product, Venue } from '../lib/page-data.ts'
import { useText } from '../lib/text.tsx'
import { actions, paths } from '../paths.ts'
import { Photo } from '../ui/Photo.tsx'
import { Price } from '../ui/Price.tsx'
import { Count, Stepper, useCartNumber } from './Stepper.tsx'

type Props = { product: Product; venue: Venue; photo: boolean; eager: boolean }

/** One dish of the menu. The whole row opens it, the plus is its own. Sold-out dishes stay, without a plus (MN-18). */
export function DishRow({ product, venue, photo, eager }: Props) {
  const t = useText()
  const href = paths.menu(venue.id, { item: product.id })
  const image = photo ? product.image : undefined
  return (
    <li className="dish" data-photo={image ? '' : undefined}>
      <h3>
        <a href={href}>{product.name}</a>
      </h3>
      {product.text ? <p>{product.text}</p> : null}
      <Price product={product} money={venue.money} />
      {image ? <Photo src={image} kind="row" eager={eager} /> : null}
      {product.out ? (
        <span className="out">{t('menu.out')}</span>
      ) : venue.open.open ? (
        <Add product={product} venue={venue} href={href} />
      ) : null}
    </li>
  )
}

/** A plain dish goes into the cart from here, one with sizes or options opens first. */
function Add({ product, venue, href }: { product: Product; venue: Venue; href: string }) {
  const t = useText()
  const count = useCartNumber((cart) =>
    product.options
      ? (cart.cart?.lines ?? []).reduce(
          (sum, line) => (line.productId === product.id ? sum + cart.lineQuantity(line.id) : sum),
          0,
        )
      : cart.quantity(product.id, venue.id),
  )
  if (product.options) {
    return (
      <span className="step">
        <Count count={count} />
        <a className="plus" href={href}>
          <span className="vh">{t('menu.choose', { name: product.name })}</span>
        </a>
      </span>
    )
  }
  return (
    <Stepper
      action={actions.addLine()}
      fields={{ filial: venue.id, product: product.id, back: paths.menu(venue.id) }}
      count={count}
      name={product.name}
    />
  )
}
