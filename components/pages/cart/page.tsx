import { useContext, useState } from 'react'
import { useHydrated } from '../../lib/browser/hydrated.ts'
import { CartContext, useCart, useCartMutation } from '../../lib/cart/cart.tsx'
import { useFollowing } from '../../lib/live/live.ts'
import { type Mutation, TABLE_LANE, useMutation } from '../../lib/mutations/use-mutation.ts'
import type { PageFrame, PageTitle } from '../../lib/page/pages.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { CartPage, CartLine as Line } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useRevalidate, useWay } from '../../lib/router/use-navigation.ts'
import { type Text, useText } from '../../lib/text/text.tsx'
import { BillNote } from '../../parts/cart/BillNote.tsx'
import { blockText } from '../../parts/cart/Blocks.tsx'
import { gateOf } from '../../parts/cart/gate.ts'
import { LastOrder } from '../../parts/cart/LastOrder.tsx'
import { DishRow } from '../../parts/dish/DishRow.tsx'
import { useDishLinks } from '../../parts/dish/dish-links.ts'
import { Empty } from '../../parts/message/Empty.tsx'
import { Section } from '../../parts/section/Section.tsx'
import { OpenLine } from '../../parts/venue/OpenLine.tsx'
import { ServiceSwitch } from '../../parts/venue/ServiceSwitch.tsx'
import { actions, CROSS, paths, withQuery } from '../../paths.ts'
import { alongWith } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { OverlaysContext } from '../overlays.ts'
import { Bonus } from './Bonus.tsx'
import { CartLine } from './CartLine.tsx'
import { CartProblems } from './CartProblems.tsx'
import { CHECKOUT, Checkout, ORDER_FORM } from './Checkout.tsx'
import { EmptyBowl } from './EmptyBowl.tsx'
import { LineMore } from './LineMore.tsx'
import { Promo } from './Promo.tsx'
import { useRestoredFocus } from './restore-focus.ts'
import { SavedCarts } from './SavedCarts.tsx'
import './cart.css'

/** More would be a second menu. */
const CROSS_SELL = 6

/** What keeps it from being brought: told beside the address, too. */
const NOT_BROUGHT: readonly string[] = ['paused', 'outOfZone', 'minSum', 'maxSum']

const FROM_CART = { from: 'cart' } as const
/** Where scripts do not run a dish that was added leads back to the others that go with it. */
const BACK = `${paths.cart()}#${CROSS}`

/** A button of the order's form brings none of what its own form says of the dish. */
const added = (venueId: number, productId: number) =>
  withQuery(actions.addLine(), { filial: venueId, product: productId, back: BACK })

export const title: PageTitle<'cart'> = (_, t) => t('head.cart.title')

export const frame: PageFrame<'cart'> = {
  heading: (_, t) => t('cart.title'),
  back: ({ venue }) => (venue ? paths.menu(venue.id) : undefined),
  venue: ({ venue }) => venue,
  order: 'paid',
  // What is wrong with an order is told beside its button, as long as there is one.
  says: ({ flash, cart }) => cart !== null && flash?.kind === 'order',
}

/** As in `ServiceTags`: three words shared between pages would be a file of their own to be fetched. */
const SERVICE_SIGNS = { delivery: 'bike', express: 'utensils', takeaway: 'shopping-bag' } as const

type Props = { data: CartPage }

/** The cart page. What is being left stays as it was until the next page is there: an order has emptied the cart. */
export function Page({ data }: Props) {
  const store = useContext(CartContext)
  const now = useCart()
  const { coming } = useWay()
  const isLeft = coming !== null && coming.pathname !== paths.cart()
  const [last, setLast] = useState(now)
  if (!isLeft && last !== now) setLast(now)
  const frozen = store && isLeft ? { ...store, snapshot: () => last, serverSnapshot: () => last } : store
  return (
    <CartContext value={frozen}>
      <Cart data={data} />
    </CartContext>
  )
}

