import { memo, type ReactNode, useContext, useState } from 'react'
import { CartContext } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import { useFollowing, useLive } from '../../lib/live/live.ts'
import { FragmentList } from '../../lib/page/FragmentList.tsx'
import type { FragmentItem } from '../../lib/page/fragments.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { Category, MenuPage, Product, Venue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useRevalidate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { TextLanguageProvider, useTextLanguage } from '../../lib/text/text-language.tsx'
import { BillNote } from '../../parts/cart/BillNote.tsx'
import { useDishLinks } from '../../parts/dish/dish-links.ts'
import { Section } from '../../parts/section/Section.tsx'
import { BannerNote } from '../../parts/venue/BannerNote.tsx'
import { paths } from '../../paths.ts'
import { OnTop } from '../../ui/OnTop.tsx'
import { Toast } from '../../ui/Toast.tsx'
import { OverlaysContext } from '../overlays.ts'
import { AgeAsk } from './AgeAsk.tsx'
import { CategoryRail } from './CategoryRail.tsx'
import { DishRows } from './DishRows.tsx'
import { MenuCart } from './MenuCart.tsx'
import { MenuPromos } from './MenuPromos.tsx'
import { OpenDish } from './OpenDish.tsx'
import { overlay as closed } from './overlays/closed.ts'
import { overlay as noMenuOf } from './overlays/noMenu.ts'
import { VenueHead } from './VenueHead.tsx'
import './menu.css'

export const title: PageTitle<'menu'> = ({ dish, venue }, t) =>
  dish?.product.name ?? t('head.menu.title', { venue: venue.name })

export const frame: PageFrame<'menu'> = {
  bar: 'beside',
  order: true,
  venue: ({ venue }) => venue,
  name: ({ venue }) => venue.name,
  // Above a dish is its menu. A scanned menu is its guest's home: above it is the front, on a tablet nothing (KS-04).
  back: ({ venue, dish }, { home, kiosk }) => {
    const menu = paths.menu(venue.id)
    return dish && !kiosk ? menu : home !== menu ? undefined : kiosk ? null : paths.home()
  },
}

type Props = { data: MenuPage }

/** How many photos are in the first view. */
const EAGER = 6
/** And how many tiles of a short list. */
const EAGER_TILES = 2
/** A menu of more dishes has sections that are far away. */
const LONG = 120
/** The made-up category of favourites (MN-05). */
const FAVOURITES = -2
/** The made-up category of what is ordered most (MN-08). */
const POPULAR = -3
/** All made-up categories (MN-05, MN-08). */
const SHORT: Readonly<Record<number, 'menu.favourites' | 'menu.popular' | 'menu.frequent'>> = {
  [FAVOURITES]: 'menu.favourites',
  [POPULAR]: 'menu.popular',
  [-4]: 'menu.frequent',
}

