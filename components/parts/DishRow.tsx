import { Link } from 'react-router'
import type { Product, Venue } from '../lib/page-data.ts'
import { useText } from '../lib/text.tsx'
import { actions, paths } from '../paths.ts'
import { Photo } from '../ui/Photo.tsx'
import { Price } from '../ui/Price.tsx'
import { Stepper, useCartNumber } from './Stepper.tsx'

type Props = { product: Product; venue: Venue; photo: boolean; eager: boolean }

/** One dish of the menu. The whole row opens it, the plus is its own. Sold-out dishes stay, without a plus (MN-18). */
export function DishRow({ product, venue, photo, eager }: Props) {
  const t = useText()
  return (
    <li className="dish">
      <h3>
        <Link to={paths.menu(venue.id, { item: product.id })} preventScrollReset state={OVER}>
          {product.name}
        </Link>
      </h3>
      {product.text ? <p>{product.text}</p> : null}
      <Price product={product} money={venue.money} />
      {photo && product.image ? <Photo src={product.image} kind="row" eager={eager} /> : null}
      {product.out ? (
        <span className="out">{t('menu.out')}</span>
      ) : venue.open.open ? (
        <Add product={product} venue={venue} />
      ) : null}
    </li>
  )
}

/** Told to the history entry of a sheet: Back closes it. */
export const OVER = { over: true }

/** A plain dish goes into the cart from here, one with sizes or options opens first. */
export function Add({ product, venue }: { product: Product; venue: Venue }) {
  const t = useText()
  const count = useCartNumber((cart) =>
    product.options
      ? (cart.cart?.lines ?? []).reduce(
          (sum, line) => (line.productId === product.id ? sum + cart.lineQuantity(line.id) : sum),
          0,
        )
      : cart.quantity(product.id),
  )
  if (product.options) {
    return (
      <span className="step">
        <b data-count="">{count || null}</b>
        <Link
          className="plus"
          to={paths.menu(venue.id, { item: product.id })}
          preventScrollReset
          state={OVER}
          aria-label={t('menu.choose', { name: product.name })}
        />
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