/** What will be ordered, what it costs, and the order itself. */
function Cart({ data }: Props) {
  const t = useText()
  useDishLinks()
  useRestoredFocus()
  const shell = useShell()
  const { cart, count, pending } = useCart()
  const { keypad, delivery } = useContext(OverlaysContext).modules
  const venue = data.venue
  const isClosed = data.blocks.includes('closed')
  const hydrated = useHydrated()
  // Without scripts each press is a page anew: what was typed at the order comes along.
  const order = hydrated || gateOf(data) ? undefined : ORDER_FORM
  useLiveCart(data)
  if (!cart || count === 0) {
    const to = venue ?? data.home ?? (cart ? { id: cart.venueId, name: cart.venueName } : null)
    return (
      <>
        <Empty
          scene={<EmptyBowl />}
          title={t('cart.empty')}
          text={to?.name ? t('cart.homeText', { name: to.name }) : t('cart.emptyText')}
        >
          <Link className="button" to={to ? paths.menu(to.id) : paths.venues()}>
            {t(to ? 'cart.toMenu' : 'cart.toVenues')}
          </Link>
        </Empty>
        <SavedCarts saved={data.saved} />
        {data.repeat ? (
          <Section name="repeat">
            <LastOrder card={data.repeat} />
          </Section>
        ) : null}
      </>
    )
  }
  const service = venue?.siblings.find(({ id }) => id === venue.id)?.service ?? shell.service
  const seated = shell.table?.venueId === cart.venueId ? shell.table : null
  // A tablet stays at the table that it was put on.
  const isFixed = shell.kiosk?.rest.includes('table_id=') === true
  const money = venue?.money ?? shell.money
  // What is ordered already and waits for its payment is told with that order.
  const ordered = (id: string) => data.unpaid?.lines.find((line) => line.id === id)?.qty ?? 0
  const lines = cart.lines
    .filter(({ id, qty }) => qty > ordered(id))
    .map((line) => addedSince(line, ordered(line.id)))
  const problems = lines.filter((line) => line.problem)
  const good = lines.filter((line) => !line.problem)
  const notBrought = notBroughtOf(data)
  const handsOut = shell.services.includes('takeaway') && Boolean(venue?.services.includes('takeaway'))
  // An order of another venue has none of its lines here.
  const isBesideOrder = (data.unpaid?.lines ?? []).length > 0
  const columns = [
    <div key="lines" className="chosen">
      {/* Enter in a field of the order presses the first button of its form: that is to order, unless it is a code that
          does not count yet. */}
      {order ? (
        <button
          type="submit"
          form={order}
          name="enter"
          value="1"
          className="vh"
          tabIndex={-1}
          aria-hidden="true"
        />
      ) : null}
      <div className="from card">
        <Icon name={SERVICE_SIGNS[service]} />
        <Link to={paths.menu(cart.venueId)}>
          <b>{venue?.name ?? cart.venueName}</b>
          <span className="soft">
            {[
              t(`service.${service}`),
              seated ? t('table.chip', { number: seated.number }) : null,
              data.pickup ? t('cart.pickup') : null,
              minutesOf(t, data),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {venue && isClosed ? <OpenLine state={venue.open} /> : null}
        </Link>
        {seated && !isFixed ? <LeaveTable number={seated.number} /> : null}
      </div>
      {venue && !seated ? (
        <ServiceSwitch services={venue.siblings.map((one) => one.service)} current={service} form={order} />
      ) : null}
      {/* What comes in while the page is open is read out. */}
      <div aria-live="polite">
        {data.bill && seated ? (
          <>
            <BillNote venueId={cart.venueId} />
            <p className="note" data-info>
              {t('cart.besideBill')}
            </p>
          </>
        ) : null}
        <CartProblems lines={problems} money={money} form={order} />
      </div>
      {lines.length === 0 ? null : (
        <section className="lines" aria-labelledby="lines">
          <div>
            <h2 id="lines" tabIndex={-1}>
              {t(isBesideOrder ? 'cart.addedSince' : 'cart.lines')}
            </h2>
            {isBesideOrder ? <ClearAdded /> : <Clear />}
          </div>
          <ul>
            {[...problems, ...good].map((line) => (
              <CartLine
                key={line.id}
                line={line}
                ordered={ordered(line.id)}
                money={money}
                back={paths.cart()}
                form={order}
              >
                <LineMore line={line} venueId={cart.venueId} money={money} fixed={ordered(line.id) > 0} />
              </CartLine>
            ))}
          </ul>
        </section>
      )}
      {venue && data.crossSell.length > 0 ? (
        <section aria-labelledby={CROSS}>
          <h2 id={CROSS}>{t('cart.crossSell')}</h2>
          <Section name="crossSell">
            <ul className="also">
              {data.crossSell.slice(0, CROSS_SELL).map((product) => (
                <DishRow
                  key={product.id}
                  product={product}
                  venue={venue}
                  query={FROM_CART}
                  back={BACK}
                  along={alongWith(order, added(venue.id, product.id))}
                  photo
                  eager={false}
                />
              ))}
            </ul>
          </Section>
        </section>
      ) : null}
      <SavedCarts saved={data.saved} form={order} />
    </div>,
    <div key="pay" className="pay">
      {delivery && data.delivery && !data.unpaid ? (
        <delivery.Overlay
          delivery={data.delivery}
          goods={cart.total}
          money={money}
          form={order}
          refused={notBrought && blockText(t, notBrought, data, cart.total, money)}
          takeaway={handsOut}
        />
      ) : null}
      {/* Nothing can be ordered of a closed restaurant, by whomever. */}
      {data.unpaid || isClosed ? null : (
        <Section name="promo">
          <Promo data={data} money={money} form={order} />
        </Section>
      )}
      {data.bonus && !data.unpaid && !isClosed && gateOf(data) !== 'signIn' ? (
        <Section name="bonus">
          <Bonus bonus={data.bonus} money={money} form={order} />
        </Section>
      ) : null}
      {keypad && data.keypad ? <keypad.Overlay venueId={cart.venueId} /> : null}
      <Checkout data={data} service={service} cart={cart} money={money} pending={pending} />
    </div>,
  ]
  // An order that is not paid is told before all else.
  if (data.unpaid) columns.reverse()
  return (
    <>
      {/* By keyboard: each line and each dish beside them has links and buttons of its own. */}
      <a className="skip vh" href={`#${CHECKOUT}`}>
        {t('cart.toOrder')}
      </a>
      <div className="cart">{columns}</div>
    </>
  )
}

/** Lines and obstacles follow the venue while the page is open. */
function useLiveCart(data: CartPage): void {
  const store = useContext(CartContext)
  const revalidate = useRevalidate()
  const { cart } = useCart()
  const ids = new Set(cart?.lines.map(({ productId }) => productId))
  useFollowing(data.venue && store && ids.size > 0 ? `${data.venue.id} ${[...ids]}` : null, (script, live) =>
    store ? script.watchCart(data, { live, cart: store, reload: () => void revalidate() }) : () => {},
  )
}

const notBroughtOf = ({ blocks }: CartPage) => blocks.find((block) => NOT_BROUGHT.includes(block))

/** Until it is ready, or at the door where it is known how long each way to bring it takes. */
function minutesOf(t: Text, data: CartPage): string | null {
  if (notBroughtOf(data)) return null
  const { door } = data
  if (door) return t('cart.doorMinutes', { minutes: between(door.min, door.max) })
  // The kitchen's minutes would be taken for those to the door.
  if (data.delivery && !data.delivery.address) return null
  return data.minutes && t('cart.minutes', { minutes: between(data.minutes.min, data.minutes.max) })
}

const between = (min: number, max: number) => (min === max ? `~${min}` : `${min}–\u2060${max}`)

/** The guest sat down elsewhere, or scanned a neighbour's code. */
function LeaveTable({ number }: { number: string }) {
  const t = useText()
  const mutation = useMutation({ lane: TABLE_LANE })
  return (
    <form method="post" action={actions.leaveTable()} onSubmit={mutation.submit}>
      <Hidden fields={{ back: paths.cart() }} />
      <button type="submit" className="quiet">
        {t('table.leave', { number })}
      </button>
    </form>
  )
}

function Clear() {
  const t = useText()
  return <ClearForm mutation={useCartMutation()} text={t('cart.clear')} />
}

/** In a lane of its own: in that of the cart it would be taken for one that leaves nothing. */
function ClearAdded() {
  const t = useText()
  return <ClearForm mutation={useMutation()} text={t('cart.clearAdded')} />
}

function ClearForm({ mutation, text }: { mutation: Mutation; text: string }) {
  return (
    <form method="post" action={actions.clearCart()} onSubmit={mutation.submit}>
      <Hidden fields={{ back: paths.cart() }} />
      <button type="submit" className="quiet">
        {text}
      </button>
    </form>
  )
}

/** A line without the pieces that are ordered already; those have had what there is for a promo price first. */
function addedSince(line: Line, ordered: number): Line {
  if (ordered === 0) return line
  const { regular: dear, ...rest } = line
  const qty = line.qty - ordered
  const regular = dear && { ...dear, qty: Math.min(dear.qty, qty) }
  const sum = (qty - (regular?.qty ?? 0)) * line.price + (regular ? regular.qty * regular.price : 0)
  return { ...rest, qty, sum, ...(regular ? { regular } : null) }
}
