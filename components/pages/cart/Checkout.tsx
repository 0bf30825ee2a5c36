import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import { useOnline } from '../../lib/browser/online.ts'
import { CartContext, useCartMutation } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import { isPoor } from '../../lib/net/connection.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { CartPage, CartView, FieldError, MoneyFormat, PayWay, Service } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { errorOf, isBesideField } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { Blocks } from '../../parts/cart/Blocks.tsx'
import { type Gate, gateOf } from '../../parts/cart/gate.ts'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { OverlaysContext } from '../overlays.ts'
import { askFar } from './far.ts'
import { Loader } from './Loader.tsx'
import { OrderTrouble, useTrouble } from './OrderTrouble.tsx'
import { Row } from './Row.tsx'
import { Sums } from './Sums.tsx'

const NAME_LENGTH = 60
const COMMENT_LENGTH = 500
const NO_ERRORS: readonly FieldError[] = []

/** The id of what the cart's first link leads to: there whatever is in the way of the order, and in sight. */
export const CHECKOUT = 'checkout'

type Props = { data: CartPage; service: Service; cart: CartView; money: MoneyFormat; pending: boolean }

/**
 * The way to the order: its form, or the one thing that has to be done before there is any. What was typed stays in the
 * form meanwhile, out of sight.
 */
export function Checkout(props: Props) {
  const { data, service } = props
  const [far, setFar] = useState<number | null>(null)

  // Where the guest is, is the device's to tell.
  useEffect(() => {
    if (service !== 'takeaway') return
    let gone = false
    askFar().then(
      (metres) => {
        if (!gone) setFar(metres)
      },
      // Without a position nothing has to be asked.
      () => {},
    )
    return () => {
      gone = true
      setFar(null)
    }
  }, [service])

  const isFar = far !== null && data.blocks.length === 0
  const shown = { ...props, data: isFar ? { ...data, far, blocks: ['far'] } : data }
  const gate = gateOf(shown.data)
  const [isBegun, setBegun] = useState(!gate)
  if (!gate && !isBegun) setBegun(true)
  return (
    <div id={CHECKOUT}>
      {gate ? <Gated {...shown} gate={gate} onFar={() => setFar(null)} /> : null}
      {gate && !isBegun ? null : <OrderForm {...shown} gated={gate !== undefined} />}
    </div>
  )
}

/** Its code comes with the page that needs it, or when the guest turns out to be far away. */
function Gated(props: Props & { gate: Gate; onFar: () => void }) {
  const { modules, load } = useContext(OverlaysContext)
  const [, setReady] = useState(false)
  const isMissing = !modules.gate

  // It comes over the network. Until then what is in the way is told.
  useEffect(() => {
    if (!isMissing) return
    let here = true
    load?.('gate').then(
      () => here && setReady(true),
      () => {},
    )
    return () => {
      here = false
    }
  }, [isMissing, load])

  return modules.gate ? (
    <modules.gate.Overlay {...props} />
  ) : (
    <Blocks data={props.data} goods={props.cart.total} money={props.money} />
  )
}

/** The id of the form that is the order. */
export const ORDER_FORM = 'ordered'

