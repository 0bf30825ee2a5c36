import { FragmentList } from '../../lib/page/FragmentList.tsx'
import type { Product, Venue } from '../../lib/page-data.ts'
import { DishRow } from '../../parts/dish/DishRow.tsx'
import { paths } from '../../paths.ts'

type Props = {
  /** Of the category or list. */
  id: number
  products: readonly Product[]
  venue: Pick<Venue, 'id' | 'open' | 'money'>
  photos: boolean
  /** How many of the first have photos in the first view. */
  eager: number
  favourite: boolean
  tiles: boolean
  /** On a tablet dishes are chosen by their looks, from further away. */
  kiosk: boolean
}

/** How many tiles fill a line of a desktop. */
const LINE = 4

/** Dishes of a menu. */
export function DishRows({ id, products, venue, photos, eager, favourite, tiles: upright, kiosk }: Props) {
  const tiles = upright || kiosk
  // A tile alone is as wide as a phone.
  const large = kiosk || (upright && products.length === 1)
  // By name, not by `:only-child`: the first of many is alone, too, while the document comes in.
  const few = kiosk || products.length >= LINE ? '' : large ? ' few alone' : ' few'
  // Without scripts, adding a dish leads back to its category.
  const back = `${paths.menu(venue.id)}#cat-${id}`
  const how = [back, venue.open.open, venue.money, photos, favourite, tiles, large]
  const early = [...how, true]
  return (
    <ul className={tiles ? `tiles${few}` : 'dishes'}>
      <FragmentList
        items={products.map((product, index) => ({
          of: product,
          how: index < eager ? early : how,
          products: [product],
          node: (
            <DishRow
              key={product.id}
              product={product}
              venue={venue}
              query={favourite ? { fav: 1 } : undefined}
              back={back}
              photo={photos}
              eager={index < eager}
              tile={tiles}
              large={large}
            />
          ),
        }))}
      />
    </ul>
  )
}
