import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useCartMutation } from '../../lib/cart/cart.tsx'
import { formatMoney } from '../../lib/format/format.ts'
import { useShell } from '../../lib/page/shell.ts'
import type { CartPage, CartView, FieldError, MoneyFormat, PayWay, Service } from '../../lib/page-data.ts'
import { Link } from '../../lib/router/Link.tsx'
import { errorOf, isBesideField } from '../../lib/text/errors.ts'
import { useText } from '../../lib/text/text.tsx'
import { Totals } from '../../parts/cart/Totals.tsx'
import { openText } from '../../parts/venue/OpenLine.tsx'
import { actions, paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { Hidden } from '../../ui/Hidden.tsx'
import { Loader } from '../../ui/Loader.tsx'
import { Blocks } from './Blocks.tsx'
import { askFar } from './far.ts'
import { Gate, gateOf } from './Gate.tsx'
import { OrderTrouble, useTrouble } from './OrderTrouble.tsx'
import { useOnline } from './online.ts'

const NAME_LENGTH = 60
const COMMENT_LENGTH = 500
const NO_ERRORS: readonly FieldError[] = []

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
      // Nobody has to be asked.
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
    <>
      {gate ? <Gate {...shown} gate={gate} onFar={() => setFar(null)} /> : null}
      {gate && !isBegun ? null : <OrderForm {...shown} gated={gate !== undefined} />}
    </>
  )
}

/** The id of the form that is the order. */
export const ORDER_FORM = 'ordered'

/** Name, wishes, payment, sums and the one button. What is in the way is told, the button is never dead. */
function OrderForm({ data, service, cart, money, pending, gated }: Props & { gated: boolean }) {
  const t = useText()
  const { flash, kiosk } = useShell()
  const mutation = useCartMutation({ beside: 'all', last: true, untilPage: true })
  const online = useOnline()
  // Whoever does not wait sees the answer all the same: the order is on its way.
  const [waiting, setWaiting] = useState(true)
  const typed = flash?.values.payment?.[0]
  const [chosen, setPayment] = useState(typed)
  // Ways to pay may come later than the page: the restaurant did not answer then.
  const payment = data.payments.find((kind) => kind === chosen) ?? data.payments[0]
  // What a post without scripts came to, until the first one with them. The next look at the page brings it no more.
  const [posted, setPosted] = useState(flash?.kind === 'order' ? flash.errors : NO_ERRORS)
  const errors = mutation.errors.length > 0 ? mutation.errors : posted
  const trouble = useTrouble(data, errors)
  const told = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const isClosed = data.blocks.includes('closed')
  const payee = data.delivery ? 'courier' : data.pickup || service === 'takeaway' ? 'counter' : 'waiter'
  const total = data.totals.find((one) => one.kind === 'total')?.sum ?? cart.total

  // Focus is the browser's. It goes to what is wrong, unless the guest has begun something else meanwhile.
  useEffect(() => {
    if (mutation.status !== 'failed') return
    const busy = document.activeElement
    if (busy !== document.body && !busy?.closest('.order')) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    if (mutation.errors.every(isBesideField) && field) field.focus()
    else told.current?.focus()
  }, [mutation.status, mutation.errors])

  function submit(event: FormEvent<HTMLFormElement>): void {
    const block = data.blocks[0]
    if (!online) {
      event.preventDefault()
      return
    }
    if (!block) {
      setWaiting(true)
      setPosted(NO_ERRORS)
      void mutation.submit(event)
      return
    }
    event.preventDefault()
    if (trouble.unchecked) told.current?.focus()
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
      data-told={trouble.errors.length > 0 || trouble.unchecked || undefined}
    >
      <Hidden fields={{ cart_version: cart.version, total, back: paths.cart() }} />
      <section className="card">
        <h2>{t('cart.details')}</h2>
        <Field
          name="name"
          label={t('cart.name')}
          hint={t('cart.optional')}
          error={errorOf(t, errors, 'name')}
          value={flash?.values.name?.[0] ?? data.name}
          maxLength={NAME_LENGTH}
          autoComplete={kiosk ? 'off' : 'given-name'}
        />
        <Field
          name="comment"
          label={t('cart.comment')}
          hint={t('cart.commentHint', { count: COMMENT_LENGTH })}
          error={errorOf(t, errors, 'comment')}
          value={flash?.values.comment?.[0] ?? ''}
          maxLength={COMMENT_LENGTH}
          long
        />
      </section>
      {data.payments.length > 0 ? (
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
                <span className="soft">
                  {kind === 'cash' ? t('cart.cashHint', { to: payee }) : t(`cart.${kind}Hint`)}
                </span>
              </span>
            </Choice>
          ))}
          {errorOf(t, errors, 'payment') ? <p className="error">{errorOf(t, errors, 'payment')}</p> : null}
        </fieldset>
      ) : null}
      {gated ? null : (
        <>
          <section className="card" aria-label={t('sum.sum')}>
            <Totals totals={data.totals} money={money} busy={pending} />
          </section>
          <Blocks data={data} goods={cart.total} money={money} />
          <p className="soft consent">
            {t('cart.consent')}{' '}
            <Link className="link" to={paths.legal('terms')}>
              {t('cart.terms')}
            </Link>
            {` ${t('cart.and')} `}
            <Link className="link" to={paths.legal('privacy')}>
              {t('cart.privacy')}
            </Link>
          </p>
          {mutation.status === 'sending' && waiting ? (
            <Loader
              text={t('cart.sending')}
              longText={t('cart.sendingLong')}
              cancel={t('cart.stopWaiting')}
              onCancel={() => setWaiting(false)}
            />
          ) : null}
          <div className="order">
            {online ? (
              <OrderTrouble trouble={trouble} data={data} goods={cart.total} money={money} focus={told} />
            ) : (
              <p id="offline" className="error" role="status">
                {t('cart.offline')}
              </p>
            )}
            <Button
              busy={mutation.status === 'sending'}
              off={!online}
              quiet={isClosed}
              describedBy={online ? undefined : 'offline'}
            >
              {mutation.status === 'sending' ? (
                t('cart.sending')
              ) : data.venue && isClosed ? (
                openText(t, data.venue.open)
              ) : (
                <>
                  {/* CSS shows the words of the chosen payment: they are right without scripts too. */}
                  {[...new Set(data.payments.length > 0 ? data.payments.map(isCash) : [true])].map((cash) => (
                    <span key={`${cash}`} data-pay={cash ? 'cash' : 'online'}>
                      {t(cash ? 'cart.orderCash' : 'cart.orderOnline', { sum: formatMoney(total, money) })}
                    </span>
                  ))}
                </>
              )}
            </Button>
          </div>
        </>
      )}
    </form>
  )
}

const isCash = (way: PayWay) => way === 'cash'