/** Name, wishes, payment, sums and the one button. What is in the way is told, the button is never dead. */
function OrderForm({ data, service, cart, money, pending, gated }: Props & { gated: boolean }) {
  const t = useText()
  const { flash, kiosk, table } = useShell()
  const mutation = useCartMutation({ beside: 'all', last: true, untilPage: true })
  const online = useOnline()
  const store = useContext(CartContext)
  // What was pressed and what will be charged are not the same sum.
  const [isOld, setOld] = useState(false)
  // The order is on its way: its answer is shown to guests who do not wait, too.
  const [waiting, setWaiting] = useState(true)
  const { typed } = data
  const [chosen, setPayment] = useState(typed?.payment)
  // Ways to pay may come later than the page: the restaurant did not answer then.
  const payment = data.payments.find((kind) => kind === chosen) ?? data.payments[0]
  // What a post without scripts came to, until the first one with them. The next look at the page brings it no more.
  const [posted, setPosted] = useState(flash?.kind === 'order' ? flash.errors : NO_ERRORS)
  const errors = mutation.errors.length > 0 ? mutation.errors : posted
  const trouble = useTrouble(data, cart.version, errors)
  const troubleRef = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const isClosed = data.blocks.includes('closed')
  const isGone = cart.lines.every(({ problem }) => problem === 'gone')
  const isSeated = table?.venueId === cart.venueId
  const tableShown = isSeated ? table.number : ''
  const isHere = Boolean(kiosk) || isSeated
  // What is told at the button is not told above it as well.
  const isClosedShown = trouble.errors.some(({ code }) => code === 'closed')
  const payee = data.delivery ? 'courier' : data.pickup || service === 'takeaway' ? 'counter' : 'waiter'
  const total = data.totals.find((one) => one.kind === 'total')?.sum ?? cart.total
  // What it costs to bring it is told with the address.
  const isPlus = data.delivery !== null && !data.totals.some(({ kind }) => kind === 'delivery')
  const toAddress = data.blocks.includes('address')
  const isShort = data.blocks.includes('minSum')
  // A row that is closed says what stands in it.
  const nameBefore = typed?.name ?? data.name
  const commentBefore = typed?.comment ?? ''
  const [name, setName] = useState(nameBefore)
  const [comment, setComment] = useState(commentBefore)
  const nameError = errorOf(t, errors, 'name')
  const commentError = errorOf(t, errors, 'comment')
  const wrongWay = errorOf(t, errors, 'payment')
  const payError = wrongWay ? <p className="error">{wrongWay}</p> : null
  // A single way is no choice.
  const only = data.payments.length === 1 ? data.payments[0] : undefined
  const hintOf = (kind: PayWay) =>
    kind === 'cash' ? t('cart.cashHint', { to: payee }) : t(`cart.${kind}Hint`)

  // CSS shows the words of the chosen payment: they are right without scripts too.
  const ways = [...new Set(data.payments.length > 0 ? data.payments.map(isCash) : [true])].map((cash) => (
    <span key={`${cash}`} data-pay={cash ? 'cash' : 'online'}>
      {t(cash ? 'cart.orderCash' : 'cart.orderOnline', { sum: formatMoney(total, money) })}
    </span>
  ))

  // Focus is the browser's. It goes to what is wrong, unless the guest has begun something else meanwhile.
  useEffect(() => {
    if (mutation.status !== 'failed') return
    const busy = document.activeElement
    if (busy !== document.body && !busy?.closest('.order')) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    if (mutation.errors.every(isBesideField) && field) field.focus()
    else troubleRef.current?.focus()
  }, [mutation.status, mutation.errors])

  function submit(event: FormEvent<HTMLFormElement>): void {
    const block = data.blocks[0]
    if (!online) {
      event.preventDefault()
      return
    }
    const code = document.querySelector<HTMLInputElement>('.promo [name="code"]')
    const wanted = code?.value.trim().toLowerCase()
    if (code && wanted && wanted !== data.promo?.code.toLowerCase()) {
      // A code that is typed and was not applied means another sum than the button says.
      event.preventDefault()
      code.focus()
      code.form?.querySelector('button')?.click()
      return
    }
    if (mutation.status !== 'sending' && store?.snapshot().pending) {
      event.preventDefault()
      setOld(true)
      return
    }
    if (!block) {
      setOld(false)
      setWaiting(true)
      setPosted(NO_ERRORS)
      void mutation.submit(event)
      return
    }
    event.preventDefault()
    if (trouble.unchecked) troubleRef.current?.focus()
    else document.getElementById(`block-${block}`)?.focus()
  }

  return (
    <form
      id={ORDER_FORM}
      ref={form}
      className="checkout"
      hidden={gated}
      method="post"
      action={actions.placeOrder()}
      onSubmit={submit}
      data-keep={cart.venueId ?? undefined}
      data-age={typed?.age}
      data-sent={mutation.status === 'sending' || undefined}
      data-note={trouble.errors.length > 0 || trouble.unchecked || isOld || undefined}
    >
      <Hidden
        fields={{
          cart_version: cart.version,
          total,
          table: tableShown,
          ...(data.delivery ? { address: data.delivery.mark, door: data.door?.signed ?? '' } : null),
          // Of what could not be asked for nothing is in the sum.
          ...(data.promo?.state === 'failed' ? { no_promo: 1 } : null),
          ...(data.bonus?.state === 'failed' ? { no_bonus: 1 } : null),
          back: paths.cart(),
        }}
      />
      {/* What was typed is kept for when it opens. */}
      <div className="asked" hidden={isClosed}>
        <Row name={t('cart.name')} value={name || t('cart.optional')} open={nameError !== undefined}>
          <Field
            name="name"
            label={t('cart.name')}
            hint={t('cart.optional')}
            error={nameError}
            value={nameBefore}
            maxLength={NAME_LENGTH}
            autoComplete={kiosk ? 'off' : 'given-name'}
            onInput={setName}
          />
        </Row>
        <Row name={t('cart.comment')} value={comment || t('cart.optional')} open={commentError !== undefined}>
          <Field
            name="comment"
            label={t('cart.comment')}
            hint={t('cart.commentHint', { count: COMMENT_LENGTH })}
            error={commentError}
            value={commentBefore}
            maxLength={COMMENT_LENGTH}
            onInput={setComment}
            long
          />
        </Row>
        {only ? (
          <section className="card only">
            <h2>{t('cart.payment')}</h2>
            <p>
              {t(`payment.${only}`)} <span className="soft">{hintOf(only)}</span>
            </p>
            <Hidden fields={{ payment: only }} />
            {payError}
          </section>
        ) : data.payments.length > 0 ? (
          <fieldset className="card">
            <legend>
              <h2>{t('cart.payment')}</h2>
            </legend>
            {data.payments.map((kind) => (
              <Choice
                key={kind}
                type="radio"
                name="payment"
                value={kind}
                checked={kind === payment}
                onChange={() => setPayment(kind)}
              >
                <span>
                  {t(`payment.${kind}`)}
                  <span className="soft">{hintOf(kind)}</span>
                </span>
              </Choice>
            ))}
            {payError}
          </fieldset>
        ) : null}
      </div>
      {gated ? null : (
        <>
          <Sums totals={data.totals} money={money} busy={pending} plus={isPlus} />
          <Blocks
            data={
              isClosedShown ? { ...data, blocks: data.blocks.filter((block) => block !== 'closed') } : data
            }
            goods={cart.total}
            money={money}
            gone={isGone}
          />
          {isClosed ? null : (
            <p className="soft consent">
              {t('cart.consent')}{' '}
              <Link className="link" to={paths.legal('terms')}>
                {t('cart.terms')}
              </Link>
              {` ${t('cart.and')} `}
              <Link className="link" to={paths.legal('privacy')}>
                {t('cart.privacy')}
              </Link>
              {t('cart.accepted')}
            </p>
          )}
          {mutation.status === 'sending' && waiting ? (
            <Loader
              text={t('cart.sending')}
              longText={t('cart.sendingLong')}
              cancel={t('cart.stopWaiting')}
              onCancel={() => setWaiting(false)}
            />
          ) : null}
          <div className="order">
            {online && isOld ? (
              <p className="note" role="alert">
                {t(isPoor() ? 'cart.offline' : 'cart.newSum')}
              </p>
            ) : online ? (
              <OrderTrouble
                trouble={trouble}
                data={data}
                goods={cart.total}
                money={money}
                focus={troubleRef}
              />
            ) : (
              <p id="offline" className="error" role="status">
                {t('cart.offline')}
              </p>
            )}
            {isClosed || isGone || isShort ? (
              // Nothing can be ordered here: the button leads on. A guest at the table stays with the menu, and so does one
              // whose dishes have sold out or come to too little to be brought.
              <Link className="button" to={isHere || !isClosed ? paths.menu(cart.venueId) : paths.venues()}>
                {t(isHere || !isClosed ? 'cart.toMenu' : 'cart.toVenues')}
              </Link>
            ) : toAddress ? (
              <Link className="button" to={paths.addresses({ back: paths.cart() })}>
                {t('block.toAddress')}
              </Link>
            ) : (
              <Button
                busy={mutation.status === 'sending'}
                off={!online}
                describedBy={online ? undefined : 'offline'}
              >
                {mutation.status === 'sending' ? t('cart.sending') : ways}
              </Button>
            )}
          </div>
        </>
      )}
    </form>
  )
}

const isCash = (way: PayWay) => way === 'cash'
