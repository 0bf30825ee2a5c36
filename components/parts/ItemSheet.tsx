import { Link, useLocation, useNavigate } from 'react-router'
import type { Item, Product, Venue } from '../lib/page-data.ts'
import { useText } from '../lib/text.tsx'
import { useTongue } from '../lib/tongue.tsx'
import { paths } from '../paths.ts'
import { Photo } from '../ui/Photo.tsx'
import { Price } from '../ui/Price.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Unlock } from './DishRow.tsx'
import { ItemForm } from './ItemForm.tsx'
import { OpenLine } from './OpenLine.tsx'

type Props = {
  product: Product
  /** Null while its options are on their way. */
  item: Item | null
  venue: Venue
  /** The guest has said to be too young. */
  locked: boolean
}

/** One dish over the menu, with everything that can be chosen. */
export function ItemSheet({ product, item, venue, locked }: Props) {
  const t = useText()
  const tongue = useTongue()
  const navigate = useNavigate()
  const location = useLocation()
  // What was opened from the cart to be changed leads back there.
  const under = item?.line ? paths.cart() : paths.menu(venue.id)

  /** A sheet that was opened from the menu is one step of the history, one opened by its address is not. */
  function close(): void {
    if (location.state?.over) navigate(-1)
    else navigate(under, { replace: true, preventScrollReset: true })
  }

  return (
    <Sheet labelledBy="item-name" onClose={close}>
      <Link
        className="close"
        to={under}
        replace
        preventScrollReset
        aria-label={t('app.close')}
        onClick={(event) => {
          const dialog = event.currentTarget.closest('dialog')
          if (!dialog?.matches(':modal')) return
          event.preventDefault()
          dialog.close()
        }}
      />
      {product.image ? <Photo src={product.image} kind="wide" hero /> : null}
      <div className="item">
        <h2 id="item-name" lang={tongue(product.name)}>
          {product.name}
        </h2>
        <Price product={product} money={venue.money} />
        {product.text ? <p lang={tongue(product.text)}>{product.text}</p> : null}
        {product.weight || item?.minutes ? (
          <p className="soft">
            {[product.weight, item?.minutes ? t('item.minutes', { count: item.minutes }) : null]
              .filter(Boolean)
              .join(' · ')}
          </p>
        ) : null}
        {product.limit ? <p className="soft">{t('menu.limit', { count: product.limit })}</p> : null}
        <Body product={product} item={item} venue={venue} locked={locked} onDone={close} />
      </div>
    </Sheet>
  )
}

function Body({ product, item, venue, locked, onDone }: Props & { onDone: () => void }) {
  const t = useText()
  if (product.out) {
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
      <p className="note">
        <Unlock age={product.age} venue={venue} />
      </p>
    )
  }
  if (!item) {
    return (
      <div className="bones" aria-busy="true">
        <span className="vh">{t('item.loading')}</span>
        <i />
        <i />
        <i />
      </div>
    )
  }
  if (item.failed) {
    return (
      <div className="note" data-bad>
        <p>{t('item.failed')}</p>
        <a className="link" href={paths.menu(venue.id, { item: product.id })}>
          {t('app.retry')}
        </a>
      </div>
    )
  }
  return <ItemForm item={item} venue={venue} onDone={onDone} />
}
