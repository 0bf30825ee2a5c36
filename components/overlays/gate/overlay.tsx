import { useCartMutation } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import { useMutation } from '../../lib/mutations/use-mutation.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { CartPage, CartView, MoneyFormat, Service, UnpaidOrder } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { useText } from '../../lib/text/text.tsx'
import { useTextLanguage } from '../../lib/text/text-language.tsx'
import { Blocks, blockText } from '../../parts/cart/Blocks.tsx'
import type { Gate } from '../../parts/cart/gate.ts'
import { Totals } from '../../parts/cart/Totals.tsx'
import { TableNumber } from '../../parts/table/TableNumber.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Hidden } from '../../ui/Hidden.tsx'

type Props = {
  gate: Gate
  data: CartPage
  cart: CartView
  money: MoneyFormat
  pending: boolean
  /** The guest goes that far. */
  onFar: () => void
}

/** The sums, what is missing, and the one thing to do about it: no button of an order that can't be sent. */
export function Overlay({ gate, data, cart, money, pending, onFar }: Props) {
  const t = useText()
  const { kiosk, services } = useShell()
  const { unpaid, venue } = data
  if (unpaid) return <Unpaid unpaid={unpaid} data={data} cart={cart} money={money} />
  const isFar = gate === 'far'
  // Whoever has begun to book a table came for dishes to order with it.
  const booking = gate === 'table' && !kiosk ? data.booking : null
  const others = isFar ? data.blocks.filter((block) => block !== gate) : data.blocks
  return (
    // The fragment of the address after a post without scripts.
    <div id="order" className="checkout" data-note={isFar || undefined}>
      <section className="card" aria-label={t('sum.sum')}>
        <Totals totals={data.totals} money={money} busy={pending} />
      </section>
      <Blocks data={{ ...data, blocks: others }} goods={cart.total} money={money} />
      {isFar ? (
        <Far venueId={cart.venueId} question={blockText(t, gate, data, cart.total, money)} onDone={onFar} />
      ) : null}
      {/* No guest of a tablet leaves the product. */}
      {gate === 'signIn' && !kiosk ? (
        <form method="post" action={actions.signIn()}>
          <Hidden fields={{ back: paths.cart() }} />
          <div className="order">
            <Button>{t('block.enter')}</Button>
          </div>
        </form>
      ) : null}
      {gate === 'signIn' && venue?.services.includes('express') ? (
        <Instead service="express" text={t('block.toTable')} />
      ) : null}
      {booking ? (
        <Link className="button" to={booking}>
          {t('block.toBooking')}
        </Link>
      ) : null}
      {gate === 'table' && data.tableTyped ? (
        <TableNumber venueId={cart.venueId} back={paths.cart()} />
      ) : null}
      {gate === 'table' && !kiosk ? (
        // A page of its own: only its document may use the camera.
        <a
          className="button"
          data-quiet={booking ? '' : undefined}
          href={paths.barcodeScanner(cart.venueId, { table: 1 })}
        >
          {t('block.scan')}
        </a>
      ) : null}
      {gate === 'table' && venue?.services.includes('takeaway') && services.includes('takeaway') ? (
        <Instead service="takeaway" text={t('block.toTakeaway')} />
      ) : null}
      {gate === 'noPayment' ? (
        <Link className="button" to={paths.menu(cart.venueId)}>
          {t('cart.toMenu')}
        </Link>
      ) : null}
    </div>
  )
}

type UnpaidProps = { unpaid: UnpaidOrder; data: CartPage; cart: CartView; money: MoneyFormat }

/** What the dishes became waits for its payment: it is paid, or called off, before there is another order. */
function Unpaid({ unpaid, data, cart, money }: UnpaidProps) {
  const t = useText()
  const langOf = useTextLanguage()
  const mutation = useCartMutation()
  const lines = unpaid.lines.flatMap(({ id, qty }) => {
    const line = cart.lines.find((one) => one.id === id)
    return line ? [{ ...line, qty }] : []
  })
  return (
    <div id="order" className="checkout">
      <Blocks data={{ ...data, blocks: ['unpaid'] }} goods={0} money={money} />
      {lines.length === 0 ? null : (
        <section className="card" aria-labelledby="ordered">
          <h2 id="ordered" tabIndex={-1}>
            {t('block.ordered', { number: unpaid.number })}
          </h2>
          <ul className="ordered">
            {lines.map(({ id, name, qty, options, note }) => (
              <li key={id}>
                <span lang={langOf(name)}>{name}</span>
                {qty > 1 ? <span className="num">{`\u00a0× ${qty}`}</span> : null}
                {options.length > 0 ? (
                  <span className="soft" lang={langOf(options.join(', '))}>
                    {` ${options.join(', ')}`}
                  </span>
                ) : null}
                {note ? <span className="soft">{` ${t('cart.note', { note })}`}</span> : null}
              </li>
            ))}
          </ul>
        </section>
      )}
      <form method="post" action={actions.cancelPayment(unpaid.href)} onSubmit={mutation.submit}>
        <button type="submit" className="link" aria-busy={mutation.status === 'sending' || undefined}>
          {t('block.cancel')}
        </button>
      </form>
      <div className="order">
        <Link className="button" to={unpaid.href}>
          {t(unpaid.venue ? 'block.payAt' : 'cart.orderOnline', {
            number: unpaid.number,
            sum: formatMoney(unpaid.sum, money),
          })}
        </Link>
      </div>
    </div>
  )
}

type FarProps = { venueId: number; question: string | undefined; onDone: () => void }

/** A far venue is asked about once, when nothing else is in the way (ZZ-17). The answer never stands without its question. */
function Far({ venueId, question, onDone }: FarProps) {
  const t = useText()
  const mutation = useMutation()
  return (
    <form
      method="post"
      action={actions.acceptFar()}
      onSubmit={async (event) => {
        if (await mutation.submit(event)) onDone()
      }}
    >
      <Hidden fields={{ filial: venueId, back: paths.cart() }} />
      <div className="order">
        <p className="note">{question}</p>
        <Button busy={mutation.status === 'sending'}>{t('block.goFar')}</Button>
      </div>
    </form>
  )
}

/** The same dishes another way: orders to a table need no sign-in (ZZ-06), takeaways no table. */
function Instead({ service, text }: { service: Service; text: string }) {
  const mutation = useCartMutation()
  return (
    <form method="post" action={actions.setService()} onSubmit={mutation.submit}>
      <Hidden fields={{ service, back: paths.cart() }} />
      <Button quiet busy={mutation.status === 'sending'}>
        {text}
      </Button>
    </form>
  )
}
