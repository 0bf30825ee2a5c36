import { useContext } from 'react'
import { CartContext } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import { useFollowing, useLive, useLiveOpen } from '../../lib/live/live.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { Category, MenuPage, Product, Venue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useRevalidate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { TextLanguageProvider, useTextLanguage } from '../../lib/text/text-language.tsx'
import { BillNote } from '../../parts/cart/BillNote.tsx'
import { useItemLinks } from '../../parts/dish/item-links.ts'
import { Empty } from '../../parts/message/Empty.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { BannerNote } from '../../parts/venue/BannerNote.tsx'
import { OpenLine } from '../../parts/venue/OpenLine.tsx'
import { ServiceSwitch } from '../../parts/venue/ServiceSwitch.tsx'
import { paths } from '../../paths.ts'
import { Photo } from '../../ui/Photo.tsx'
import { Toast } from '../../ui/Toast.tsx'
import { AgeAsk } from './AgeAsk.tsx'
import { CategoryRail } from './CategoryRail.tsx'
import { DishRows } from './DishRows.tsx'
import { MenuCart } from './MenuCart.tsx'
import { MenuPromos } from './MenuPromos.tsx'
import { OpenItem } from './OpenItem.tsx'
import './menu.css'

export const title: PageTitle<'menu'> = ({ item, venue }, t) =>
  item?.product.name ?? t('head.menu.title', { venue: venue.name })

export const frame: PageFrame<'menu'> = {
  bar: 'beside',
  order: true,
  venue: ({ venue }) => venue,
  // A scanned menu is its guest's home: above it is the front.
  back: ({ venue }, { home }) => (home === paths.menu(venue.id) ? paths.home() : undefined),
}

type Props = { data: MenuPage }

/** So many photos are in the first view. */
const EAGER = 6
/** And so many tiles of a short list. */
const EAGER_TILES = 3
/** The made-up category of favourites (MN-05). */
const FAVOURITES = -2
/** All made-up categories (MN-05, MN-08). */
const SHORT: Readonly<Record<number, 'menu.favourites' | 'menu.popular' | 'menu.frequent'>> = {
  [-2]: 'menu.favourites',
  [-3]: 'menu.popular',
  [-4]: 'menu.frequent',
}

/** The whole menu of a venue at once, with the item sheet over it. */
export function Page({ data }: Props) {
  const t = useText()
  useItemLinks()
  useLiveMenu(data)
  const { venue, banner, promos, delivery } = data
  const nameOf = ({ id, name }: { id: number; name?: string }) => {
    const short = SHORT[id]
    return short ? t(short) : (name ?? '')
  }
  const categories = data.categories
    .filter((category) => category.products.length > 0)
    .map((category) => ({ ...category, name: nameOf(category) }))
  const products = productsOf(categories)
  const lists = data.lists.map((list) => ({
    id: list.id,
    name: nameOf(list),
    products: list.products.flatMap((id) => products.get(id) ?? []),
  }))
  const eager = EAGER - (lists.length > 0 ? EAGER_TILES : 0)
  return (
    <TextLanguageProvider texts={categories.flatMap(({ products }) => products.map(({ name }) => name))}>
      <Section name="item">
        <OpenItem data={data} />
      </Section>
      <AgeAsk back={paths.menu(venue.id)} />
      <VenueHead venue={venue} />
      {data.fridge ? (
        <Link className="button" to={paths.fridge(venue.id)}>
          {t('menu.fridge')}
        </Link>
      ) : null}
      {banner ? <BannerNote banner={banner} /> : null}
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
          <CategoryRail venueId={venue.id} categories={[...lists, ...categories]} />
        </Section>
      ) : null}
      <div className="menu">
        <div>
          {data.failed ? (
            <Empty title={t('menu.failed')} text={t('menu.failedText')}>
              <a className="button" href={paths.menu(venue.id)}>
                {t('app.retry')}
              </a>
            </Empty>
          ) : categories.length === 0 ? (
            <Empty title={t('menu.empty')} text={t('menu.emptyText')}>
              <Link className="button" to={paths.filials()}>
                {t('cart.toVenues')}
              </Link>
            </Empty>
          ) : null}
          {promos.length > 0 ? (
            <Section name="promos">
              <MenuPromos promos={promos} venue={venue} products={products} />
            </Section>
          ) : null}
          {lists.map((list, index) => (
            <Dishes
              key={list.id}
              category={{ ...list, photos: true }}
              venue={venue}
              eager={index === 0 ? EAGER_TILES : 0}
              tiles
            />
          ))}
          {categories.map((category, index) => (
            <Dishes
              key={category.id}
              category={category}
              venue={venue}
              eager={
                eager - categories.slice(0, index).reduce((sum, { products }) => sum + products.length, 0)
              }
            />
          ))}
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

/** What has just changed, in a word. */
function LiveNews() {
  const t = useText()
  const news = useLive((live) => live.news)
  const text = news && t.maybe(news.key, { name: news.name })
  return text ? <Toast key={news.key + news.name}>{text}</Toast> : null
}

function LiveBill({ data: { bill, venue } }: Props) {
  const now = useLive((live) => (live.filialId === venue.id ? live.bill : null))
  return (now ?? bill) ? <BillNote filialId={venue.id} /> : null
}

function VenueHead({ venue }: { venue: Venue }) {
  const t = useText()
  const langOf = useTextLanguage()
  const { table } = useShell()
  const open = useLiveOpen(venue)
  const filialOf = (service: string) => venue.filials.find((one) => one.service === service)?.id ?? venue.id
  return (
    <div className="about">
      {venue.image ? <Photo src={venue.image} kind="row" eager /> : null}
      <div>
        <h1 lang={langOf(venue.name)}>{venue.name}</h1>
        <p>
          <OpenLine state={open} />
        </p>
        <p className="soft" lang={langOf(venue.address)}>
          {venue.address}
        </p>
        {venue.servicePercent > 0 ? (
          <p className="soft">{t('venue.service', { percent: venue.servicePercent })}</p>
        ) : null}
        <Link className="link" to={paths.details(venue.id)}>
          {t('menu.about')}
        </Link>
      </div>
      {table ? null : (
        <ServiceSwitch
          services={venue.filials.map(({ service }) => service)}
          back={(service) => paths.menu(filialOf(service))}
        />
      )}
    </div>
  )
}

type DishesProps = { category: Category; venue: Venue; eager: number; tiles?: boolean }

/** A category as rows, or a short list as tiles. */
function Dishes({ category, venue, eager, tiles = false }: DishesProps) {
  const langOf = useTextLanguage()
  return (
    <section id={`cat-${category.id}`} aria-labelledby={`h-${category.id}`}>
      <h2 id={`h-${category.id}`} lang={tiles ? undefined : langOf(category.name)}>
        {category.name}
      </h2>
      {/* Each is hydrated by itself; one that is tapped comes first. */}
      <Section name={`cat-${category.id}`} apart={!tiles}>
        <DishRows
          products={category.products}
          venue={venue}
          photos={category.photos}
          eager={eager}
          favourite={category.id === FAVOURITES}
          tiles={tiles}
        />
      </Section>
    </section>
  )
}
