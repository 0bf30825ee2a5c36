import { useContext, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useLiveOpen, useLiveProduct } from '../../lib/live/live.ts'
import { answering, isPoor } from '../../lib/net/connection.ts'
import type { MenuPage, Product } from '../../lib/page-data.ts'
import { useRevalidate, useWay } from '../../lib/router/use-navigation.ts'
import { OverlaysContext } from '../overlays.ts'

type Props = { data: MenuPage }

/**
 * The sheet of `?item=`. A tap shows it at once with what the menu knows; its code comes with the first one, its
 * options are asked for beside it (see `overlays/dish.ts`), and closing it gives them up (AT-04).
 */
export function OpenDish({ data }: Props) {
  const { dish, venue, locked, fridge } = data
  const { search, key } = useLocation()
  const { reloading } = useWay()
  const revalidate = useRevalidate()
  const { modules, load } = useContext(OverlaysContext)
  const [, setReady] = useState(false)
  const id = Number(/[?&]item=(\d+)/.exec(search)?.[1] ?? dish?.product.id)
  const product = useLiveProduct(productOf(data, id), venue.id)
  const open = useLiveOpen(venue)
  const own = dish?.product.id === id ? dish : null
  const asked = product !== undefined
  // By its id: another dish that is as bare has options of its own to ask for.
  const bare = asked && !own ? id : null
  const codeless = asked && !modules.dish

  // The options come over the network, once the sheet has its place in the history.
  useEffect(() => {
    if (bare !== null) void revalidate()
  }, [bare, revalidate])

  // So does the code, as soon as the server answers. If that has it no more, its own page shows the dish.
  useEffect(() => {
    if (!codeless) return
    let here = true
    load?.('dish').then(
      () => setReady(true),
      () => here && location.reload(),
    )
    return () => {
      here = false
    }
  }, [codeless, load])

  // What a lost network kept back is asked for again when it carries.
  const lost = own?.failed && isPoor() ? own : null
  useEffect(() => {
    if (!lost) return
    let here = true
    void answering().then(() => {
      if (here) void revalidate()
    })
    return () => {
      here = false
    }
  }, [lost, revalidate])

  if (!product || !modules.dish) return null
  const retrying = own?.failed && reloading
  return (
    <modules.dish.Overlay
      // One that is opened again before it was seen to be closed is another one.
      key={`${id} ${key}`}
      product={product}
      categories={data.categories}
      dish={retrying ? null : own}
      venue={{ ...venue, open }}
      locked={locked}
      fridge={fridge}
      retry={() => void revalidate()}
    />
  )
}

/** The dish with the stock of now: the list behind it may have heard of it later than the sheet (MN-18). */
function productOf({ categories, dish }: MenuPage, id: number): Product | undefined {
  if (Number.isNaN(id)) return
  const listed = categories.flatMap(({ products }) => products).find((product) => product.id === id)
  if (dish?.product.id !== id) return listed
  const { out, ...product } = dish.product
  return (listed ? listed.out : out) ? { ...product, out: true } : product
}
