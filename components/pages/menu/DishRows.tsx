import { useContext } from 'react'
import { FragmentsContext } from '../../lib/page/fragments.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { Product, Venue } from '../../lib/page-data.ts'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { DishRow } from '../../parts/dish/DishRow.tsx'

type Props = {
  products: readonly Product[]
  venue: Pick<Venue, 'id' | 'open' | 'money'>
  photos: boolean
  /** So many of the first have photos in the first view. */
  eager: number
  favourite: boolean
  tiles: boolean
}

/** So many tiles fill a line of a desktop. */
const LINE = 4

/** Dishes of a menu. A row that holds nothing of the guest is a fragment: the server renders it once for all. */
export function DishRows({ products, venue, photos, eager, favourite, tiles: upright }: Props) {
  const fragments = useContext(FragmentsContext)
  // On a tablet dishes are chosen by their looks, from further away.
  const kiosk = Boolean(useShell().kiosk)
  const tiles = upright || kiosk
  // A tile alone is as wide as a phone.
  const large = kiosk || (upright && products.length === 1)
  const langOf = useTextLanguage()
  const row = (product: Product, index: number) => (
    <DishRow
      key={product.id}
      product={product}
      venue={venue}
      favourite={favourite}
      photo={photos}
      eager={index < eager}
      tile={tiles}
      large={large}
    />
  )
  const few = products.length < LINE && !kiosk ? ' few' : ''
  const className = tiles ? `tiles${few}` : 'dishes'
  if (!fragments) return <ul className={className}>{products.map(row)}</ul>
  const { id, open, money } = venue
  const scope = [
    fragments.scope,
    langOf.sample,
    id,
    open.open,
    JSON.stringify(money),
    photos,
    favourite,
    tiles,
    large,
  ]
  // How many of the list are eager tells of each whether it is.
  const [early, late] = [`${scope.join(' ')} ${Math.min(eager, products.length)}`, scope.join(' ')]
  const pieces = products.map((product, index) => ({
    of: fragments.inCart.has(product.id) ? null : product,
    render: () => row(product, index),
  }))
  return (
    <ul className={className}>
      {fragments.row(products, pieces, (index) => (index < eager ? early : late))}
    </ul>
  )
}
