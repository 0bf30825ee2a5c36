import { useState } from 'react'
import { useLocation } from 'react-router'
import { useCart } from '../../lib/cart/cart.tsx'
import type { Category, DishSheet, Product, Venue } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useNavigate } from '../../lib/router/use-navigation.ts'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { Unlock } from '../../parts/dish/DishRow.tsx'
import { OpenLine } from '../../parts/venue/OpenLine.tsx'
import { CROSS, paths } from '../../paths.ts'
import { Photo } from '../../ui/Photo.tsx'
import { Price } from '../../ui/Price.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { DishForm } from './DishForm.tsx'
import { InCart } from './InCart.tsx'
import '../../ui/close.css'
import { ShareDish } from './ShareDish.tsx'
import './dish-sheet.css'

export type DishProps = {
  product: Product
  /** Of the menu under it. */
  categories: readonly Category[]
  /** Null while its options are on their way. */
  dish: DishSheet | null
  venue: Venue
  /** The guest has said to be too young. */
  locked: boolean
  /** It stands in a fridge and is not cooked. */
  fridge: boolean | undefined
  /** Asks for the options again. */
  retry: () => void
}

/** One dish over the menu, with everything that can be chosen. */
export function Overlay(props: DishProps) {
  const { product, categories, dish, venue } = props
  const t = useText()
  const langOf = useTextLanguage()
  // A closed kitchen promises nothing.
  const minutes = venue.open.open ? dish?.minutes : null
  const navigate = useNavigate()
  const location = useLocation()
  // What was opened from the cart, to be changed or to go with it, leads back there.
  const goesWith = new URLSearchParams(location.search).get('from') === 'cart'
  const under = dish?.line || goesWith ? paths.cart() : paths.menu(venue.id)
  const own = categories.find(({ products }) => products.some(({ id }) => id === product.id))
  // Where scripts do not run it leads back to the category, not to the begin of the menu.
  const part = goesWith ? `#${CROSS}` : own && !dish?.line ? `#cat-${own.id}` : ''

  /** A sheet that was opened from the menu is one step of the history, one opened by its address is not. */
  function close(): void {
    if (location.state?.over) navigate(-1)
    else navigate(under, { replace: true, preventScrollReset: true })
  }

  return (
    <Sheet
      labelledBy="dish-name"
      onClose={close}
      close={
        <Link
          className="close"
          // Before the photo, which is lower where there is something to choose: that is to be seen at once.
          data-low={product.options}
          to={under + part}
          replace
          preventScrollReset
          aria-label={t('app.close')}
          onClick={(event) => {
            const dialog = event.currentTarget.closest('dialog')
            if (!dialog?.showModal) return
            event.preventDefault()
            dialog.close()
          }}
        />
      }
    >
      {product.image ? <Photo src={product.image} kind="wide" hero /> : null}
      <div className="dish-sheet">
        <h2 id="dish-name" lang={langOf(product.name)}>
          {product.name}
        </h2>
        <Price product={product} money={venue.money} />
        {product.text ? <p lang={langOf(product.text)}>{product.text}</p> : null}
        {product.weight || minutes ? (
          <p className="soft">
            {[product.weight, minutes ? t('dish.minutes', { count: minutes }) : null]
              .filter(Boolean)
              .join(' · ')}
          </p>
        ) : null}
        {product.limit ? <p className="soft">{t('dish.limit', { count: product.limit })}</p> : null}
        <ShareDish name={product.name} path={paths.menu(venue.id, { item: product.id })} />
        <Body {...props} part={part} />
      </div>
    </Sheet>
  )
}

function takeLostFocus(note: HTMLElement | null): void {
  if (document.activeElement === document.body) note?.focus()
}

type BodyProps = DishProps & { part: string }

function Body({ product, dish, venue, locked, fridge, retry, part }: BodyProps) {
  const t = useText()
  const { cart } = useCart()
  // What sells out while it is looked at keeps its form, and everything in it (MN-18).
  const [gone] = useState(product.out)
  if (product.out && gone) {
    return (
      <p className="note" data-bad>
        {t('menu.out')}
      </p>
    )
  }
  if (!venue.open.open) {
    return (
      <p className="note">
        <OpenLine state={venue.open} />
      </p>
    )
  }
  if (product.age && locked) {
    return (
      // The form that asked has gone with the answer, and the focus with it.
      <div className="note" tabIndex={-1} ref={takeLostFocus}>
        <p>{t('dish.locked', { age: product.age })}</p>
        <Unlock age={product.age} venue={venue} />
      </div>
    )
  }
  if (!dish) {
    return (
      <div className="bones" aria-busy="true">
        <span className="vh">{t('dish.loading')}</span>
        <i />
        <i />
        <i />
      </div>
    )
  }
  if (dish.failed) {
    return (
      <div className="note" data-bad role="alert">
        <p>{t('dish.failed')}</p>
        <a
          className="link"
          href={paths.menu(venue.id, { item: product.id })}
          onClick={(event) => {
            event.preventDefault()
            retry()
          }}
        >
          {t('app.retry')}
        </a>
      </div>
    )
  }
  const own = dish.line || cart?.venueId !== venue.id ? [] : cart.lines
  const lines = own.filter((line) => line.productId === product.id && line.problem !== 'gone')
  const form = (
    <DishForm
      dish={dish}
      part={part}
      out={product.out === true}
      venue={venue}
      fridge={fridge}
      retry={retry}
    />
  )
  // A plain dish needs no question: its stepper stands in the menu. One with choices does, even if none was made.
  return lines.some((line) => product.options || !line.plain) ? (
    <InCart lines={lines} dish={dish} venue={venue}>
      {form}
    </InCart>
  ) : (
    form
  )
}