/** The whole menu of a venue at once, with the dish sheet over it. */
export function Page({ data }: Props) {
  const t = useText()
  useDishLinks()
  useLiveMenu(data)
  const shell = useShell()
  const { noMenu, savedCart } = useContext(OverlaysContext).modules
  const { venue, banner, promos, delivery } = data
  const nameOf = ({ id, name }: { id: number; name?: string }) => {
    const short = id === FAVOURITES && data.house ? 'menu.house' : SHORT[id]
    return short ? t(short) : (name ?? '')
  }
  const categories = data.categories.filter((category) => category.products.length > 0)
  const products = productsOf(categories)
  const lists = data.lists.map((list) => ({
    id: list.id,
    // What is popular belongs to the venue; the other lists to this guest alone.
    of: list.id === POPULAR || data.house ? data.categories : list,
    name: nameOf(list),
    photos: true,
    products: list.products.flatMap((id) => products.get(id) ?? []),
  }))
  const eager = EAGER - (lists.length > 0 ? EAGER_TILES : 0)
  const isLong = products.size > LONG
  /** Alone for most categories: one array is written as JSON once. */
  const seen = [venue.id, venue.open.open, venue.money, isLong]
  const piece = (category: Category, of: object, first: number, tiles = false): FragmentItem => ({
    of,
    how:
      tiles || first > 0
        ? [
            ...seen,
            first > 0 && Math.min(first, category.products.length),
            tiles && [category.id, category.name, category.products.map(({ id }) => id)],
          ]
        : seen,
    products: category.products,
    node: (
      <Dishes
        key={category.id}
        category={category}
        name={nameOf(category)}
        venue={venue}
        eager={first}
        tiles={tiles}
        far={isLong && !tiles}
        kiosk={Boolean(shell.kiosk)}
      />
    ),
  })
  /** A piece of the whole menu. */
  const whole = (how: readonly unknown[], node: ReactNode) => (
    <FragmentList items={[{ of: data.categories, how: [venue.id, how], node }]} />
  )
  return (
    <TextLanguageProvider texts={categories.flatMap(({ products }) => products.map(({ name }) => name))}>
      <Section name="dish">
        <OpenDish data={data} />
      </Section>
      <AgeAsk back={paths.menu(venue.id)} />
      {whole(
        ['head', venue, shell.service, shell.services, !shell.table],
        <VenueHead key={0} venue={venue} />,
      )}
      {data.fridge ? (
        <Link className="button" to={paths.fridge(venue.id)}>
          {t('menu.fridge')}
        </Link>
      ) : null}
      <Closed key={venue.id} data={data} />
      {banner && (banner.message || banner.kind !== 'closed' || venue.open.open) ? (
        <BannerNote banner={banner} />
      ) : null}
      {savedCart && data.saved ? <savedCart.Overlay saved={data.saved} venueId={venue.id} /> : null}
      <LiveBill data={data} />
      {delivery.length > 0 ? (
        <p className="note" data-info>
          {delivery.map(({ from, discount }) => (
            <span key={from}>
              {t('menu.deliveryOff', {
                from: formatMoney(from, venue.money),
                sum: formatMoney(discount, venue.money),
              })}
            </span>
          ))}
        </p>
      ) : null}
      {categories.length > 0 ? (
        <Section name="rail">
          {whole(
            ['rail', lists.map(({ id, name, products }) => [id, name, products.length])],
            <CategoryRail
              key={0}
              venueId={venue.id}
              categories={[...lists, ...categories.map((one) => ({ ...one, name: nameOf(one) }))]}
            />,
          )}
        </Section>
      ) : null}
      <div className="menu">
        {/* The first link of the header leads here. */}
        <div id="dishes">
          {noMenu && noMenuOf.isShown(data) ? (
            <noMenu.Overlay failed={data.failed} venueId={venue.id} />
          ) : null}
          {promos.length > 0 ? (
            <Section name="promos">
              {whole(
                ['promos', venue.utcOffset, promos],
                <MenuPromos key={0} promos={promos} venue={venue} products={products} />,
              )}
            </Section>
          ) : null}
          <FragmentList
            items={[
              ...lists.map((list, index) => piece(list, list.of, index === 0 ? EAGER_TILES : 0, true)),
              ...categories.map((category, index) =>
                piece(
                  category,
                  category,
                  eager - categories.slice(0, index).reduce((sum, { products }) => sum + products.length, 0),
                ),
              ),
            ]}
          />
        </div>
        <Section name="cart">
          <MenuCart venue={venue} />
        </Section>
      </div>
      <LiveNews />
    </TextLanguageProvider>
  )
}

/** The products of a menu by their ids, as the first category has them. */
function productsOf(categories: readonly Category[]): ReadonlyMap<number, Product> {
  const all = new Map<number, Product>()
  for (const { products } of categories) {
    for (const product of products) if (!all.has(product.id)) all.set(product.id, product)
  }
  return all
}

/** Rows, sheet and cart follow the venue while the page is open. */
function useLiveMenu(data: MenuPage): void {
  const cart = useContext(CartContext)
  const revalidate = useRevalidate()
  useFollowing(cart ? `${data.venue.id} ${data.rev}` : null, (script, live) =>
    cart ? script.watchMenu(data, { live, cart, reload: () => void revalidate() }) : () => {},
  )
}

/** Tells what to do at a closed venue; one that closes while it is open moves nothing. */
function Closed({ data }: Props) {
  const { modules } = useContext(OverlaysContext)
  const [isShown] = useState(closed.isShown(data))
  return isShown && modules.closed ? <modules.closed.Overlay /> : null
}

/** What has just changed, in a word. */
function LiveNews() {
  const t = useText()
  const news = useLive((live) => live.news)
  const text = news && t.maybe(news.key, { name: news.name })
  return text ? (
    <OnTop>
      <Toast key={news.key + news.name}>{text}</Toast>
    </OnTop>
  ) : null
}

function LiveBill({ data: { bill, venue } }: Props) {
  const now = useLive((live) => (live.venueId === venue.id ? live.bill : null))
  return (now ?? bill) ? <BillNote venueId={venue.id} /> : null
}

type DishesProps = {
  category: Category
  name: string
  venue: Venue
  eager: number
  tiles: boolean
  /** It may be far away: then its height is told by its rows. */
  far: boolean
  kiosk: boolean
}

/** A category as rows, or a short list as tiles. Drawn anew with what it shows, not with each dish that is opened over it. */
const Dishes = memo(({ category, name, venue, eager, tiles, far, kiosk }: DishesProps) => {
  const langOf = useTextLanguage()
  return (
    <section
      id={`cat-${category.id}`}
      aria-labelledby={`h-${category.id}`}
      data-rows={far ? category.products.length : undefined}
    >
      <h2 id={`h-${category.id}`} lang={tiles ? undefined : langOf(name)}>
        {name}
      </h2>
      {/* Each is hydrated by itself; one that is tapped comes first. */}
      <Section name={`cat-${category.id}`} apart={!tiles}>
        <DishRows
          id={category.id}
          products={category.products}
          venue={venue}
          photos={category.photos}
          eager={eager}
          favourite={category.id === FAVOURITES}
          tiles={tiles}
          kiosk={kiosk}
        />
      </Section>
    </section>
  )
})
