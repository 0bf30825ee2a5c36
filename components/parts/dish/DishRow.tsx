import { type ReactNode, useContext } from 'react'
import { useLiveIsOpen, useLiveProduct } from '../../lib/live/live.ts'
import { LockedContext } from '../../lib/page/shell.ts'
import type { Product, Venue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { actions, paths } from '../../paths.ts'
import type { Along } from '../../ui/Button.tsx'
import { Photo } from '../../ui/Photo.tsx'
import { Price } from '../../ui/Price.tsx'
import { linesOf, OneLess } from './OneLess.tsx'
import { Count, Stepper, useCartValue } from './Stepper.tsx'
import './dish.css'

type Props = {
  product: Product
  venue: Pick<Venue, 'id' | 'open' | 'money'>
  photo: boolean
  eager: boolean
  /** The name as it is written here, such as with the letters marked that a search has hit. */
  name?: ReactNode
  /** The page that it stands on, when that is not the menu. */
  back?: string
  /** Of its buttons, as those of a stepper. */
  along?: Along | undefined
  /** For its sheet. Among the favourites its options are asked for as those of one (AT-03); from the cart it leads back. */
  query?: { fav?: 1; from?: 'cart' } | undefined
  /** Upright in a short list: a larger photo, no description. */
  tile?: boolean
  /** With the largest photo. */
  large?: boolean
  /** Instead of its description, such as whose dish it is. */
  children?: ReactNode
}

/** One dish of the menu. The whole row opens it, the plus is its own. Sold-out dishes stay, without a plus (MN-18). */
export function DishRow(props: Props) {
  const {
    product: given,
    venue,
    photo,
    eager,
    name,
    back = paths.menu(venue.id),
    along,
    query,
    tile,
    large,
    children,
  } = props
  const t = useText()
  const langOf = useTextLanguage()
  const locked = useContext(LockedContext)
  const product = useLiveProduct(given, venue.id)
  const open = useLiveIsOpen(venue)
  const href = paths.menu(venue.id, { item: product.id, ...query })
  const image = photo && product.image
  return (
    <li className="dish" data-photo={image ? '' : undefined}>
      <h3>
        <a href={href} lang={langOf(product.name)}>
          {name ?? product.name}
        </a>
      </h3>
      {children ?? (product.text && !tile ? <p lang={langOf(product.text)}>{product.text}</p> : null)}
      <Price product={product} money={venue.money} />
      {product.age ? <span className="adult num">{`${product.age}+`}</span> : null}
      {image ? <Photo src={image} kind={large ? 'card' : tile ? 'tile' : 'row'} eager={eager} /> : null}
      {product.out ? (
        <span className="out">{t('menu.out')}</span>
      ) : product.unpriced ? null : product.age && locked ? (
        <Unlock age={product.age} venue={venue} />
      ) : open ? (
        <Add product={product} venue={venue} query={query} href={href} back={back} along={along} />
      ) : null}
    </li>
  )
}

type AddProps = Pick<Props, 'product' | 'venue' | 'along' | 'query'> & { href: string; back: string }

/** For a guest who said no, and may have erred (screens.md, 2.16). */
export function Unlock({ age, venue }: { age: number; venue: Pick<Venue, 'id'> }) {
  const t = useText()
  return (
    <a className="unlock" href={paths.age({ back: paths.menu(venue.id) })}>
      {t('menu.unlock', { age })}
    </a>
  )
}

/** A plain dish goes into the cart from here, one with sizes or options opens first. */
function Add({ product, venue, query, href, back, along }: AddProps) {
  const t = useText()
  const langOf = useTextLanguage()
  const count = useCartValue((cart) =>
    product.options
      ? linesOf(cart, product.id, venue.id).reduce((sum, line) => sum + cart.lineQuantity(line.id), 0)
      : cart.quantity(product.id, venue.id),
  )
  return (
    <>
      {product.options ? (
        <span className="step">
          {count > 0 ? <OneLess product={product} venue={venue} href={href} back={back} /> : null}
          <Count count={count} />
          <a className="plus" href={href}>
            <span className="vh">{t('menu.choose', { name: product.name })}</span>
          </a>
        </span>
      ) : (
        <Stepper
          action={actions.addLine()}
          fields={{ filial: venue.id, product: product.id, back }}
          count={count}
          name={product.name}
          along={along}
        />
      )}
      {/* By keyboard the cart is one Tab from what was added, not behind the rest of the menu. Each has a name of its own. */}
      {count > 0 && !query?.from ? (
        <Link className="skip vh" to={paths.cart()}>
          {`${t('cart.title')}: `}
          <span lang={langOf(product.name)}>{product.name}</span>
        </Link>
      ) : null}
    </>
  )
}
