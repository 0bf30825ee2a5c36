import { Link } from 'react-router'
import type { Banner, Category, MenuPage, Venue } from '../lib/page-data.ts'
import { useShell } from '../lib/shell.ts'
import { useText } from '../lib/text.tsx'
import { TongueProvider, useTongue } from '../lib/tongue.tsx'
import { AgeAsk } from '../parts/AgeAsk.tsx'
import { CategoryRail } from '../parts/CategoryRail.tsx'
import { DishRow } from '../parts/DishRow.tsx'
import { Empty } from '../parts/Empty.tsx'
import { useItemLinks } from '../parts/item-links.ts'
import { MenuCart } from '../parts/MenuCart.tsx'
import { OpenItem } from '../parts/OpenItem.tsx'
import { OpenLine } from '../parts/OpenLine.tsx'
import { ServiceSwitch } from '../parts/ServiceSwitch.tsx'
import { paths } from '../paths.ts'
import { Photo } from '../ui/Photo.tsx'

type Props = { data: MenuPage }

/** So many photos are in the first view. */
const EAGER = 6
/** The made-up category of favourites (MN-05). */
const FAVOURITES = -2

/** The whole menu of a venue at once, with the item sheet over it. */
export function MenuScreen({ data }: Props) {
  const t = useText()
  useItemLinks()
  const { venue, banner } = data
  const categories = data.categories
    .filter((category) => category.products.length > 0)
    .map((category) => (category.id === FAVOURITES ? { ...category, name: t('menu.favourites') } : category))
  return (
    <TongueProvider texts={categories.flatMap(({ products }) => products.map(({ name }) => name))}>
      <OpenItem data={data} />
      <AgeAsk back={paths.menu(venue.id)} />
      <VenueHead venue={venue} />
      {banner ? <BannerNote banner={banner} /> : null}
      {categories.length > 0 ? <CategoryRail categories={categories} /> : null}
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
          {categories.map((category, index) => (
            <Dishes
              key={category.id}
              category={category}
              venue={venue}
              eager={
                EAGER - categories.slice(0, index).reduce((sum, { products }) => sum + products.length, 0)
              }
            />
          ))}
        </div>
        <MenuCart venue={venue} />
      </div>
    </TongueProvider>
  )
}

function VenueHead({ venue }: { venue: Venue }) {
  const t = useText()
  const tongue = useTongue()
  const { table } = useShell()
  const filialOf = (service: string) => venue.filials.find((one) => one.service === service)?.id ?? venue.id
  return (
    <div className="about">
      {venue.image ? <Photo src={venue.image} kind="row" eager /> : null}
      <div>
        <h1 lang={tongue(venue.name)}>{venue.name}</h1>
        <p>
          <OpenLine state={venue.open} />
        </p>
        <p className="soft" lang={tongue(venue.address)}>
          {venue.address}
        </p>
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

function BannerNote({ banner }: { banner: Banner }) {
  const t = useText()
  const tongue = useTongue()
  const text = banner.message || (banner.kind ? t.maybe(`banner.${banner.kind}`) : '')
  return text ? (
    <p className="note" data-info={banner.kind ? undefined : true} lang={tongue(banner.message)}>
      {text}
    </p>
  ) : null
}

type DishesProps = { category: Category; venue: Venue; eager: number }

function Dishes({ category, venue, eager }: DishesProps) {
  const tongue = useTongue()
  return (
    <section id={`cat-${category.id}`} aria-labelledby={`h-${category.id}`}>
      <h2 id={`h-${category.id}`} lang={tongue(category.name)}>
        {category.name}
      </h2>
      <ul className="dishes">
        {category.products.map((product, index) => (
          <DishRow
            key={product.id}
            product={product}
            venue={venue}
            favourite={category.id === FAVOURITES}
            photo={category.photos}
            eager={index < eager}
          />
        ))}
      </ul>
    </section>
  )
}
